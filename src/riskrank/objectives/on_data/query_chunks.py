"""Work on many queries, in chunks of about equal cost on all cores."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from riskrank.cores import share_work

if TYPE_CHECKING:
    from collections.abc import Callable

    from riskrank.typing import Integers

LEAST_COST = 20_000  # pairs of documents; less is not worth another chunk
CHUNKS_PER_THREAD = 4  # few enough to cost nothing, many enough that nobody waits long for the last one


class QueryChunks:
    """Queries, what each costs, and the threads that share them."""

    def __init__(self, costs: Integers, n_threads: int) -> None:
        self.n_threads = n_threads
        self._costs = costs
        self._all = np.arange(len(costs))
        self._chunks = self._split(self._all)

    def run(self, task: Callable[[Integers], None], queries: Integers | None = None) -> None:
        """Do a task for all queries, or some, on all cores where it is worth it."""
        chunks = self._chunks if queries is None else self._split(queries)
        if self.n_threads > 1 and len(chunks) > 1:
            task(self._all[:0])  # compiled here, not by all threads at once
        share_work(task, chunks, self.n_threads)

    def _split(self, queries: Integers) -> list[Integers]:
        costs = self._costs[queries]
        total = costs.sum()
        wanted = min(CHUNKS_PER_THREAD * self.n_threads, len(queries), total // LEAST_COST)
        if wanted < 2:
            return [queries]
        bounds = np.searchsorted(np.concatenate([[0], np.cumsum(costs)]), np.linspace(0, total, wanted + 1))
        bounds[0], bounds[-1] = 0, len(queries)
        return [queries[a:b] for a, b in pairwise(sorted(set(bounds.tolist())))]
