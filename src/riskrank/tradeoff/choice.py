"""Rules that pick an operating point from a table of them (Bennett et al. 2015, §3.2)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from riskrank.tradeoff.curves import area

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    Floats = NDArray[np.float64]


def largest_gain(gain: ArrayLike, risk: ArrayLike, *, max_risk: float) -> int | None:
    """The point with the largest gain among those whose risk is at most `max_risk`; None if there is none.

    >>> largest_gain([3, 2, 1], [0.3, 0.2, 0.1], max_risk=0.25)
    1
    """
    gains = np.where(_floats(risk) <= max_risk + 1e-12, _floats(gain), -np.inf)
    found = int(gains.argmax())
    return found if np.isfinite(gains[found]) else None


def largest_area(gain: ArrayLike, cost: ArrayLike, *, full: int) -> int | None:
    """The point that, mixed with the baseline and with the `full` model, gains most over all costs.

    Cost is the risk, or the share of queries re-ranked. None where the full model gains nothing.

    >>> largest_area([4, 3.5, 1], [4, 2, 1], full=0)
    1
    """
    gains, costs = _floats(gain), _floats(cost)
    areas = [
        area([x], [y], full_cost=float(costs[full]), full_gain=float(gains[full]))
        for x, y in zip(costs, gains, strict=True)
    ]
    return None if np.isnan(areas).any() else int(np.argmax(areas))


def gain_parity(gain: ArrayLike, risk: ArrayLike, *, reference: float) -> int:
    """The point nearest in gain to a reference, with the least risk among equals: "RS (min risk, gain parity)".

    >>> gain_parity([3, 2, 1], [0.3, 0.2, 0.1], reference=2.2)
    1
    """
    return _nearest(_floats(gain), reference, -_floats(risk))


def nearest_reranking(gain: ArrayLike, reranked: ArrayLike, *, reference: float) -> int:
    """The point that re-ranks nearly as many queries, with the most gain among equals: "RS (max gain, near rerank)".

    >>> nearest_reranking([3, 2, 1], [0.9, 0.5, 0.5], reference=0.4)
    1
    """
    return _nearest(_floats(reranked), reference, _floats(gain))


def _nearest(values: Floats, reference: float, merit: Floats) -> int:
    away = np.abs(values - reference)
    near = away <= away.min() + 1e-12
    return int(np.where(near, merit, -np.inf).argmax())


def _floats(values: ArrayLike) -> Floats:
    return np.asarray(values, dtype=np.float64)
