"""Rules that pick an operating point, from a table of them or from a sweep (Bennett et al. 2015, §3.2)."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np

from riskrank.errors import AlignmentError, ParameterError
from riskrank.parameters import is_number, is_whole, one_of
from riskrank.renamed import renamed
from riskrank.tradeoff.curves import area
from riskrank.tradeoff.operating_point import OperatingPoint

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import ArrayLike

    from riskrank.tradeoff.judged_queries import Cost
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


@renamed(full="reference_model")
def largest_area(gain: ArrayLike, cost: ArrayLike, *, reference_model: int) -> int | None:
    """The point that, mixed with the baseline and with a reference model, gains most over all costs.

    Cost is the risk, or the share of queries re-ranked. None where the reference model gains nothing.

    >>> largest_area([4, 3.5, 1], [4, 2, 1], reference_model=0)
    1
    """
    gains, costs = _table(gain, cost)
    if not 0 <= reference_model < len(gains):
        raise AlignmentError(f"the reference model must be one of the {len(gains)} points, got {reference_model}.")
    return best_by_area(gains, costs, range(len(gains)), reference_model)


def best_by_area(gains: Floats, costs: Floats, models: Sequence[int], reference: int) -> int | None:
    """The one of some models with the largest area; of equals the reference, which is no worse, else most gain."""
    whole = {"reference_cost": float(costs[reference]), "reference_gain": float(gains[reference])}
    areas = {i: area([costs[i]], [gains[i]], **whole) for i in models}
    if any(map(math.isnan, areas.values())):
        return None
    return max(models, key=lambda i: (round(areas[i], 12), i == reference, gains[i]))


@renamed(reference="near")
def gain_parity(gain: ArrayLike, risk: ArrayLike, *, near: float) -> int:
    """The point nearest in gain to a number, with the least risk among equals: "RS (min risk, gain parity)".

    >>> gain_parity([3, 2, 1], [0.3, 0.2, 0.1], near=2.2)
    1
    """
    gains, risks = _table(gain, risk)
    return _nearest(gains, near, -risks)


@renamed(reference="near")
def nearest_reranking(gain: ArrayLike, reranked: ArrayLike, *, near: float) -> int:
    """The point nearest in the share re-ranked, with the most gain among equals: "RS (max gain, near rerank)".

    >>> nearest_reranking([3, 2, 1], [0.9, 0.5, 0.5], near=0.4)
    1
    """
    gains, shares = _table(gain, reranked)
    return _nearest(shares, near, gains)


def _nearest(values: Floats, wanted: float, merit: Floats) -> int:
    away = np.where(np.isnan(values), np.inf, np.abs(values - wanted))
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
    near: float | np.integer[Any] | None,
    like: int | np.integer[Any] | None,
    cost: Cost,
) -> OperatingPoint:
    """A model by a rule; `Sweep.choose` says what each of them means."""
    one_of("rule", rule, get_args(Rule))
    judged, where = (sweep.test, "test") if sweep.valid is None else (sweep.valid, "validation")
    models = list(range(len(sweep))) if series is None else sweep.members(series)
    gain, risk, reranked = judged.gain, judged.risk, judged.reranked
    if rule == "risk":
        if max_risk is None or not is_number(max_risk) or max_risk < 0:
            raise ParameterError(f"the rule risk needs max_risk, a number from 0, got {max_risk!r}.", "max_risk")
        best = largest_gain(gain[models], risk[models], max_risk=max_risk)
        if best is None or gain[models[best]] <= 0:
            return OperatingPoint(
                sweep, None, f"No model gains anything with a risk up to {max_risk:g} on {where} queries."
            )
        chosen, why = models[best], f"It gains most of those with a risk up to {max_risk:g} on {where} queries."
    elif rule == "area":
        best = best_by_area(gain, judged.cost(cost), models, sweep.reference_model)
        if best is None:
            label = sweep.settings[sweep.reference_model].label
            return OperatingPoint(sweep, None, f"The reference model ({label}) gains nothing on {where} queries.")
        chosen, why = best, f"It has the largest area under gain against {cost} on {where} queries."
    elif rule == "parity":
        wanted = _wanted(rule, near, like, gain)
        chosen = models[gain_parity(gain[models], risk[models], near=wanted)]
        why = f"Its gain is nearest to {wanted:.4f} on {where} queries."
    else:
        wanted = _wanted(rule, near, like, reranked)
        chosen = models[nearest_reranking(gain[models], reranked[models], near=wanted)]
        why = f"It re-ranks nearly {wanted:.1%} of {where} queries."
    return OperatingPoint(sweep, chosen, why).measured()


def _wanted(
    rule: Rule, near: float | np.integer[Any] | None, like: int | np.integer[Any] | None, values: Floats
) -> float:
    """The number to be near to: the one given, or that of another model."""
    if (near is None) == (like is None):
        raise ParameterError(f"the rule {rule} needs either near= (a number) or like= (another model's place).")
    if near is not None:
        if not is_number(near):
            raise ParameterError(f"near must be a number, got {near!r}.", "near")
        return float(near)
    if not is_whole(like) or not 0 <= like < len(values):
        raise ParameterError(f"like must be the place of a model, from 0 to {len(values) - 1}, got {like!r}.", "like")
    return float(values[like])
