"""Synthetic sweeps, from arrays, without any training."""

from __future__ import annotations

import numpy as np

import riskrank as rr
from riskrank.tradeoff.grid import Setting
from riskrank.tradeoff.judged_queries import JudgedQueries


def judged(delta, *, baseline=0.5, distance=None, is_reranked=None, predictors=None, fold=None, queries=None):
    """Models × queries that differ from the baseline by `delta`; re-ranked where they differ."""
    delta = np.atleast_2d(np.asarray(delta, dtype=np.float64))
    n = delta.shape[1]
    level = np.broadcast_to(np.asarray(baseline, dtype=np.float64), n).copy()
    differs = delta != 0 if is_reranked is None else np.asarray(is_reranked, dtype=bool)
    return JudgedQueries(
        queries=tuple(map(str, range(n))) if queries is None else tuple(queries),
        fold=np.ones(n, np.int64) if fold is None else np.asarray(fold),
        baseline=level,
        values=level + delta,
        distance=np.where(differs, 0.25, 0.0) if distance is None else np.asarray(distance, dtype=np.float64),
        is_reranked=differs,
        predictors=predictors or {},
    )


def synthetic_sweep(
    test,
    *,
    values=None,
    series=None,
    valid=None,
    calibration=None,
    thresholds=None,
    predictors=None,
    parameter="alpha",
    **options,
):
    """A sweep whose models are the rows of `test`: one series with alpha 0, 1, 2, …, unless told otherwise."""
    n = len(test.values)
    values = list(range(n)) if values is None else values
    series = ["URisk"] * n if series is None else series
    return rr.Sweep(
        **{
            "measure": "nDCG@10",
            "parameter": parameter,
            "baseline": "feature:1",
            "settings": tuple(Setting(s, parameter, float(v)) for s, v in zip(series, values, strict=True)),
            "test": test,
            "valid": valid,
            "calibration": calibration,
            "is_valid_fresh": True,
            "train_gain": np.full(n, 0.1),
            "train_risk": np.full(n, 0.02),
            "learning": tuple((np.array([0.2, 0.4]),) for _ in range(n)),
            "learning_baseline": tuple((0.0,) * options.get("n_folds", 1) for _ in range(n)),
            "unit": "trees",
            "n_folds": 1,
            "thresholds": {name: np.asarray(limits, dtype=np.float64) for name, limits in (thresholds or {}).items()},
            "predictors": predictors or {},
            **options,
        }
    )


def selective_sweep(*, win=0.1, **options):
    """100 queries; those with a predictor above 0.6 are hurt."""
    x = (np.arange(100) + 0.5) / 100
    part = judged(np.where(x > 0.6, -0.1, win)[None], predictors={"x": x})
    given = {"valid": part, "calibration": part, "thresholds": {"x": np.arange(0, 21) / 20}, **options}
    return synthetic_sweep(part, predictors={"x": rr.Aggregate("max", 1)}, **given)
