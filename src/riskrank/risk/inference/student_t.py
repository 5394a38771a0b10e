"""Student's t distribution: p-values and critical values.

Like the incomplete beta function, they are here because importing SciPy's takes too long.
"""

from __future__ import annotations

import math
from functools import lru_cache
from statistics import NormalDist
from typing import TYPE_CHECKING

import numpy as np

from riskrank.risk.inference.incomplete_beta import incomplete_beta
from riskrank.weights import effective_number, weighted_error, weighted_mean

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from riskrank.typing import Floats

LARGEST_LOGARITHM = 700.0  # of what a float can hold


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
    finite = np.isfinite(square)
    whole = degrees_of_freedom + square[finite]
    result[finite] = incomplete_beta(degrees_of_freedom / whole, square[finite] / whole, degrees_of_freedom / 2, 0.5)
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


def mean_interval(values: Floats, confidence: float, weights: Floats | None = None) -> tuple[float, float]:
    """The mean, and as many standard errors on both sides as the confidence asks for; NaN for fewer than two values.

    With `weights` there are the degrees of freedom of as many values of equal weight.

    >>> low, high = mean_interval(np.array([0.1, 0.2, 0.6]), 0.95)
    >>> round(low, 3), round(high, 3)
    (-0.357, 0.957)
    """
    if len(values) < 2:
        return math.nan, math.nan
    n_effective = len(values) if weights is None else effective_number(weights)
    center, error = float(weighted_mean(values, weights)), float(weighted_error(values, weights))
    if n_effective < 2:
        return math.nan, math.nan
    reach = critical_value(1 - confidence, n_effective - 1) * error
    return center - reach, center + reach


def exponentials(low: float, high: float) -> tuple[float, float]:
    """Limits of a number from those of its logarithm; NaN where they are too wide to tell anything.

    >>> exponentials(0.0, 1000.0)
    (nan, nan)
    """
    return (math.exp(low), math.exp(high)) if high < LARGEST_LOGARITHM else (math.nan, math.nan)
