"""A leaf becomes two."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from riskrank.kernels.compiled import compiled
from riskrank.kernels.histogram_trees.count import count_rows, take_away
from riskrank.kernels.histogram_trees.split import best_split

if TYPE_CHECKING:
    from numpy.typing import NDArray


class Sampled(NamedTuple):
    """The documents that a tree sees: their codes, and in the order of leaves their rows and what they add to sums."""

    codes: NDArray[np.uint8]
    rows: NDArray[np.int32]
    packed: NDArray[np.int64]
    spare_rows: NDArray[np.int32]  # where documents are parted, each leaf in its own place
    spare_packed: NDArray[np.int64]
    n_bins: NDArray[np.int32]  # of each column


class Leaves(NamedTuple):
    """Of each leaf where its documents begin and end, and its best split; a gain of 0 says that there is none."""

    begin: NDArray[np.int64]
    end: NDArray[np.int64]
    gain: NDArray[np.float64]
    column: NDArray[np.int32]
    cut: NDArray[np.uint8]
    missing_left: NDArray[np.uint8]


@compiled
def split_leaf(leaf, new, sampled, histograms, rules, leaves):
    """Part a leaf by its best split: the left child takes its place, the right one is `new`. Both get best splits."""
    begin, end = leaves.begin[leaf], leaves.end[leaf]
    middle = np.int64(_part(begin, end, leaf, sampled, leaves))
    leaves.end[leaf], leaves.begin[new], leaves.end[new] = middle, middle, end
    whole, part = histograms[leaf], histograms[new]
    part[:] = 0
    if middle - begin < end - middle:
        count_rows(sampled.codes, sampled.rows[begin:middle], sampled.packed[begin:middle], part)
        for i in range(len(part)):
            part[i], whole[i] = whole[i] - part[i], part[i]
    else:
        count_rows(sampled.codes, sampled.rows[middle:end], sampled.packed[middle:end], part)
        take_away(whole, part)
    for child in (leaf, new):
        judge_leaf(child, sampled, histograms, rules, leaves)


@compiled
def judge_leaf(leaf, sampled, histograms, rules, leaves):
    """The best split of a leaf whose histograms are known."""
    gain, column, cut, missing_left = best_split(histograms[leaf], sampled.n_bins, rules)
    leaves.gain[leaf], leaves.column[leaf] = gain, column
    leaves.cut[leaf], leaves.missing_left[leaf] = cut, missing_left


@compiled(no_cpython_wrapper=True)
def _part(begin, end, leaf, sampled, leaves):
    """Documents that go left come first, in the order that they had; where the others begin.

    Indices are unsigned, since negative ones would need a branch.
    """
    codes, rows, packed = sampled.codes, sampled.rows, sampled.packed
    begin, end, column = np.uint64(begin), np.uint64(end), np.uint64(leaves.column[leaf])
    shift, cut = leaves.missing_left[leaf], leaves.cut[leaf] + leaves.missing_left[leaf]
    left = right = begin
    for k in range(begin, end):
        row, what = rows[k], packed[k]
        code = np.uint8(codes[np.uint64(row), column] + shift)  # that of what is missing is 0 after a shift by one
        goes_left = code <= cut
        rows[left], packed[left] = row, what
        sampled.spare_rows[right], sampled.spare_packed[right] = row, what
        left += np.uint64(goes_left)
        right += np.uint64(not goes_left)
    for k in range(right - begin):
        rows[left + k], packed[left + k] = sampled.spare_rows[begin + k], sampled.spare_packed[begin + k]
    return left
