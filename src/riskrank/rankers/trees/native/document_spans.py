"""Documents in spans of a fixed length, which threads share."""

from __future__ import annotations

from typing import TYPE_CHECKING

from riskrank.cores import share_work

if TYPE_CHECKING:
    from collections.abc import Callable

LENGTH = 1 << 14  # of a span: sums over spans, added in their order, are the same for any number of threads


class DocumentSpans:
    """So many documents, and the threads that work on them."""

    def __init__(self, n_documents: int, n_threads: int) -> None:
        self._spans = [(begin, min(begin + LENGTH, n_documents)) for begin in range(0, n_documents, LENGTH)]
        self._n_threads = n_threads

    def __len__(self) -> int:
        return len(self._spans)

    def run(self, task: Callable[[int, tuple[int, int]], None]) -> None:
        """Do a task for each span, which it is told with its number."""
        share_work(lambda number: task(number, self._spans[number]), range(len(self._spans)), self._n_threads)
