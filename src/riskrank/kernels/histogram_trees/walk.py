"""Scores of finished trees."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from riskrank.kernels.compiled import compiled

if TYPE_CHECKING:
    from numpy.typing import NDArray

_BLOCK = np.uint64(64)  # documents that go through a tree while it is in the cache
_TOGETHER = np.uint64(8)  # of them walk side by side: while one waits for memory, the others go on


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


class Nodes(NamedTuple):
    """The same trees for walks that need not ask whether they are over: each tree is its splits, then its leaves.

    Children are numbered within their tree; a leaf's are the leaf itself.
    """

    begin: NDArray[np.int64]  # of each tree, with an end at the end
    feature: NDArray[np.uint32]
    threshold: NDArray[np.float32]
    missing_right: NDArray[np.uint8]
    children: NDArray[np.uint32]  # left and right of each node
    values: NDArray[np.float64]


@compiled
def add_trees(features, span, nodes, n_trees, scores):
    """Add the values of the first trees to the scores of some rows, tree after tree: as training and LightGBM do."""
    at = np.empty(_TOGETHER, np.uint32)
    end = np.uint64(span[1])
    for block in range(np.uint64(span[0]), end, _BLOCK):
        block_end = min(block + _BLOCK, end)
        for t in range(n_trees):
            root = np.uint64(nodes.begin[t])
            n_splits = np.uint32((np.uint64(nodes.begin[t + 1]) - root) // np.uint64(2))  # one less than leaves
            i = block
            while i + _TOGETHER <= block_end:
                at[:] = 0
                least = np.uint32(0)
                while least < n_splits:
                    least = n_splits
                    for k in range(_TOGETHER):
                        at[k] = _next(features, i + k, root, at[k], nodes)
                        least = min(least, at[k])
                for k in range(_TOGETHER):
                    scores[i + k] += nodes.values[root + np.uint64(at[k])]
                i += _TOGETHER
            for row in range(i, block_end):
                node = np.uint32(0)
                while node < n_splits:
                    node = _next(features, row, root, node, nodes)
                scores[row] += nodes.values[root + np.uint64(node)]


@compiled(inline="always")
def _next(features, row, root, node, nodes):
    """Where a row goes from a node; indices are unsigned, since negative ones would need a branch."""
    n = root + np.uint64(node)
    value = features[row, np.uint64(nodes.feature[n])]
    goes_right = (value > nodes.threshold[n]) | (np.isnan(value) & (nodes.missing_right[n] != 0))
    return nodes.children[np.uint64(2) * n + np.uint64(goes_right)]
