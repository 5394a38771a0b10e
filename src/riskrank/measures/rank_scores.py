"""From scores of labelled feature data to rankings: score descending, ties in the order of the data."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from riskrank.data.scores.document_scores import checked_scores
from riskrank.measures.ranking import Judgments, Ranking

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from riskrank.data.ranking_data import RankingData
    from riskrank.typing import Integers


def judgments_of_labels(data: RankingData) -> Judgments:
    """The labels of each query."""
    return Judgments.sorted(data.query_ids, data.query_numbers, np.asarray(data.labels), source="labels")


def rank_scores(scores: ArrayLike, data: RankingData, judgments: Judgments, *, name: str) -> Ranking:
    """Rank the documents of each query by their scores; those with −inf were not retrieved."""
    score = checked_scores(scores, data, name=name, lowest=-np.inf)
    query = data.query_numbers
    order = np.lexsort((-score, query))  # stable: ties keep the order of the data
    rank = np.arange(data.n_documents) - data.query_offsets[query] + 1
    sorted_score = score[order]
    places = np.flatnonzero((sorted_score[1:] == sorted_score[:-1]) & (query[1:] == query[:-1]))
    grade = np.asarray(data.labels)[order]
    retrieved = sorted_score > -np.inf
    judged = (grade >= 0) & retrieved
    return Ranking(
        judgments,
        query[judged],
        rank[judged],
        grade[judged],
        np.bincount(query[retrieved], minlength=data.n_queries),
        (query[places], rank[places]),
    )


def ranks_of_scores(scores: ArrayLike, data: RankingData, *, name: str) -> Integers:
    """Each document's rank in its query, from 1."""
    order = np.lexsort((-checked_scores(scores, data, name=name, lowest=-np.inf), data.query_numbers))
    rank = np.empty(data.n_documents, np.int64)
    rank[order] = np.arange(data.n_documents) - data.query_offsets[data.query_numbers] + 1
    return rank
