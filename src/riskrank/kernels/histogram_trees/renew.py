"""All documents find their leaves in a new tree, whose values come from all of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from riskrank.kernels.compiled import compiled

if TYPE_CHECKING:
    from numpy.typing import NDArray

_TOGETHER = 8  # documents that walk side by side: while one waits for memory, the others go on
_SHIFT, _FEATURE = np.uint64(8), np.uint64(16)


class CodedTree(NamedTuple):
    """A tree by codes: its splits in the order of growing, each as one number, and their children (leaves are ~leaf).

    From the lowest bits: the code up to which documents go left (8 bits), what is added to codes before (8 bits: 1
    where missing values go left, whose code becomes 0), the feature.
    """

    splits: NDArray[np.uint64]
    children: NDArray[np.int32]  # left and right of each


@compiled
def find_leaves(codes, span, tree, leaf_of):
    """The leaf of each document of a span."""
    at = np.empty(_TOGETHER, np.int64)
    for begin in range(span[0], span[1], _TOGETHER):
        n = min(_TOGETHER, span[1] - begin)
        at[:n] = 0
        is_walking = True
        while is_walking:
            is_walking = False
            for k in range(n):
                if at[k] >= 0:
                    split = tree.splits[at[k]]
                    code = codes[begin + k, split >> _FEATURE]
                    goes_right = np.uint8(code + np.uint8(split >> _SHIFT)) > np.uint8(split)
                    at[k] = tree.children[2 * at[k] + goes_right]
                    is_walking |= at[k] >= 0
        for k in range(n):
            leaf_of[begin + k] = ~at[k]


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
