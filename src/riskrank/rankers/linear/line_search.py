"""Line search: the weight of one feature that ranks the training queries best, all other weights being fixed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable

    from riskrank.typing import Floats

STEPS = 2.0 ** np.arange(-6, 4)  # of the spread that the other features' scores have
REFINEMENTS = 3  # each halves the distance between neighbours


def best_weight(
    rest: Floats, column: Floats, value_of: Callable[[Floats], float], *, now: tuple[float, float]
) -> tuple[float, float]:
    """The weight w for which rest + w · column is worth most, and what it is worth.

    `now`: the present weight and its worth; it stays unless another is better, so that the worth never falls. Weights
    of both signs are tried on a scale of powers of 2, then between the best one and its neighbours.
    """
    spread = float(rest.std())
    if spread == 0:  # only the sign matters
        tried = {weight: value_of(weight * column) for weight in (1.0, -1.0)}
        return max([now, *tried.items()], key=lambda pair: pair[1])
    tried = dict([now])
    grid = spread * np.concatenate([-STEPS[::-1], [0.0], STEPS])
    for weight in grid.tolist():
        if weight not in tried:
            tried[weight] = value_of(rest + weight * column)
    for _ in range(REFINEMENTS):
        best = max(tried, key=lambda weight: tried[weight])
        known = sorted(tried)
        at = known.index(best)
        for neighbour in known[max(0, at - 1) : at] + known[at + 1 : at + 2]:
            between = 0.5 * (best + neighbour)
            if between not in tried:
                tried[between] = value_of(rest + between * column)
    best, worth = max(tried.items(), key=lambda pair: pair[1])
    return (best, worth) if worth > now[1] else now
