"""Numbers that look drawn at random and are always the same: for splits, samples, synthetic worlds and shuffles."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from riskrank.typing import Floats, Integers


def hashed(one: Integers, other: Integers | int, *, salt: int) -> Floats:
    """A number in [0, 1) for each pair of numbers, always the same.

    >>> hashed(np.array([1, 1]), np.array([2, 2]), salt=3).tolist() == [hashed(np.array([1]), 2, salt=3)[0]] * 2
    True
    """
    x = np.asarray(one).astype(np.uint64) * np.uint64(0x9E3779B97F4A7C15)
    x = x ^ (np.atleast_1d(other).astype(np.uint64) + np.uint64(salt)) * np.uint64(0xC2B2AE3D27D4EB4F)
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
        x = (x ^ (x >> np.uint64(shift))) * np.uint64(factor)
    x = x ^ (x >> np.uint64(31))
    return (x >> np.uint64(11)).astype(np.float64) / 2.0**53
