"""Trees grown best leaf first: the leaf whose split gains most is split next, until there are enough."""

from __future__ import annotations

import heapq
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from riskrank.kernels.histogram_trees.bin import CODES
from riskrank.kernels.histogram_trees.count import count_rows
from riskrank.kernels.histogram_trees.grow import Leaves, judge_leaf, split_leaf

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from riskrank.kernels.histogram_trees.grow import Sampled
    from riskrank.kernels.histogram_trees.split import Rules


@dataclass(frozen=True)
class LeafSplit:
    """A split of a leaf, which keeps its number as the left child; the right one has the next number."""

    leaf: int
    column: int
    cut: int
    missing_left: bool
    gain: float


class BestFirst:
    """Grows trees of so many leaves; its histograms serve one tree after the other."""

    def __init__(self, n_leaves: int, max_depth: int, n_threads: int) -> None:
        self._n_threads = n_threads
        self._n_leaves = n_leaves
        self._max_depth = max_depth if max_depth >= 0 else n_leaves
        self._histograms = np.empty((0, 0), np.int64)

    def grow(self, sampled: Sampled, rules: Rules) -> list[LeafSplit]:
        """The splits of a tree, in the order of growing; none where none is worth it."""
        histograms, leaves = self._arrays(sampled)
        histograms[0] = 0
        leaves.begin[0], leaves.end[0] = 0, len(sampled.rows)
        count_rows(sampled.codes, sampled.rows, sampled.packed, histograms[0])
        judge_leaf(0, sampled, histograms, rules, leaves)
        depths = [0]
        waiting = [(-float(leaves.gain[0]), 0)]
        splits: list[LeafSplit] = []
        while waiting and len(depths) < self._n_leaves:
            loss, leaf = heapq.heappop(waiting)
            if loss == 0 or depths[leaf] >= self._max_depth:
                continue
            new = len(depths)
            column, cut, is_left = leaves.column[leaf], leaves.cut[leaf], leaves.missing_left[leaf]
            splits.append(LeafSplit(leaf, int(column), int(cut), bool(is_left), -loss))
            split_leaf(leaf, new, sampled, histograms, rules, leaves)
            depths[leaf] += 1
            depths.append(depths[leaf])
            for each in (leaf, new):
                heapq.heappush(waiting, (-float(leaves.gain[each]), each))
        return splits

    def _arrays(self, sampled: Sampled) -> tuple[NDArray[np.int64], Leaves]:
        shape = self._n_leaves, len(sampled.n_bins) * CODES
        if self._histograms.shape != shape:
            self._histograms = np.empty(shape, np.int64)
        n = self._n_leaves
        leaves = Leaves(
            begin=np.zeros(n, np.int64),
            end=np.zeros(n, np.int64),
            gain=np.zeros(n),
            column=np.zeros(n, np.int32),
            cut=np.zeros(n, np.uint8),
            missing_left=np.zeros(n, np.uint8),
        )
        return self._histograms, leaves
