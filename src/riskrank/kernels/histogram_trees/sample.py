"""Which documents a tree sees: minimal variance sampling (Ibragimov and Gusev 2019), and what they weigh.

A document is kept with probability p = min(1, |gradient| / limit), and counts 1/p, so that every sum has the right
expectation. Departures: p is never below a floor, so that no weight is huge, and their lambda is 0.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from riskrank.kernels.compiled import compiled
from riskrank.kernels.histogram_trees.mixing import mixed
from riskrank.kernels.histogram_trees.prefetch import LINE, fetch_soon

CELLS = 1 << 15  # of sizes of gradients: their exponent and 7 bits after it
_CELL_BITS = 16  # that are left out
_SIGN = np.int32(0x7FFFFFFF)
_UNIT = 2.0**-53
_THIRD = 2.0**-21
_AHEAD = 16  # rows
_BLOCK = np.uint64(256)  # documents; indices are unsigned, since negative ones would need a branch


class Odds(NamedTuple):
    """How likely documents are kept: all of them where `limit` is 0."""

    limit: float
    floor: float
    key: np.uint64  # of the tree's random numbers


class Packing(NamedTuple):
    """How gradient, hessian and number are packed into 64 bits, from the highest to the lowest, and their units."""

    number_bits: int
    hessian_bits: int
    gradient_unit: float
    hessian_unit: float


@compiled
def count_sizes(gradient_bits, begin, end, cells):
    """How many gradients there are of each size; `gradient_bits` are single numbers seen as integers."""
    for i in range(begin, end):
        cells[(gradient_bits[i] & _SIGN) >> _CELL_BITS] += 1


@compiled
def limit_for(cells, sizes, wanted, floor):
    """The smallest size of `sizes`, one for each cell, from which on all are kept, if `wanted` are to be kept."""
    used = np.flatnonzero(cells)
    low, high = 0, len(used) - 1
    while low < high:
        middle = (low + high) // 2
        limit, kept = sizes[used[middle]], 0.0
        for c in used:
            kept += cells[c] * min(1.0, max(floor, sizes[c] / limit if limit > 0 else 1.0))
        if kept > wanted:
            low = middle + 1
        else:
            high = middle
    return sizes[used[low]]


@compiled
def keep(gradient, hessian, span, odds, kept, weights, sums):
    """The documents of a span that are kept, put at its begin, and their weights; how many there are.

    `sums` gets those of |gradient|, hessian and number, weighted. Documents are drawn many at a time and without a
    branch, so that it becomes vector code.
    """
    begin, end = np.uint64(span[0]), np.uint64(span[1])
    chance, is_kept = np.empty(_BLOCK), np.empty(_BLOCK, np.uint8)
    n_kept = begin
    for first in range(begin, end, _BLOCK):
        n = min(_BLOCK, end - first)
        for k in range(n):
            p = min(1.0, max(odds.floor, np.float64(abs(gradient[first + k])) / odds.limit)) if odds.limit > 0 else 1.0
            chance[k] = p
            is_kept[k] = np.float64(np.int64(mixed(odds.key, first + k) >> np.uint64(11))) * _UNIT < p
        for k in range(n):
            kept[n_kept], weights[n_kept] = first + k, 1.0 / chance[k]
            n_kept += np.uint64(is_kept[k])
    slopes, curvature, number = 0.0, 0.0, 0.0
    for k in range(begin, n_kept):
        i, w = np.uint64(kept[k]), np.float64(weights[k])
        slopes += w * abs(gradient[i])
        curvature += w * hessian[i]
        number += w
    sums[0], sums[1], sums[2] = slopes, curvature, number
    return n_kept - begin


@compiled
def pack(gradient, hessian, kept, weights, key, packing, packed):
    """Each document that is kept as one integer; whether it is rounded up or down is drawn, so that sums stay right."""
    hessian_shift = np.int64(packing.number_bits)
    gradient_shift = hessian_shift + np.int64(packing.hessian_bits)
    for k in range(len(kept)):
        i = kept[k]
        bits, w = mixed(key, ~i), np.float64(weights[k])
        third = np.float64(bits & np.uint64(0x1FFFFF)) * _THIRD
        second = np.float64((bits >> np.uint64(21)) & np.uint64(0x1FFFFF)) * _THIRD
        first = np.float64((bits >> np.uint64(42)) & np.uint64(0x1FFFFF)) * _THIRD
        g = np.int64(math.floor(w * gradient[i] / packing.gradient_unit + first))
        h = np.int64(math.floor(w * hessian[i] / packing.hessian_unit + second))
        packed[k] = (g << gradient_shift) + (h << hessian_shift) + np.int64(math.floor(w + third))


@compiled
def gather(codes, kept, columns, out):
    """The codes of the documents that are kept, side by side: counting then reads memory in order."""
    width = codes.shape[1]
    for k in range(len(kept)):
        if k + _AHEAD < len(kept):
            for byte in range(0, width, LINE):
                fetch_soon(codes, kept[k + _AHEAD] * width + byte)
        row, to = codes[kept[k]], out[k]
        if len(columns) == width:
            for c in range(width):
                to[c] = row[c]
        else:
            for c in range(len(columns)):
                to[c] = row[columns[c]]
