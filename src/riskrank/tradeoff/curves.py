"""Curves of what each unit of risk, or of re-ranking, buys (Wang et al. 2012, §5.6–5.7; Bennett et al. 2015, §5)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from riskrank.errors import AlignmentError
from riskrank.renamed import renamed

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from riskrank.typing import Floats


def hull(cost: ArrayLike, gain: ArrayLike) -> NDArray[np.int64]:
    """The points that no mixture of others beats, by cost; mixtures with the baseline (0, 0) count too.

    >>> hull([1, 2, 3], [2, 1, 3]).tolist()
    [0, 2]
    """
    x, y = _points(cost, gain)

    def place(i: int) -> tuple[float, float]:
        return (0.0, 0.0) if i < 0 else (float(x[i]), float(y[i]))

    chain = [-1]  # the baseline
    for i in sorted(range(len(x)), key=lambda i: (x[i], -y[i])):
        if y[i] <= place(chain[-1])[1]:
            continue  # costs more and gains no more
        while len(chain) > 1 and _is_below(place(chain[-2]), place(chain[-1]), place(i)):
            chain.pop()
        chain.append(i)
    return np.array(chain[1:], dtype=np.int64)


def _is_below(a: tuple[float, float], b: tuple[float, float], c: tuple[float, float]) -> bool:
    """Does b lie on or below the line from a to c?"""
    return (b[1] - a[1]) * (c[0] - a[0]) <= (c[1] - a[1]) * (b[0] - a[0])


@renamed(full_cost="reference_cost", full_gain="reference_gain")
def area(cost: ArrayLike, gain: ArrayLike, *, reference_cost: float, reference_gain: float) -> float:
    """The area under the hull of some points, the baseline and the reference model, as a share of its cost × its gain.

    Tossing a coin between the baseline and the reference model has 0.5; more is better.

    >>> area([0.5], [1.0], reference_cost=1.0, reference_gain=1.0)
    0.75
    """
    if not (reference_cost > 0 and reference_gain > 0):
        return float("nan")
    x, y = _points(cost, gain)
    x, y = np.append(x, reference_cost), np.append(y, reference_gain)
    best = hull(x, y)
    at = np.concatenate([[0.0], x[best]])
    height = np.concatenate([[0.0], y[best]])
    inside = np.append(at[at < reference_cost], reference_cost)
    return float(np.trapezoid(np.interp(inside, at, height), inside) / (reference_cost * reference_gain))


def alpha_of_interest(gain: float, risk: float) -> float:
    """The alpha at which a model is worth nothing: Gain / Risk (Wang et al. 2012, §5.7).

    Larger ones are reached as well by using the model less often; infinite for a model that hurts nobody, 0 for one
    that gains nothing.

    >>> round(alpha_of_interest(0.16, 0.02), 6)
    8.0
    """
    if gain <= 0:
        return 0.0
    return gain / risk if risk > 0 else float("inf")


def near_optimal_hull(alphas: ArrayLike, risk: ArrayLike, gain: ArrayLike, limit: float) -> tuple[Floats, Floats]:
    """Risk and gain along the models with alpha up to `limit`, and from the last of them by coin down to (0, 0).

    >>> near_optimal_hull([0, 5, 50], [3, 2, 1.5], [4, 3, 1], limit=10)
    (array([3., 2., 0.]), array([4., 3., 0.]))
    """
    weight = np.asarray(alphas, dtype=np.float64)
    x, y = _points(risk, gain)
    if weight.shape != x.shape:
        raise AlignmentError(f"each of the {len(x)} points needs an alpha.")
    order = np.argsort(weight, kind="stable")
    used = order[weight[order] <= limit]
    if not len(used):
        used = order[:1]
    return np.append(x[used], 0.0), np.append(y[used], 0.0)


def steps_to(share: float, curve: ArrayLike, *, baseline: float = 0.0) -> int | None:
    """The first step (from 1) that has gone a share of the way from the baseline's level to the last value.

    None for a curve that does not end above the baseline (Wang et al. 2012, §5.8: 95 % of the final ΔMRR).

    >>> steps_to(0.95, [0.2, 0.4, 0.48, 0.5]), steps_to(0.95, [0.2, 0.4, 0.48, 0.5], baseline=0.3)
    (3, 4)
    """
    values = np.asarray(curve, dtype=np.float64)
    if not len(values) or not values[-1] > baseline:
        return None
    # The whole way is the last value itself, whatever rounding makes of the sum.
    level = values[-1] if share == 1 else min(values[-1], baseline + share * (values[-1] - baseline))
    return steps_to_level(level, values)


def steps_to_level(level: float, curve: ArrayLike) -> int | None:
    """The first step (from 1) that has reached a level; None if none has.

    >>> steps_to_level(0.42, [0.3, 0.4, 0.43, 0.41]), steps_to_level(0.42, [0.3, 0.4])
    (3, None)
    """
    reached = np.asarray(curve, dtype=np.float64) >= level
    return int(reached.argmax()) + 1 if reached.any() else None


N_BINS = 10


def distance_bins(distance: ArrayLike) -> NDArray[np.int64]:
    """The bin, 0 to 9, of each Kendall distance from 0 (same order) to 1 (reversed); −1 where it is not known.

    >>> distance_bins([0.0, 0.05, 0.1, 0.95, 1.0]).tolist()
    [0, 0, 1, 9, 9]
    """
    values = np.asarray(distance, dtype=np.float64)
    # Rounded so that a distance of exactly 0.3 falls into its bin whatever the last bit says.
    bins = np.minimum(np.floor(np.round(np.nan_to_num(values) * N_BINS, 9)), N_BINS - 1).astype(np.int64)
    return np.where(np.isnan(values), -1, bins)


def _points(cost: ArrayLike, gain: ArrayLike) -> tuple[Floats, Floats]:
    x, y = np.atleast_1d(np.asarray(cost, np.float64)), np.atleast_1d(np.asarray(gain, np.float64))
    if x.shape != y.shape or x.ndim != 1:
        raise AlignmentError("cost and gain must be one number per point.")
    if (x < 0).any() or not np.isfinite([x, y]).all():
        raise AlignmentError("costs must be finite numbers from 0 up, gains finite numbers.")
    return x, y
