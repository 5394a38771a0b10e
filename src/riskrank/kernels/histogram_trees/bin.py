"""Values as codes of one byte: the number of the bin that they are in."""

from __future__ import annotations

import numpy as np

from riskrank.kernels.compiled import compiled

CODES = 256
MISSING = 255  # the code of what is not known
MOST_BINS = 255  # of values that are known
_BLOCK = 256
_ZERO = np.float32(1e-35)  # LightGBM takes what is nearer to 0 for 0: no bound may lie there, or models would differ


@compiled
def find_bounds(column, n_bins, bounds):
    """The largest value of each bin but the last, filled up with infinity; and how many bins there are.

    `column` is sorted and finite, what is nearly 0 counts as 0. As LightGBM: values that are frequent enough have bins
    of their own, the others share the rest evenly. A bound lies halfway between two values, and compares the same in
    single and double precision.
    """
    bounds[:] = np.inf
    values, counts = np.empty(len(column), np.float32), np.zeros(len(column), np.int64)
    n_values = 0
    for i in range(len(column)):
        value = column[i] if abs(column[i]) > _ZERO else np.float32(0)
        if n_values == 0 or value != values[n_values - 1]:
            values[n_values] = value
            n_values += 1
        counts[n_values - 1] += 1
    if n_values <= n_bins:
        for k in range(n_values - 1):
            bounds[k] = _between(values[k], values[k + 1])
        return n_values
    return _share_bins(values[:n_values], counts[:n_values], n_bins, bounds)


@compiled
def _share_bins(values, counts, n_bins, bounds):
    rest, rest_bins = counts.sum(), n_bins
    mean = rest / n_bins
    is_frequent = counts >= mean
    for k in range(len(values)):
        if is_frequent[k]:
            rest -= counts[k]
            rest_bins -= 1
    mean = rest / max(rest_bins, 1)
    held, n = 0, 0
    for k in range(len(values) - 1):
        if n == n_bins - 1:
            break
        held += counts[k]
        if not is_frequent[k]:
            rest -= counts[k]
        if is_frequent[k] or held >= mean or (is_frequent[k + 1] and held >= max(1.0, 0.5 * mean)):
            bounds[n] = _between(values[k], values[k + 1])
            n += 1
            held = 0
            if not is_frequent[k]:
                rest_bins -= 1
                mean = rest / max(rest_bins, 1)
    return n + 1


@compiled
def _between(low, high):
    middle = np.float32(np.float64(low) + (np.float64(high) - np.float64(low)) / 2)
    if abs(middle) <= _ZERO:
        return low if low < 0 else _ZERO
    return middle if middle < high else low


@compiled
def encode(features, begin, end, bounds, codes):
    """The codes of rows from `begin` to `end`: how many bounds are below a value.

    A step of the binary search is made for many values at once, without a branch, so that it becomes vector code.
    """
    value, place = np.empty(_BLOCK, np.float32), np.empty(_BLOCK, np.int32)
    for first in range(begin, end, _BLOCK):
        n = min(_BLOCK, end - first)
        for f in range(features.shape[1]):
            bound = bounds[f]
            for i in range(n):
                value[i] = features[first + i, f]
            place[:] = 0
            step = np.int32(CODES // 2)
            while step > 0:
                for i in range(_BLOCK):
                    tried = place[i] + step
                    place[i] = tried if bound[np.uint32(tried - 1)] < value[i] else place[i]
                step >>= 1
            for i in range(n):
                codes[first + i, f] = MISSING if np.isnan(value[i]) else place[i]
