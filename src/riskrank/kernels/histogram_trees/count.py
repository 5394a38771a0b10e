"""Histograms of a leaf: what its documents add up to, for each feature and code."""

from __future__ import annotations

import numpy as np

from riskrank.kernels.compiled import compiled
from riskrank.kernels.histogram_trees.bin import CODES

_CODES = np.uint64(CODES)


@compiled
def count_rows(codes, rows, packed, histogram):
    """Add documents to histograms, which lie one after the other: one addition counts gradient, hessian and number."""
    n_columns = np.uint64(codes.shape[1])
    for k in range(len(rows)):
        row, what = codes[rows[k]], packed[k]
        for c in range(n_columns):
            histogram[np.uint64(c * _CODES + np.uint64(row[c]))] += what


@compiled
def take_away(whole, part):
    """What is left of histograms without a part of their documents."""
    for i in range(len(whole)):
        whole[i] -= part[i]
