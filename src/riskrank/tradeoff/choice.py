"""Rules that pick an operating point from a table of them (Bennett et al. 2015, §3.2)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from riskrank.errors import AlignmentError
from riskrank.tradeoff.curves import area

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from riskrank.typing import Floats


def largest_gain(gain: ArrayLike, risk: ArrayLike, *, max_risk: float) -> int | None:
    """The point with the largest gain among those whose risk is at most `max_risk`; None if there is none.

    >>> largest_gain([3, 2, 1], [0.3, 0.2, 0.1], max_risk=0.25)
    1
    """
    gains, risks = _table(gain, risk)
    if not len(gains):
        return None
    allowed = np.where((risks <= max_risk + 1e-12) & ~np.isnan(gains), gains, -np.inf)
    found = int(allowed.argmax())
    return found if np.isfinite(allowed[found]) else None


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
    found = [np.asarray(column, dtype=np.float64) for column in columns]
    if any(column.ndim != 1 or column.shape != found[0].shape for column in found):
        raise AlignmentError("each point needs a number in every column.")
    return found
