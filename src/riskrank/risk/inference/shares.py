"""Limits for a share of topics."""

from __future__ import annotations

import math
from statistics import NormalDist

from riskrank.risk.inference.incomplete_beta import incomplete_beta


def wilson(count: float, total: float, confidence: float) -> tuple[float, float]:
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


def clopper_pearson_upper(count: int, total: int, level: float) -> float:
    """The share that is not exceeded with confidence 1 − `level` (Clopper and Pearson 1934).

    >>> round(clopper_pearson_upper(0, 50, 0.05), 4)
    0.0582
    """
    if count >= total:
        return 1.0
    low, high = count / total, 1.0
    for _ in range(60):  # P(at most count of total) falls with the share
        middle = (low + high) / 2
        tail = float(incomplete_beta(1 - middle, middle, total - count, count + 1))
        low, high = (middle, high) if tail > level else (low, middle)
    return high
