"""Rules that pick an operating point, from a table of them or from a sweep (Bennett et al. 2015, §3.2)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np

from riskrank.errors import AlignmentError, ParameterError
from riskrank.parameters import is_number, one_of
from riskrank.tradeoff.curves import area
from riskrank.tradeoff.operating_point import OperatingPoint

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import ArrayLike

    from riskrank.tradeoff.judged_queries import Cost, JudgedQueries
    from riskrank.tradeoff.sweep import Sweep
    from riskrank.typing import Floats

Rule = Literal["risk", "area", "parity", "reranking"]

# From a table.


def largest_gain(gain: ArrayLike, risk: ArrayLike, *, max_risk: float) -> int | None:
    """The point with the largest gain among those whose risk is at most `max_risk`; None if there is none.

    >>> largest_gain([3, 2, 1], [0.3, 0.2, 0.1], max_risk=0.25)
    1
    """
    gains, risks = _table(gain, risk)
    if not len(gains):
        return None
    allowed = np.where((risks <= max_risk + 1e-12) & ~np.isnan(gains), gains, -np.inf)
    best = int(allowed.argmax())
    return best if np.isfinite(allowed[best]) else None


def largest_area(gain: ArrayLike, cost: ArrayLike, *, full: int) -> int | None:
    """The point that, mixed with the baseline and with the `full` model, gains most over all costs.

    Cost is the risk, or the share of queries re-ranked. None where the full model gains nothing.

    >>> largest_area([4, 3.5, 1], [4, 2, 1], full=0)
    1
    """
    gains, costs = _table(gain, cost)
    if not 0 <= full < len(gains):
        raise AlignmentError(f"the full model must be one of the {len(gains)} points, got {full}.")
    areas = [
        area([x], [y], full_cost=float(costs[full]), full_gain=float(gains[full]))
        for x, y in zip(costs, gains, strict=True)
    ]
    if np.isnan(areas).any():
        return None
    return full if areas[full] >= max(areas) - 1e-12 else int(np.argmax(areas))  # no better than a coin: all the same


def gain_parity(gain: ArrayLike, risk: ArrayLike, *, reference: float) -> int:
    """The point nearest in gain to a reference, with the least risk among equals: "RS (min risk, gain parity)".

    >>> gain_parity([3, 2, 1], [0.3, 0.2, 0.1], reference=2.2)
    1
    """
    gains, risks = _table(gain, risk)
    return _nearest(gains, reference, -risks)


def nearest_reranking(gain: ArrayLike, reranked: ArrayLike, *, reference: float) -> int:
    """The point that re-ranks nearly as many queries, with the most gain among equals: "RS (max gain, near rerank)".

    >>> nearest_reranking([3, 2, 1], [0.9, 0.5, 0.5], reference=0.4)
    1
    """
    gains, shares = _table(gain, reranked)
    return _nearest(shares, reference, gains)


def _nearest(values: Floats, reference: float, merit: Floats) -> int:
    away = np.where(np.isnan(values), np.inf, np.abs(values - reference))
    if not len(away) or np.isinf(away.min()):
        raise AlignmentError("there is no point to choose.")
    near = np.flatnonzero(away <= away.min() + 1e-12)
    return int(near[np.nan_to_num(merit[near], nan=-np.inf).argmax()])


def _table(*columns: ArrayLike) -> list[Floats]:
    """Columns of numbers, one row per point."""
    table = [np.asarray(column, dtype=np.float64) for column in columns]
    if any(column.ndim != 1 or column.shape != table[0].shape for column in table):
        raise AlignmentError("each point needs a number in every column.")
    return table


# From a sweep.


def choose(
    sweep: Sweep,
    rule: Rule,
    *,
    max_risk: float | None,
    series: str | None,
    reference: float | np.integer[Any] | None,
    cost: Cost,
) -> OperatingPoint:
    """A model by a rule; `Sweep.choose` says what each of them means."""
    one_of("rule", rule, get_args(Rule))
    judged, where = (sweep.test, "test") if sweep.valid is None else (sweep.valid, "validation")
    models = list(range(len(sweep))) if series is None else sweep.of(series)
    best: int | None
    if rule == "risk":
        best, why = _by_risk(judged, models, max_risk, where)
    elif rule == "area":
        best, why = _by_area(judged, models, sweep.full, cost, where)
    elif rule == "parity":
        best, why = _by_parity(judged, models, reference, where)
    else:
        best, why = _by_reranking(judged, models, reference, where)
    return OperatingPoint(sweep, None, why) if best is None else OperatingPoint.of(sweep, best, why)


def _by_risk(
    judged: JudgedQueries, models: Sequence[int], max_risk: float | None, where: str
) -> tuple[int | None, str]:
    if max_risk is None or not is_number(max_risk) or max_risk < 0:
        raise ParameterError(f"the rule risk needs max_risk, a number from 0, got {max_risk!r}.", "max_risk")
    gain, risk = judged.gain[models], judged.risk[models]
    best = largest_gain(gain, risk, max_risk=max_risk)
    if best is None or gain[best] <= 0:
        return None, f"No model gains anything with a risk up to {max_risk:g} on {where} queries."
    return models[best], f"It gains most of those with a risk up to {max_risk:g} on {where} queries."


def _by_area(judged: JudgedQueries, models: Sequence[int], full: int, cost: Cost, where: str) -> tuple[int | None, str]:
    gain, costs = judged.gain, judged.cost(cost)
    if full in models:
        best = largest_area(gain[models], costs[models], full=models.index(full))
    else:
        ends = {"full_cost": float(costs[full]), "full_gain": float(gain[full])}
        areas = [area([costs[i]], [gain[i]], **ends) for i in models]
        ranked = sorted(range(len(models)), key=lambda k: (round(areas[k], 12), gain[models[k]]))
        best = None if np.isnan(areas).any() else ranked[-1]
    if best is None:
        return None, f"The gain-only model gains nothing on {where} queries."
    return models[best], f"It has the largest area under gain against {cost} on {where} queries."


def _by_parity(
    judged: JudgedQueries, models: Sequence[int], reference: float | np.integer[Any] | None, where: str
) -> tuple[int, str]:
    wanted = _wanted("parity", reference, judged.gain)
    best = gain_parity(judged.gain[models], judged.risk[models], reference=wanted)
    return models[best], f"Its gain is nearest to {wanted:.4f} on {where} queries."


def _by_reranking(
    judged: JudgedQueries, models: Sequence[int], reference: float | np.integer[Any] | None, where: str
) -> tuple[int, str]:
    wanted = _wanted("reranking", reference, judged.reranked)
    best = nearest_reranking(judged.gain[models], judged.reranked[models], reference=wanted)
    return models[best], f"It re-ranks nearly {wanted:.1%} of {where} queries."


def _wanted(rule: Rule, reference: float | np.integer[Any] | None, values: Floats) -> float:
    """The number that a reference stands for: itself or, for a whole number, the value of that model."""
    if reference is None:
        raise ParameterError(f"the rule {rule} needs a reference: a number, or the place of another model.")
    is_place = isinstance(reference, int | np.integer) and not isinstance(reference, bool)
    if not is_number(reference) or (is_place and not 0 <= reference < len(values)):
        raise ParameterError(f"reference must be a number, or a place from 0 to {len(values) - 1}, got {reference!r}.")
    return float(values[int(reference)]) if is_place else float(reference)
