"""The chi-square distribution, without loading SciPy."""

from __future__ import annotations

import math


def chi_square_p(statistic: float, degrees_of_freedom: float) -> float:
    """P(X ≥ statistic): the regularised incomplete gamma function Q(ν/2, x/2), by series or continued fraction.

    >>> round(chi_square_p(3.84, 1), 4)
    0.05
    """
    a, x = degrees_of_freedom / 2, statistic / 2
    if x <= 0:
        return 1.0
    front = math.exp(a * math.log(x) - x - math.lgamma(a))
    if x < a + 1:
        term = total = 1 / a
        n = a
        while term > total * 1e-16:
            n += 1
            term *= x / n
            total += term
        return 1 - front * total
    b = x + 1 - a
    c, d = 1e300, 1 / b
    fraction = d
    for i in range(1, 100_000):
        b += 2
        step = -i * (i - a)
        d = 1 / (step * d + b)
        c = b + step / c
        fraction *= c * d
        if abs(c * d - 1) < 1e-15:
            break
    return front * fraction
