"""ClickMemory: what is remembered of pages, and the features that it gives to later ones."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import numpy as np

from riskrank.cores import usable_cores
from riskrank.kernels.click_columns import N_FEATURES
from riskrank.parameters import positive, whole

if TYPE_CHECKING:
    from collections.abc import Callable

    from riskrank.clicks.impressions import Impressions
    from riskrank.kernels.click_counts import Memory, Pages
    from riskrank.typing import Booleans, Singles

SMOOTHING = 10.0
MEMORY = 2 << 30  # bytes for what is remembered
FULLEST = 0.7  # share of the places of a hash table
SMALLEST = 1 << 16
BYTES = 24  # of a place


class ClickMemory:
    """What is remembered of earlier pages, in a hash table that grows up to this many bytes.

    Exact until then; after that, there is no place for what was not seen before (`n_lost` tells how often).
    """

    def __init__(self, *, smoothing: float = SMOOTHING, most_bytes: int = MEMORY) -> None:
        positive("smoothing", smoothing)
        whole("most_bytes", most_bytes, SMALLEST * BYTES)
        self.smoothing = float(smoothing)
        self._largest = 1 << int(np.log2(most_bytes / BYTES))
        self._memory = _empty_memory(SMALLEST)

    @property
    def n_keys(self) -> int:
        """How many things are remembered."""
        return int(self._memory.state[0])

    @property
    def n_lost(self) -> int:
        """How often there was no place for something new."""
        return int(self._memory.state[1])

    @property
    def n_bytes(self) -> int:
        """How large the table is."""
        return len(self._memory.keys) * BYTES

    def features(self, batch: Impressions, satisfied: Booleans) -> Singles:
        """Documents × `FEATURES` of a batch of whole sessions, from what was remembered before it."""
        from riskrank.kernels import click_features as kernels

        out = np.empty((len(batch.document), N_FEATURES), np.float32)
        pages = _pages(batch, satisfied)

        def fill(first: int, last: int) -> None:
            kernels.features(pages, first, last, self._memory, self.smoothing, out)

        fill(0, 0)  # compiled here, not by all threads at once
        bounds = np.linspace(0, len(batch), usable_cores() + 1).astype(np.int64)
        with ThreadPoolExecutor(len(bounds) - 1) as pool:
            list(pool.map(fill, bounds[:-1], bounds[1:]))
        return out

    def remember(self, batch: Impressions, satisfied: Booleans) -> None:
        """Add a batch; pages whose clicks are withheld are left out."""
        from riskrank.kernels.click_counts import remember

        pages = _pages(batch, satisfied)
        self._until_done(len(batch), lambda page: remember(pages, page, self._memory, self._most))

    def features_in_order(self, batch: Impressions, satisfied: Booleans) -> Singles:
        """The same as both, session by session: each is remembered before the next."""
        from riskrank.kernels import click_features as kernels

        pages = _pages(batch, satisfied)
        out = np.empty((len(batch.document), N_FEATURES), np.float32)
        self._until_done(
            len(batch),
            lambda page: kernels.features_in_order(pages, page, self._memory, self.smoothing, self._most, out),
        )
        return out

    @property
    def _most(self) -> int:
        """Keys from which the table grows; at its largest, none."""
        capacity = len(self._memory.keys)
        return int(FULLEST * capacity) if capacity < self._largest else 2**62

    def _until_done(self, n: int, go_on: Callable[[int], int]) -> None:
        from riskrank.kernels.click_counts import move

        page = 0
        while (page := int(go_on(page))) < n:
            larger = _empty_memory(2 * len(self._memory.keys))
            move(self._memory, larger)
            self._memory = larger


def _empty_memory(capacity: int) -> Memory:
    from riskrank.kernels.click_counts import Memory

    keys, counts = np.zeros(capacity, np.uint64), np.zeros((capacity, 4), np.uint32)
    return Memory(keys, counts, totals=np.zeros(4), state=np.zeros(2, np.int64))


def _pages(batch: Impressions, satisfied: Booleans) -> Pages:
    from riskrank.kernels.click_counts import Pages

    return Pages(
        session=batch.session, user=batch.user, time=batch.time, query=batch.query, is_withheld=batch.is_withheld,
        document_offset=batch.document_offset, document=batch.document, domain=batch.domain,
        is_clicked=~np.isnan(batch.dwell), is_satisfied=satisfied, click_time=batch.click_time,
        dwell_end=batch.click_time + np.where(np.isfinite(batch.dwell), batch.dwell, 0.0), score=batch.score,
        term_offset=batch.term_offset, term=batch.term,
    )  # fmt: skip
