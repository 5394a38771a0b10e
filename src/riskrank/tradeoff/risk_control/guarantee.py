"""Operating points of a sweep whose true risk is within a budget, with a stated confidence."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from riskrank.errors import ParameterError, listing, quoted
from riskrank.parameters import between, inside
from riskrank.tradeoff.operating_point import OperatingPoint
from riskrank.tradeoff.risk_control.control import control_risk
from riskrank.tradeoff.selective_use import uses
from riskrank.typing import SIDES

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from riskrank.rankers.selective.query_predictors import QueryPredictor
    from riskrank.tradeoff.judged_queries import JudgedQueries
    from riskrank.tradeoff.risk_control.control import Control, Method
    from riskrank.tradeoff.sweep import Sweep
    from riskrank.typing import Booleans, Floats

NAMES = {"binomial": "exact binomial"}
CONFIDENCE, VIA = 0.9, "mixed"  # unless something else is asked for
NEARLY = 0.95  # of the largest gain that is safe: for less risk, as much will do
UNWEIGHTED = "a guarantee is for queries that all count the same: leave the weights of those that test it out."
PROBABILITIES = tuple(k / 20 for k in range(1, 21))


@dataclass(frozen=True, eq=False)
class Candidate:
    """An operating point that is to be tested: what the held-out queries lose by it, and its gain there."""

    point: OperatingPoint
    losses: Floats
    gain: float


def guarantee(
    sweep: Sweep,
    budget: float,
    *,
    confidence: float,
    hurt_beyond: float | None,
    via: str,
    series: str | None,
    method: Method,
) -> OperatingPoint:
    """The safe point with the largest gain; `Sweep.guarantee` says what the parameters mean."""
    check_guarantee(
        budget, {name: sweep.predictors.get(name) for name in sweep.thresholds}, confidence=confidence,
        hurt_beyond=hurt_beyond, via=via, has_folds=sweep.n_folds > 1, n_baselines=sweep.n_baselines,
        has_calibration=sweep.calibration is not None, has_valid=sweep.valid is not None,
        is_valid_fresh=sweep.is_valid_fresh,
    )  # fmt: skip
    kind, held_out = held_out_queries(sweep)
    if held_out.relative_weights is not None:
        raise ParameterError(UNWEIGHTED, "weights")
    if via in ("mixed", "alpha"):
        shares = PROBABILITIES if via == "mixed" else (1.0,)
        sequences = _model_sequences(sweep, held_out, hurt_beyond, series, shares)
    elif series is None:
        sequences = _selective_sequences(sweep, held_out, hurt_beyond, via)
    else:
        raise ParameterError("selective use is of the reference model: leave series out.")
    candidates = [candidate for sequence in sequences for candidate in sequence]
    control = control_risk(
        np.array([candidate.losses for candidate in candidates]),
        budget=budget,
        confidence=confidence,
        sequences=_positions(sequences),
        largest=[candidate.point.probability for candidate in candidates],
        method=method if hurt_beyond is None else "binomial",  # a query is hurt or not
        query_ids=held_out.queries,
    )
    best = _chosen(candidates, control, held_out)
    why = _why(control, kind, hurt_beyond, is_chosen=best is not None)
    point = OperatingPoint(sweep, None, "", hurt_beyond=hurt_beyond) if best is None else candidates[best].point
    tested, safe = (_models(candidates, which) for which in (~np.isnan(control.p_value), control.is_safe))
    point = replace(point, why=why, control=control, tested=tested, safe=safe)
    return point if best is None else point.measured(hurt_beyond)


def _chosen(candidates: Sequence[Candidate], control: Control, held_out: JudgedQueries) -> int | None:
    """The safe point that gains most; of those that are used as often and gain nearly as much, the least risky."""
    gains = [candidate.gain for candidate in candidates]
    best = control.best(gains)
    if best is None:
        return None
    share = candidates[best].point.probability
    risks = {
        i: float((candidate.point.share_used(held_out) * held_out.losses()[candidate.point.index]).mean())
        for i, candidate in enumerate(candidates)
        if control.is_safe[i] and gains[i] >= NEARLY * gains[best] and candidate.point.probability >= share
    }
    return min(risks, key=lambda i: (risks[i], -gains[i]))


def held_out_queries(sweep: Sweep) -> tuple[str, JudgedQueries]:
    """The queries that test a budget, and what kind they are: calibration, or else validation."""
    parts = {"calibration": sweep.calibration, "validation": sweep.valid}
    return next((kind, part) for kind, part in parts.items() if part is not None)


def _models(candidates: Sequence[Candidate], which: Booleans) -> tuple[int, ...]:
    """Those of some candidates that are models as used on all queries."""
    points = [candidate.point for candidate, is_one in zip(candidates, which, strict=True) if is_one]
    return tuple(point.index for point in points if point.is_used_always and point.index is not None)


def check_guarantee(
    budget: float,
    predictors: Mapping[str, QueryPredictor | None],
    *,
    confidence: float = CONFIDENCE,
    hurt_beyond: float | None = None,
    via: str = VIA,
    has_folds: bool,
    n_baselines: int,
    has_calibration: bool,
    has_valid: bool,
    is_valid_fresh: bool,
    is_weighted: bool = False,
) -> None:
    """Refuse a guarantee that a sweep cannot give; all of it is known before the sweep is trained."""
    if is_weighted:
        raise ParameterError(UNWEIGHTED, "weights")
    if has_folds:
        raise ParameterError("a guarantee is for one model: sweep with a fixed split, not with folds.")
    inside("budget", budget, 0, 1)
    inside("confidence", confidence, 0, 1)
    if hurt_beyond is not None:
        between("hurt_beyond", hurt_beyond, 0, math.inf)
    known = ["mixed", "alpha", *predictors]
    if via not in known:
        raise ParameterError(f"via must be one of {listing(known)}, got {quoted(via)}.", "via")
    if n_baselines > 1 and via != "alpha":
        raise ParameterError(
            "mixed and selective use need one baseline, which ranks the other queries: choose via alpha."
        )
    if has_calibration:
        return
    if not has_valid:
        raise ParameterError("a guarantee needs queries that no model was trained on: pass calibration= or valid=.")
    if not is_valid_fresh:
        raise ParameterError(
            "a guarantee needs fresh queries: here models were chosen by the validation queries. "
            "Sweep with calibration=, or without early stopping."
        )
    predictor = predictors.get(via)
    if predictor is not None and predictor.learns:
        raise ParameterError(f"{via} has learned from the validation queries: sweep with calibration=.")


def _model_sequences(
    sweep: Sweep, held_out: JudgedQueries, hurt_beyond: float | None, series: str | None, shares: Sequence[float]
) -> list[list[Candidate]]:
    """A sequence per series: its safest model, the one with the largest value, on each share; then the next bolder."""
    losses, gains = held_out.losses(hurt_beyond), held_out.gain
    sequences = []
    for name in sweep.series if series is None else [series]:
        path = [(i, share) for i in reversed(sweep.members(name)) for share in shares]
        sequences.append(
            [
                Candidate(OperatingPoint(sweep, i, "", probability=share), share * losses[i], share * float(gains[i]))
                for i, share in path
            ]
        )
    return sequences


def _selective_sequences(
    sweep: Sweep, held_out: JudgedQueries, hurt_beyond: float | None, predictor: str
) -> list[list[Candidate]]:
    """The reference model on more and more queries.

    The side may be chosen beforehand by queries that do not test it; else each side is a sequence of its own.
    """
    model, limits = sweep.reference_model, sweep.thresholds[predictor]
    losses, delta = held_out.losses(hurt_beyond)[model], held_out.weighted_changes[model]
    is_side_known = sweep.calibration is not None and sweep.valid is not None
    sequences = []
    for side in (sweep.selective(predictor)["apply"],) if is_side_known else SIDES:
        ordered = limits[np.argsort(-limits if side == "above" else limits, kind="stable")]
        use = uses(held_out.predictors[predictor], ordered, side)
        points = [
            OperatingPoint(sweep, model, "", predictor=predictor, threshold=limit, apply=side)
            for limit in ordered.tolist()
        ]
        sequences.append(
            [
                Candidate(point, used * losses, float((used * delta).mean()))
                for point, used in zip(points, use, strict=True)
            ]
        )
    return sequences


def _positions(sequences: Sequence[Sequence[Candidate]]) -> list[list[int]]:
    """Where the candidates of each sequence stand when all sequences are laid end to end."""
    ends = np.cumsum([len(sequence) for sequence in sequences]).tolist()
    return [list(range(end - len(sequence), end)) for sequence, end in zip(sequences, ends, strict=True)]


def _why(control: Control, kind: str, hurt_beyond: float | None, *, is_chosen: bool) -> str:
    what = "expected loss" if hurt_beyond is None else f"share of queries that lose more than {hurt_beyond:g}"
    limit = f"at most {control.budget:g}"
    how_sure = f"a confidence of {control.confidence:.0%}"
    tested = f"tested on {control.n_queries:,} {kind} queries ({NAMES.get(control.method, control.method)})"
    if is_chosen:
        return f"With {how_sure} its {what} is {limit}, {tested}."
    reason = "no safe point gains anything" if control.is_safe.any() else "no point could be shown to be safe"
    return f"The {what} should be {limit} with {how_sure}: {reason}, {tested}."
