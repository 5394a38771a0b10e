"""Intervals for a share of topics."""

from __future__ import annotations

import math
from statistics import NormalDist


def wilson(count: int, total: int, confidence: float) -> tuple[float, float]:
    """Wilson's interval for the share that `count` of `total` stands for (Wilson 1927); NaN for none of none.

    >>> low, high = wilson(5, 50, 0.95)
    >>> round(low, 4), round(high, 4)
    (0.0435, 0.2136)
    """
    if not total:
        return math.nan, math.nan
    z = NormalDist().inv_cdf((1 + confidence) / 2)
    center = count + z * z / 2
    spread = z * math.sqrt(count * (total - count) / total + z * z / 4)
    low, high = (center - spread) / (total + z * z), (center + spread) / (total + z * z)
    return (0.0 if count == 0 else low), (1.0 if count == total else high)
