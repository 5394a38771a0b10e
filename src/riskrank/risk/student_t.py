"""Student's t distribution: p-values and critical values.

SciPy has these, but importing scipy.special takes longer than a whole evaluation does; a gate in
somebody's CI starts cold every time. The tests compare with SciPy.
"""

from __future__ import annotations

import math
from functools import lru_cache
from statistics import NormalDist
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    Floats = NDArray[np.float64]


def two_sided_p(t: ArrayLike, degrees_of_freedom: float) -> Floats:
    """P(|T| ≥ |t|), which is the regularised incomplete beta function I_x(ν/2, 1/2) at x = ν/(ν + t²).

    >>> float(two_sided_p(2.0, 10).round(6))
    0.073388
    """
    values = np.asarray(t, dtype=np.float64)
    p = np.full(values.shape, np.nan)
    known = ~np.isnan(values)
    square = np.square(values[known])
    result = np.zeros(square.shape)
    a, b = degrees_of_freedom / 2, 0.5
    finite = np.isfinite(square)
    x = degrees_of_freedom / (degrees_of_freedom + square[finite])
    rest = square[finite] / (degrees_of_freedom + square[finite])
    tail = x < (a + 1) / (a + b + 2)
    part = np.empty(x.shape)
    part[tail] = _beta_fraction(x[tail], rest[tail], a, b)
    part[~tail] = 1 - _beta_fraction(rest[~tail], x[~tail], b, a)
    result[finite] = part
    p[known] = result
    return p


@lru_cache(maxsize=256)
def critical_value(level: float, degrees_of_freedom: float) -> float:
    """The t beyond which a two-sided test at this level rejects.

    >>> round(critical_value(0.05, 49), 4)
    2.0096
    """
    # Newton's method on the logarithm of p, which is concave in t; the normal quantile is a start from below.
    t = max(-NormalDist().inv_cdf(level / 2), 1e-8)
    nu = degrees_of_freedom
    log_scale = math.lgamma((nu + 1) / 2) - math.lgamma(nu / 2) - 0.5 * math.log(nu * math.pi)
    for _ in range(200):
        p = float(two_sided_p(t, nu))
        density = math.exp(log_scale - (nu + 1) / 2 * math.log1p(t * t / nu))
        step = (math.log(p) - math.log(level)) * p / (2 * density)
        t += step
        if abs(step) <= 1e-12 * t:
            break
    return t


def _beta_fraction(x: Floats, rest: Floats, a: float, b: float) -> Floats:
    """I_x(a, b) by its continued fraction (Lentz's method), for x on the quickly converging side."""
    if not len(x):
        return x
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


def _away_from_zero(values: Floats, tiny: float) -> Floats:
    return np.where(np.abs(values) < tiny, tiny, values)
