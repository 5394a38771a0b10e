"""All documents find their leaves in a new tree, whose values come from all of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from riskrank.kernels.compiled import compiled

if TYPE_CHECKING:
    from numpy.typing import NDArray

_TOGETHER = np.uint64(8)  # documents that walk side by side: while one waits for memory, the others go on
_SHIFT, _FEATURE = np.uint64(8), np.uint64(16)


class CodedTree(NamedTuple):
    """A tree by codes: its splits in the order of growing, then its leaves, each with two children.

    A split is one number. From the lowest bits: the code up to which documents go left (8 bits), what is added to codes
    before (8 bits: 1 where missing values go left, whose code becomes 0), the feature. A leaf's children are the leaf
    itself: who has arrived there stays, so that nobody has to ask.
    """

    splits: NDArray[np.uint64]  # 0 for leaves
    children: NDArray[np.uint32]  # left and right of each


@compiled
def find_leaves(codes, span, tree, leaf_of):
    """The leaf of each document of a span."""
    n_splits = np.uint32(len(tree.splits) // 2)  # a tree has one leaf more than splits
    begin, end = np.uint64(span[0]), np.uint64(span[1])
    at = np.empty(_TOGETHER, np.uint32)
    while begin + _TOGETHER <= end:
        at[:] = 0
        least = np.uint32(0)
        while least < n_splits:
            least = n_splits
            for k in range(_TOGETHER):
                at[k] = _next(codes, begin + k, at[k], tree)
                least = min(least, at[k])
        for k in range(_TOGETHER):
            leaf_of[begin + k] = at[k] - n_splits
        begin += _TOGETHER
    for i in range(begin, end):
        node = np.uint32(0)
        while node < n_splits:
            node = _next(codes, i, node, tree)
        leaf_of[i] = node - n_splits


@compiled(inline="always")
def _next(codes, document, node, tree):
    """Where a document goes from a node; indices are unsigned, since negative ones would need a branch."""
    split = tree.splits[np.uint64(node)]
    code = codes[document, split >> _FEATURE]
    goes_right = np.uint8(code + np.uint8(split >> _SHIFT)) > np.uint8(split)
    return tree.children[np.uint64(2) * np.uint64(node) + np.uint64(goes_right)]


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
