"""SeenQueries: whether a query was there before, in 8 bytes for each."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    import polars as pl
    from numpy.typing import NDArray


class ScatteredQueriesError(Exception):
    """The rows of a query do not stand together."""


class SeenQueries:
    """The hashes of queries, in sorted arrays of which each is at least twice as long as the next."""

    def __init__(self) -> None:
        self._sorted: list[NDArray[np.uint64]] = []

    def add(self, queries: pl.Series) -> bool:
        """Take in some queries; False if each of them is certainly new.

        True may also mean that the hashes of two queries are the same: of 10 million queries, once in 400,000 times.
        """
        hashes = np.sort(queries.hash().to_numpy())
        is_known = bool((hashes[1:] == hashes[:-1]).any()) or any(_share_one(each, hashes) for each in self._sorted)
        self._sorted.append(hashes)
        while len(self._sorted) > 1 and len(self._sorted[-2]) < 2 * len(self._sorted[-1]):
            self._sorted[-2:] = [np.sort(np.concatenate(self._sorted[-2:]), kind="stable")]
        return is_known


def _share_one(known: NDArray[np.uint64], hashes: NDArray[np.uint64]) -> bool:
    places = np.searchsorted(known, hashes)
    inside = places < len(known)
    return bool((known[places[inside]] == hashes[inside]).any())
