"""Trees grown best leaf first: the leaf whose split gains most is split next, until there are enough.

Threads split different leaves at the same time: the best one, and those that will probably be next. A split counts
when it is its turn, so that the tree is the same for any number of threads; what never gets its turn is dropped.
"""

from __future__ import annotations

import heapq
import threading
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from riskrank.cores import helped_by, share_work
from riskrank.kernels.histogram_trees.count import PLACES, add_to, count_rows
from riskrank.kernels.histogram_trees.grow import Leaves, judge_leaf, split_leaf

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from riskrank.kernels.histogram_trees.grow import Sampled
    from riskrank.kernels.histogram_trees.split import Rules

AHEAD = 8  # splits that may wait for their turn
FEW_VALUES = 500_000  # that are counted sooner than a second thread has begun


@dataclass(frozen=True)
class LeafSplit:
    """A split of a leaf, which keeps its number as the left child; the right one has the next number."""

    leaf: int
    column: int
    cut: int
    missing_left: bool
    gain: float


@dataclass(eq=False)
class OpenLeaf:
    """A leaf and its best split; `slot` is where its histograms and documents are, until its children take them."""

    slot: int
    depth: int
    gain: float
    column: int
    cut: int
    missing_left: bool
    is_taken: bool = False
    children: tuple[OpenLeaf, OpenLeaf] | None = None


Frontier = list[tuple[float, int, OpenLeaf]]  # a heap of leaves that can be split, the best first, by their numbers


class BestFirst:
    """Grows trees of so many leaves; its histograms serve one tree after the other."""

    def __init__(self, n_leaves: int, max_depth: int, n_threads: int) -> None:
        self._n_leaves = n_leaves
        self._max_depth = max_depth if max_depth >= 0 else n_leaves
        self._n_threads = n_threads
        self._histograms = np.empty((0, 0), np.int64)

    def grow(self, sampled: Sampled, rules: Rules) -> list[LeafSplit]:
        """The splits of a tree, in the order of growing; none where none is worth it."""
        n_threads = 1 if sampled.codes.size < FEW_VALUES else self._n_threads
        shape = self._n_leaves + AHEAD, len(sampled.n_bins) * PLACES
        if self._histograms.shape != shape:
            self._histograms = np.empty(shape, np.int64)
        tree = _Growth(sampled, rules, self._histograms, self._n_leaves, self._max_depth)
        tree.plant(n_threads)
        with helped_by(tree.work, n_threads - 1, self._n_threads):
            tree.work()
        return tree.splits


class _Growth:
    """One tree that grows. What threads share changes under the lock only; each leaf is one thread's at a time."""

    def __init__(
        self, sampled: Sampled, rules: Rules, histograms: NDArray[np.int64], n_leaves: int, max_depth: int
    ) -> None:
        self.splits: list[LeafSplit] = []
        self._sampled, self._rules, self._histograms = sampled, rules, histograms
        self._n_leaves, self._max_depth = n_leaves, max_depth
        self._leaves = _no_leaves(len(histograms))
        self._n_slots = 1
        self._open: Frontier = []
        self._changed = threading.Condition()
        self._is_done = False

    def plant(self, n_threads: int) -> None:
        """The root: threads count parts of the documents."""
        sampled, histograms = self._sampled, self._histograms
        n, n_parts = len(sampled.rows), min(n_threads, len(histograms))
        bounds = [n * part // n_parts for part in range(n_parts + 1)]

        def count(part: int) -> None:
            some = slice(bounds[part], bounds[part + 1])
            histograms[part] = 0
            count_rows(sampled.codes, sampled.rows[some], sampled.packed[some], histograms[part])

        share_work(count, range(n_parts), n_threads)
        for part in range(1, n_parts):
            add_to(histograms[0], histograms[part])
        self._leaves.begin[0], self._leaves.end[0] = 0, n
        judge_leaf(0, sampled, histograms, self._rules, self._leaves)
        self._put(self._open_leaf(0, 0), 0, self._open)
        self._confirm()

    def work(self) -> None:
        """Split leaves until the tree is grown, or until somebody fails at it."""
        try:
            self._work()
        finally:
            self.end()

    def _work(self) -> None:
        while True:
            with self._changed:
                while (leaf := self._next()) is None:
                    if self._is_done:
                        return
                    self._changed.wait()
                new = self._n_slots
                self._n_slots += 1
            split_leaf(leaf.slot, new, self._sampled, self._histograms, self._rules, self._leaves)
            with self._changed:
                depth = leaf.depth + 1
                leaf.children = self._open_leaf(leaf.slot, depth), self._open_leaf(new, depth)
                self._confirm()
                self._changed.notify_all()

    def end(self) -> None:
        """Let nobody wait for more."""
        with self._changed:
            self._is_done = True
            self._changed.notify_all()

    def _next(self) -> OpenLeaf | None:
        """The best leaf that nobody has taken, if its split is likely to count."""
        if self._is_done:
            return None
        n_ahead = self._n_slots - 1 - len(self.splits)  # splits that are made or being made, and had no turn
        if self._open[0][2].is_taken and n_ahead >= AHEAD:
            return None
        likely = self._open.copy()  # as if each split that is made already had its turn
        for _ in range(self._n_leaves - 1 - len(self.splits)):
            if not likely:
                return None
            leaf = heapq.heappop(likely)[2]
            if not leaf.is_taken:
                leaf.is_taken = True
                return leaf
            for child in leaf.children or ():
                self._put(child, self._n_leaves + child.slot, likely)
        return None

    def _confirm(self) -> None:
        """The splits whose turn it is."""
        while self._open and len(self.splits) < self._n_leaves - 1:
            leaf = self._open[0][2]
            if leaf.children is None:
                return
            number = heapq.heappop(self._open)[1]
            self.splits.append(LeafSplit(number, leaf.column, leaf.cut, leaf.missing_left, leaf.gain))
            self._put(leaf.children[0], number, self._open)
            self._put(leaf.children[1], len(self.splits), self._open)
        self._is_done = True

    def _put(self, leaf: OpenLeaf, number: int, leaves: Frontier) -> None:
        if leaf.gain > 0 and leaf.depth < self._max_depth:
            heapq.heappush(leaves, (-leaf.gain, number, leaf))

    def _open_leaf(self, slot: int, depth: int) -> OpenLeaf:
        own = self._leaves
        gain, column, cut = float(own.gain[slot]), int(own.column[slot]), int(own.cut[slot])
        return OpenLeaf(slot, depth, gain, column, cut, bool(own.missing_left[slot]))


def _no_leaves(n: int) -> Leaves:
    return Leaves(
        begin=np.zeros(n, np.int64),
        end=np.zeros(n, np.int64),
        gain=np.zeros(n),
        column=np.zeros(n, np.int32),
        cut=np.zeros(n, np.uint8),
        missing_left=np.zeros(n, np.uint8),
    )
