"""The queries of some data, ranked by changing scores."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from riskrank.cores import usable_cores
from riskrank.kernels.state import KernelCall, RankedOrder
from riskrank.objectives.on_data.query_chunks import QueryChunks

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from riskrank.data.ranking_data import RankingData
    from riskrank.measures.swap_deltas import SwapDeltas
    from riskrank.objectives.on_data.bound_measure import BoundMeasure
    from riskrank.typing import Floats, Integers


class RankedQueries:
    """Queries in the order of the scores that they were given last, and measures of that order.

    Only the first `depth` ranks are known, or all (None).
    """

    def __init__(self, data: RankingData, depth: int | None, *, n_threads: int | None = None) -> None:
        self.data = data
        sizes = np.diff(data.query_offsets)
        n_ranks = sizes if depth is None else np.minimum(sizes, depth)
        self.depth = data.longest_query if depth is None else min(data.longest_query, depth)
        starts = np.concatenate([[0], np.cumsum(n_ranks)])
        positions = (np.arange(starts[-1]) - np.repeat(starts[:-1], n_ranks)).astype(np.int32)
        self.order = RankedOrder(data.query_offsets, starts, positions)
        self.chunks = QueryChunks(sizes * n_ranks, n_threads or usable_cores())

    @property
    def n_threads(self) -> int:
        """How many threads share the work."""
        return self.chunks.n_threads

    def rank(self, scores: Floats) -> None:
        """Order all queries by scores."""
        ranking = self.ranking()
        self.chunks.run(lambda some: ranking(some, scores))

    def per_query(self, fill: Callable[[Integers, Floats], None]) -> Floats:
        """A number for each query, which `fill` puts into an array for some of them."""
        values = np.empty(self.data.n_queries)
        self.chunks.run(lambda some: fill(some, values))
        return values

    def rank_and_measure(
        self, scores: Floats, measures: Sequence[BoundMeasure], out: Sequence[Floats], queries: Integers | None = None
    ) -> None:
        """Order all queries, or some, and measure the order in the same pass; the values go into `out`."""
        calls = self.ranking_and_measuring(measures, out)

        def work(some: Integers) -> None:
            for call in calls:
                call(some, scores)

        self.chunks.run(work, queries)

    def ranking_and_measuring(self, measures: Sequence[BoundMeasure], out: Sequence[Floats]) -> list[KernelCall]:
        """The loops that do so, in this order."""
        measuring = [each.filling(self.order, values) for each, values in zip(measures, out, strict=True)]
        return [self.ranking(), *measuring]

    def ranking(self) -> KernelCall:
        """The loop that orders queries."""
        from riskrank.kernels.order import SELECTED, best_first, sorted_first

        return KernelCall(best_first if self.depth <= SELECTED else sorted_first, (self.order,))


def depth_needed(*measures: SwapDeltas) -> int | None:
    """How many ranks must be known: all (None) unless every measure is positional and ends at some rank."""
    if not all(measure.is_positional for measure in measures):
        return None
    return max(int(np.flatnonzero(measure.discounts)[-1]) + 1 for measure in measures)
