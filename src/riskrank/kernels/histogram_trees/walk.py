"""Scores of finished trees."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from riskrank.kernels.compiled import compiled

if TYPE_CHECKING:
    from numpy.typing import NDArray

_BLOCK = 64  # documents that go through a tree while it is in the cache
_TOGETHER = 8  # of them walk side by side: while one waits for memory, the others go on


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
    at = np.empty(_TOGETHER, np.int64)
    for block in range(span[0], span[1], _BLOCK):
        for t in range(n_trees):
            root, leaves = walks.splits[t], walks.leaves[t]
            has_splits = walks.splits[t + 1] > root
            for begin in range(block, min(block + _BLOCK, span[1]), _TOGETHER):
                n = min(_TOGETHER, span[1] - begin)
                at[:n] = 0 if has_splits else -1
                is_walking = has_splits
                while is_walking:
                    is_walking = False
                    for k in range(n):
                        if at[k] >= 0:
                            s = root + at[k]
                            value = features[begin + k, walks.feature[s]]
                            goes_left = value <= walks.threshold[s]
                            if np.isnan(value):
                                goes_left = walks.missing_left[s] != 0
                            at[k] = walks.children[2 * s + (not goes_left)]
                            is_walking |= at[k] >= 0
                for k in range(n):
                    scores[begin + k] += walks.values[leaves + ~at[k]]
