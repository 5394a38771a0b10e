"""Swap deltas: what swapping two documents of a ranking would add to a measure, which is what training needs of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from riskrank.measures.ranking import ratio

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import ArrayLike

    from riskrank.data.ranking_data import RankingData
    from riskrank.typing import Floats, Integers


@dataclass(frozen=True, eq=False)
class SwapDeltas:
    """A measure on labelled data, as arrays, and two small functions that are compiled into the training loop.

    `gains` is a number per document, `discounts` one per rank (as many as the longest query has documents), `norm`
    one per query; a query with norm 0 has effectiveness 0 and no gradient. Without functions, the measure is
    positional: Σ gain × discount × norm. Otherwise ``value(gains, discounts, norm, work)`` gets the gains of a query
    in the order of its ranking and returns the measure's value, and ``delta(a, b, gains, discounts, norm, work)``
    returns what swapping the ranks a < b (from 0) would add to it. `work` is a scratch matrix of `work_rows` rows
    that `value` may fill for `delta`.
    """

    gains: Floats
    discounts: Floats
    norm: Floats
    value: Callable[[Floats, Floats, float, Floats], float] | None = None
    delta: Callable[[int, int, Floats, Floats, float, Floats], float] | None = None
    work_rows: int = 0

    @property
    def is_positional(self) -> bool:
        """Is it Σ gain × discount × norm?"""
        return self.value is None


def usable_labels(data: RankingData) -> Floats:
    """Labels for training: those below 0 (not judged) count as 0."""
    return np.maximum(data.labels, 0.0)


def is_relevant(data: RankingData, rel: float) -> Floats:
    """1 for documents of at least this grade, else 0."""
    return (data.labels >= rel).astype(np.float64)


def per_rank(data: RankingData, cutoff: int | None, discount: Callable[[Integers], ArrayLike]) -> Floats:
    """A discount for each rank, from 1; 0 beyond the cut-off."""
    ranks = np.arange(1, int(np.diff(data.query_offsets).max()) + 1)
    discounts: Floats = np.asarray(discount(ranks), dtype=np.float64) * np.ones(len(ranks))
    if cutoff is not None:
        discounts[cutoff:] = 0.0
    return discounts


def total(gains: Floats, data: RankingData) -> Floats:
    """Gains added up per query."""
    return np.add.reduceat(gains, data.query_offsets[:-1])


def best_total(gains: Floats, discounts: Floats, data: RankingData) -> Floats:
    """Σ gain × discount per query, best gain first."""
    query = data.query_numbers
    ordered = gains[np.lexsort((-gains, query))]
    rank = np.arange(data.n_documents) - data.query_offsets[query]
    return total(ordered * discounts[rank], data)


def inverse(values: Floats) -> Floats:
    """1 / value, and 0 where there is nothing to divide by."""
    return ratio(np.ones(len(values)), values)
