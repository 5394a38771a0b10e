"""Scores of finished trees."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from riskrank.kernels.compiled import compiled

if TYPE_CHECKING:
    from numpy.typing import NDArray

_BLOCK = 64  # documents that walk through a tree one after the other, while it is in the cache


class Walks(NamedTuple):
    """Trees one after the other: splits from `splits` on, and leaves from `leaves` on (both with an end at the end).

    Children are numbered within their tree, leaves are ~leaf. Thresholds are single numbers, rounded down: values are
    single, too, so that they compare as with the double.
    """

    splits: NDArray[np.int64]
    leaves: NDArray[np.int64]
    feature: NDArray[np.int32]
    threshold: NDArray[np.float32]
    missing_left: NDArray[np.uint8]
    children: NDArray[np.int32]  # left and right of each split
    values: NDArray[np.float64]


@compiled
def add_trees(features, span, walks, n_trees, scores):
    """Add the values of the first trees to the scores of some rows, tree after tree: as training and LightGBM do."""
    for block in range(span[0], span[1], _BLOCK):
        end = min(block + _BLOCK, span[1])
        for t in range(n_trees):
            root, leaves = walks.splits[t], walks.leaves[t]
            has_splits = walks.splits[t + 1] > root
            for i in range(block, end):
                at = np.int64(0) if has_splits else np.int64(-1)
                while at >= 0:
                    s = root + at
                    value = features[i, walks.feature[s]]
                    goes_left = value <= walks.threshold[s] or (np.isnan(value) and walks.missing_left[s] != 0)
                    at = np.int64(walks.children[2 * s + (0 if goes_left else 1)])
                scores[i] += walks.values[leaves + ~at]
