"""All documents find their leaves in a new tree, whose values come from all of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from riskrank.kernels.compiled import compiled

if TYPE_CHECKING:
    from numpy.typing import NDArray

_BLOCK = 1024  # documents that are parted together: their codes stay in the cache


class CodedTree(NamedTuple):
    """A tree by codes: its splits in the order of growing, each with its feature and the children (leaves are ~leaf).

    A document goes left where its code, shifted by one if missing values go left, is at most `cut`.
    """

    feature: NDArray[np.int32]
    cut: NDArray[np.uint8]
    shift: NDArray[np.uint8]
    left: NDArray[np.int32]
    right: NDArray[np.int32]


@compiled
def find_leaves(codes, span, tree, leaf_of):
    """The leaf of each document of a span. Blocks of documents are parted split by split: no walk waits for memory."""
    n_splits = len(tree.feature)
    first, last = np.empty(n_splits, np.int64), np.empty(n_splits, np.int64)
    places, spare = np.empty(_BLOCK, np.int32), np.empty(_BLOCK, np.int32)
    for block in range(span[0], span[1], _BLOCK):
        n = min(_BLOCK, span[1] - block)
        for i in range(n):
            places[i] = block + i
        first[0], last[0] = 0, n
        for s in range(n_splits):
            feature, cut, shift = tree.feature[s], tree.cut[s], tree.shift[s]
            begin, end = first[s], last[s]
            left, right = begin, 0
            for k in range(begin, end):
                place = places[k]
                goes_left = np.uint8(codes[place, feature] + shift) <= cut
                places[left] = place
                spare[right] = place
                left += goes_left
                right += not goes_left
            for k in range(right):
                places[left + k] = spare[k]
            _hand_on(tree.left[s], begin, left, first, last, places, leaf_of)
            _hand_on(tree.right[s], left, end, first, last, places, leaf_of)


@compiled(inline="always")
def _hand_on(child, begin, end, first, last, places, leaf_of):
    if child >= 0:
        first[child], last[child] = begin, end
    else:
        for k in range(begin, end):
            leaf_of[places[k]] = ~child


@compiled
def sum_by_leaf(gradient, hessian, span, leaf_of, sums):
    """Gradient, hessian and number of the documents in each leaf."""
    for i in range(span[0], span[1]):
        leaf = leaf_of[i]
        sums[leaf, 0] += gradient[i]
        sums[leaf, 1] += hessian[i]
        sums[leaf, 2] += 1.0


@compiled
def add_values(values, span, leaf_of, scores):
    """What a tree adds to scores."""
    for i in range(span[0], span[1]):
        scores[i] += values[leaf_of[i]]
