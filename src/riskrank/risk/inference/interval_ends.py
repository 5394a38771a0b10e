"""Where an interval ends that inverts a test."""

from __future__ import annotations

from statistics import NormalDist
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

FARTHEST = 3.0  # shifts beyond this, in largest changes, leave nothing on the other side of 0
STEPS = 40
PRECISION = 0.01  # in standard deviations of the mean; draws leave as much open


def interval_end(
    tail_at: Callable[[float], float],
    center: float,
    farthest: float,
    tail: float,
    *,
    known: float | None = None,
    near: float | None = None,
) -> float:
    """The shift between `center` and `farthest` where the tail falls to `tail`, on the side where it is still larger.

    `known` comes to lie on its own side of the end, also where tails rise again far out. The search begins at `near`.
    """

    def height(shift: float) -> float:
        return _quantile(tail_at(shift)) - _quantile(tail)

    kept, dropped = center, farthest
    if known is not None and min(kept, dropped) < known < max(kept, dropped):
        kept, dropped = (known, dropped) if height(known) > 0 else (kept, known)
    above, below = height(kept), height(dropped)
    if above <= 0:
        return kept
    if below > 0:  # tails of changes that are nearly equal rise again far out, by rounding
        nearer = _first_dropped(height, kept, dropped, near)
        if nearer is None:
            return dropped
        dropped, below = nearer
    return _crossing(height, (kept, dropped), (above, below), near)


def _first_dropped(
    height: Callable[[float], float], kept: float, farthest: float, near: float | None
) -> tuple[float, float] | None:
    """A shift beyond the end, at twice, four times … as far as `near`, and its height; None up to the farthest."""
    reach = 0.0 if near is None else near - kept
    while reach and abs(reach) < abs(farthest - kept) and reach * (farthest - kept) > 0:
        at = height(kept + reach)
        if at <= 0:
            return kept + reach, at
        reach *= 2
    return None


def _crossing(
    height: Callable[[float], float], ends: tuple[float, float], heights: tuple[float, float], near: float | None
) -> float:
    """By false position (Illinois), on the scale of normal quantiles, where tails are about straight."""
    (kept, dropped), (above, below) = ends, heights
    was_kept = None
    for step in range(STEPS):
        shift = kept + (dropped - kept) * above / (above - below)
        if step == 0 and near is not None and min(ends) < near < max(ends):
            shift = near
        at = height(shift)
        if abs(at) < PRECISION:
            return shift
        is_kept = at > 0
        if is_kept:
            kept, above, below = shift, at, below / 2 if was_kept else below
        else:
            dropped, below, above = shift, at, above / 2 if was_kept is False else above
        was_kept = is_kept
    return kept


def _quantile(probability: float) -> float:
    return NormalDist().inv_cdf(min(max(probability, 1e-12), 1 - 1e-12))
