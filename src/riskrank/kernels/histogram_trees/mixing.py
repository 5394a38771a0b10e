"""Random numbers without a state: each is a hash of a seed and of what it is drawn for."""

from __future__ import annotations

import numpy as np

from riskrank.kernels.compiled import compiled

_STEP = np.uint64(0x9E3779B97F4A7C15)
_FIRST, _SECOND = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)


@compiled(inline="always")
def mixed(key, number):
    """64 random bits for a number under a key: SplitMix64 (Steele et al. 2014), whose states are the numbers."""
    x = np.uint64(key) + np.uint64(number) * _STEP
    x = (x ^ (x >> np.uint64(30))) * _FIRST
    x = (x ^ (x >> np.uint64(27))) * _SECOND
    return x ^ (x >> np.uint64(31))
