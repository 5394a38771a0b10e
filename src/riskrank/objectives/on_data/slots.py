"""Slots for documents, so that kernels find all that are better than a given one, and all that are worse, in a row."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from riskrank.kernels.state import Slots

if TYPE_CHECKING:
    from riskrank.data.ranking_data import RankingData
    from riskrank.typing import Floats

MOST_PADDING = 1.5  # slots per document, on average; more would cost more than even groups save


def slots_by_gain(gains: Floats, data: RankingData, *, lanes: int) -> Slots:
    """Slots in which each query's documents of equal gain stand together, best first.

    Groups begin at multiples of `lanes`: the last slots of a group may be padding, unless a query would need too much
    of it.
    """
    query = data.query_numbers
    order = np.lexsort((-gains, query))
    ordered = gains[order]
    is_new = (ordered[1:] != ordered[:-1]) | (query[1:] != query[:-1])
    firsts = np.flatnonzero(
        np.concatenate([[True], is_new])[: data.n_documents]
    )  # of the groups, among the ordered documents
    sizes = np.diff(np.append(firsts, data.n_documents))
    padded_sizes = -(-sizes // lanes) * lanes
    slots_of_query = np.bincount(query[firsts], padded_sizes, data.n_queries)
    is_sparse = slots_of_query > MOST_PADDING * np.diff(data.query_offsets)
    padded_sizes = np.where(is_sparse[query[firsts]], sizes, padded_sizes)
    begins = np.concatenate([[0], np.cumsum(padded_sizes)])[np.searchsorted(firsts, data.query_offsets)]
    ends = np.cumsum(padded_sizes) - begins[query[firsts]]
    slot, better, worse = (np.empty(data.n_documents, np.int32) for _ in range(3))
    worse[order] = np.repeat(ends, sizes)
    better[order] = np.repeat(ends - padded_sizes, sizes)
    slot[order] = np.repeat(ends - padded_sizes - firsts, sizes) + np.arange(data.n_documents)
    return Slots(begins, slot, better, worse, np.repeat(ordered[firsts], padded_sizes))
