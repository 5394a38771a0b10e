"""The best split of a leaf, from its histograms."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from riskrank.kernels.compiled import compiled
from riskrank.kernels.histogram_trees.bin import CODES, MISSING
from riskrank.kernels.histogram_trees.count import PLACES

_LEAST_GAIN = 1e-10  # of what a leaf is worth as it is: less is rounding


class Rules(NamedTuple):
    """What a split must leave on both sides, in units of the packed sums, and how leaves are shrunk."""

    least_number: int
    least_hessian: float
    l2: float
    number_bits: int
    hessian_bits: int


@compiled(error_model="numpy", fastmath={"nnan", "nsz"})
def best_split(histogram, n_bins, rules):
    """Gain, column, code and whether missing values go left; the gain is 0 where no split is worth it.

    Values up to the code go left. A split is worth G²/(H + l2), summed over both sides, less the same of the leaf; the
    first of equals wins. Where the leaf misses no value, missing ones go with the larger side.
    """
    sums, worth = np.empty(CODES, np.int64), np.empty(CODES)
    total = np.int64(0)
    for code in range(CODES):
        total += histogram[code]
    n, h, g = _parts(total, rules)
    least = g * g / (h + rules.l2) * (1 + _LEAST_GAIN)
    best, column, cut, is_left = least, -1, 0, False
    for c in range(len(n_bins)):
        base = c * PLACES
        missing = histogram[base + MISSING]
        n_cuts = n_bins[c] - (missing == 0)  # where some are missing, these alone may go right
        for side in range(2 if missing != 0 else 1):
            running = missing if side else np.int64(0)
            for code in range(n_cuts):
                running += histogram[base + code]
                sums[code] = running
            _judge(sums[:n_cuts], total, rules, worth)
            top = best
            for code in range(n_cuts):
                top = max(top, worth[code])
            if top > best:
                best, column, cut, is_left = top, c, 0, side == 1
                while worth[cut] != top:
                    cut += 1
                if missing == 0:
                    is_left = False
    if column >= 0 and histogram[column * PLACES + MISSING] == 0:
        left = np.int64(0)
        for code in range(cut + 1):
            left += histogram[column * PLACES + code]
        is_left = 2 * _parts(left, rules)[0] >= n
    return (best - g * g / (h + rules.l2) if column >= 0 else 0.0), column, cut, is_left


@compiled(inline="always")
def _parts(packed, rules):
    """Number, hessian and gradient of a sum."""
    number = np.int32(packed & ((np.int64(1) << rules.number_bits) - 1))
    hessian = np.int32((packed >> rules.number_bits) & ((np.int64(1) << rules.hessian_bits) - 1))
    gradient = np.int32(packed >> (rules.number_bits + rules.hessian_bits))
    return number, np.float64(hessian), np.float64(gradient)


@compiled(error_model="numpy", fastmath={"nnan", "nsz"}, no_cpython_wrapper=True)
def _judge(sums, total, rules, worth):
    """What each split is worth whose left side adds up to `sums`; -1 where a side is too small."""
    n, h, g = _parts(total, rules)
    for code in range(len(sums)):
        n_left, h_left, g_left = _parts(sums[code], rules)
        h_right, g_right = h - h_left, g - g_left
        is_allowed = (n_left >= rules.least_number) & (n - n_left >= rules.least_number)
        is_allowed &= (h_left >= rules.least_hessian) & (h_right >= rules.least_hessian)
        a, b = h_left + rules.l2, h_right + rules.l2
        value = (g_left * g_left * b + g_right * g_right * a) / (a * b)  # one division instead of two
        worth[code] = value if is_allowed else -1.0
