"""Swap deltas: what swapping two documents of a ranking would add to a measure, which is what training needs of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from riskrank.measures.ranking import NOTHING, ratio

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

    ``tied_value(gains, ends, discounts, norm, work)`` is the mean value over the orders of tied documents: those of
    rank r stand at the ranks before ``ends[r]``. Without it, they are measured in the order of the data.
    """

    gains: Floats
    discounts: Floats
    norm: Floats
    value: Callable[[Floats, Floats, float, Floats], float] | None = None
    delta: Callable[[int, int, Floats, Floats, float, Floats], float] | None = None
    work_rows: int = 0
    tied_value: Callable[[Floats, Integers, Floats, float, Floats], float] | None = None

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
    ranks = np.arange(1, data.longest_query + 1)
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


def tied_stops(go_on: Floats, ends: Integers, discounts: Floats, products: Floats, chosen: Floats) -> float:
    """The mean discount at the rank where a user stops who goes on by these chances; see `TiedRanking.stops`.

    `products` and `chosen` are scratch, and what they hold is explained where ties of feature data are averaged over.
    """
    value, reached, begin = 0.0, 1.0, 0
    while begin < len(go_on) and reached > 0.0 and discounts[begin] > 0.0:
        end = ends[begin]
        below, stops, past = 0, 0.0, 1.0
        for r in range(begin, end):
            if go_on[r] < 1.0:
                below += 1
                stops += 1.0 - go_on[r]
                past *= go_on[r]
        depth, most = 0, 1.0
        while depth < below and most > NOTHING:
            most *= 1.0 - stops / below
            depth += 1
        products[: depth + 1], chosen[: depth + 1] = 0.0, 0.0
        products[0], chosen[0] = 1.0, 1.0
        n = 0
        for r in range(begin, end):
            if go_on[r] < 1.0:
                n += 1
                for h in range(min(n, depth), 0, -1):  # h of n documents have the n-th among them with chance h / n
                    products[h] = (1.0 - h / n) * products[h] + h / n * products[h - 1] * go_on[r]
        before = 1.0
        for r in range(begin, end):
            if discounts[r] == 0.0:
                break
            after = 0.0
            for h in range(min(r - begin + 1, depth), -1, -1):
                more = chosen[h - 1] * (below - h + 1) / (end - r) if h > 0 else 0.0
                chosen[h] = chosen[h] * (1.0 - (below - h) / (end - r)) + more
                after += chosen[h] * products[h]
            value += reached * (before - after) * discounts[r]
            before = after
        reached *= past
        begin = end
    return value


def tied_first_relevant(gains: Floats, ends: Integers, discounts: Floats, _norm: float, work: Floats) -> float:
    """The `tied_value` of a measure of the first relevant document: users go on until they come to one."""
    for r in range(len(gains)):
        work[0, r] = 1.0 - gains[r]
    return tied_stops(work[0, : len(gains)], ends, discounts, work[1], work[2])
