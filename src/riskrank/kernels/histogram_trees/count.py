"""Histograms of a leaf: what its documents add up to, for each feature and code."""

from __future__ import annotations

import numpy as np

from riskrank.kernels.compiled import compiled
from riskrank.kernels.histogram_trees.bin import CODES
from riskrank.kernels.histogram_trees.prefetch import LINE, fetch_soon

# Places from one feature's histogram to the next. Eight are spare: were they a power of two apart, the codes that are
# frequent in all features would share a few lines of the first cache, and counting would take 2.5 times as long.
PLACES = CODES + 8
_PLACES = np.uint64(PLACES)
_AHEAD = 6  # rows


@compiled
def count_rows(codes, rows, packed, histogram):
    """Add documents to histograms, which lie one after the other: one addition counts gradient, hessian and number."""
    width = codes.shape[1]
    for k in range(len(rows)):
        if k + _AHEAD < len(rows):
            for byte in range(0, width, LINE):
                fetch_soon(codes, rows[k + _AHEAD] * width + byte)
        row, what = codes[rows[k]], packed[k]
        for c in range(np.uint64(width)):
            histogram[np.uint64(c * _PLACES + np.uint64(row[c]))] += what


@compiled
def take_away(whole, part):
    """What is left of histograms without a part of their documents."""
    for i in range(len(whole)):
        whole[i] -= part[i]


@compiled
def add_to(whole, part):
    """Histograms with further documents."""
    for i in range(len(whole)):
        whole[i] += part[i]
