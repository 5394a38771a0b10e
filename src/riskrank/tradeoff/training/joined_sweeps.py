"""Sweeps of the same models on different folds as one: where each fold has rankers of its own, or its own machine."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from riskrank.errors import AlignmentError, ParameterError
from riskrank.tradeoff.judged_queries import joined_folds
from riskrank.tradeoff.sweep import Sweep

if TYPE_CHECKING:
    from collections.abc import Sequence

    from riskrank.tradeoff.judged_queries import JudgedQueries

ALIKE = ("measure", "parameter", "baseline", "settings", "unit")


def join_sweeps(sweeps: Sequence[Sweep]) -> Sweep:
    """One sweep with the folds of several, in their order; it has no models of its own.

    All must have the same settings, measure, baseline and predictors. Numbers of training queries and thresholds are
    means over folds, as `sweep` gives them.
    """
    if not sweeps:
        raise ParameterError("at least one sweep is needed.")
    first = sweeps[0]
    for name in ALIKE:
        for other in sweeps[1:]:
            if getattr(other, name) != getattr(first, name):
                raise AlignmentError(f"sweeps to join must have the same {name}; one has another.")
    if any(set(other.thresholds) != set(first.thresholds) for other in sweeps):
        raise AlignmentError("sweeps to join must have the same predictors.")
    folds = [sweep.n_folds for sweep in sweeps]
    has_levels = all(sweep.learning_baseline for sweep in sweeps)
    models = range(len(first))
    return Sweep(
        measure=first.measure,
        parameter=first.parameter,
        baseline=first.baseline,
        n_baselines=first.n_baselines,
        settings=first.settings,
        test=joined_folds(_renumbered([sweep.test for sweep in sweeps], folds)),
        valid=_joined([sweep.valid for sweep in sweeps], folds),
        calibration=_joined([sweep.calibration for sweep in sweeps], folds),
        is_valid_fresh=all(sweep.is_valid_fresh for sweep in sweeps),
        train_gain=np.average([sweep.train_gain for sweep in sweeps], axis=0, weights=folds),
        train_risk=np.average([sweep.train_risk for sweep in sweeps], axis=0, weights=folds),
        learning=tuple(tuple(curve for sweep in sweeps for curve in sweep.learning[i]) for i in models),
        learning_baseline=tuple(
            tuple(level for sweep in sweeps for level in sweep.learning_baseline[i]) for i in models if has_levels
        ),
        unit=first.unit,
        n_folds=sum(folds),
        thresholds={
            name: np.average([sweep.thresholds[name] for sweep in sweeps], axis=0, weights=folds)
            for name in first.thresholds
        },
        predictors=sweeps[-1].predictors,
    )


def _joined(parts: Sequence[JudgedQueries | None], folds: Sequence[int]) -> JudgedQueries | None:
    """Those of all sweeps, if all have them."""
    known = [part for part in parts if part is not None]
    return joined_folds(_renumbered(known, folds)) if len(known) == len(parts) else None


def _renumbered(parts: Sequence[JudgedQueries], folds: Sequence[int]) -> list[JudgedQueries]:
    """With the folds of each counted on from those before."""
    before = np.cumsum([0, *folds])
    return [replace(part, fold=part.fold + shift) for part, shift in zip(parts, before[:-1], strict=True)]
