"""The regularised incomplete beta function, behind Student's t and the binomial distribution.

SciPy has it, but importing scipy.special takes longer than a whole evaluation does; a gate in somebody's CI starts
cold every time. The tests compare with SciPy.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from riskrank.typing import Floats


def incomplete_beta(x: ArrayLike, rest: ArrayLike, a: float, b: float) -> Floats:
    """I_x(a, b), with `rest` = 1 − x, which the caller may know more exactly.

    >>> float(incomplete_beta(0.25, 0.75, 2, 3).round(6))
    0.261719
    """
    value, other = np.asarray(x, dtype=np.float64), np.asarray(rest, dtype=np.float64)
    tail = value < (a + 1) / (a + b + 2)
    probability = np.empty(value.shape)
    probability[tail] = _fraction(value[tail], other[tail], a, b)
    probability[~tail] = 1 - _fraction(other[~tail], value[~tail], b, a)
    return probability


def _fraction(x: Floats, rest: Floats, a: float, b: float) -> Floats:
    """I_x(a, b) by its continued fraction (Lentz's method), for x on the quickly converging side."""
    if not len(x):
        return x
    if len(x) == 1:
        return np.array([_fraction_of_one(float(x[0]), float(rest[0]), a, b)])
    log_beta = math.lgamma(a) + math.lgamma(b) - math.lgamma(a + b)
    with np.errstate(divide="ignore", under="ignore"):
        front = np.exp(a * np.log(x) + b * np.log(rest) - log_beta) / a
    tiny = 1e-300
    c = np.ones(x.shape)
    d = 1 / _away_from_zero(1 - (a + b) * x / (a + 1), tiny)
    value = d.copy()
    is_done = np.zeros(x.shape, bool)
    for m in range(1, 10_000):
        even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        d = 1 / _away_from_zero(1 + even * d, tiny)
        c = _away_from_zero(1 + even / c, tiny)
        value *= d * c
        odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        d = 1 / _away_from_zero(1 + odd * d, tiny)
        c = _away_from_zero(1 + odd / c, tiny)
        value *= d * c
        is_done |= np.abs(d * c - 1) < 1e-14  # each by itself: rounding keeps them from being so all at once
        if is_done.all():
            break
    return front * value


def _fraction_of_one(x: float, rest: float, a: float, b: float) -> float:
    """The same for a single number, which Python does faster."""
    if x == 0:
        return 0.0
    log_beta = math.lgamma(a) + math.lgamma(b) - math.lgamma(a + b)
    exponent = a * math.log(x) + (b * math.log(rest) if rest else -math.inf) - log_beta
    tiny = 1e-300
    c, d = 1.0, 1 / ((1 - (a + b) * x / (a + 1)) or tiny)
    value = d
    for m in range(1, 10_000):
        even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        d = 1 / ((1 + even * d) or tiny)
        c = (1 + even / c) or tiny
        value *= d * c
        odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        d = 1 / ((1 + odd * d) or tiny)
        c = (1 + odd / c) or tiny
        value *= d * c
        if abs(d * c - 1) < 1e-14:
            break
    return math.exp(exponent) / a * value


def _away_from_zero(values: Floats, tiny: float) -> Floats:
    return np.where(np.abs(values) < tiny, tiny, values)
