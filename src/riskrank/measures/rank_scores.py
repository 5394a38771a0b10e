"""From scores of labelled feature data to rankings: score descending, ties in the order of the data."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from riskrank.errors import AlignmentError, quoted
from riskrank.measures.ranking import Judgments, Ranking

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from riskrank.data.ranking_data import RankingData


def judgments_of_labels(data: RankingData) -> Judgments:
    """The labels of each query."""
    return Judgments.sorted(data.query_ids, _query_numbers(data), np.asarray(data.labels), source="labels")


def rank_scores(scores: ArrayLike, data: RankingData, judgments: Judgments, *, name: str) -> Ranking:
    """Rank the documents of each query by their scores."""
    score = np.asarray(scores)
    if score.shape != (data.n_documents,):
        raise AlignmentError(
            f"system {quoted(name)} needs a score for each of the {data.n_documents} documents, "
            f"got shape {score.shape}."
        )
    if not np.isfinite(score).all():
        raise AlignmentError(
            f"scores of system {quoted(name)} must be finite, got {score[~np.isfinite(score)][0]} "
            f"for document {int(np.flatnonzero(~np.isfinite(score))[0]) + 1}."
        )
    query = _query_numbers(data)
    order = np.lexsort((-score, query))  # stable: ties keep the order of the data
    rank = np.arange(data.n_documents) - np.repeat(data.query_offsets[:-1], np.diff(data.query_offsets)) + 1
    sorted_score = score[order]
    equals_next = (sorted_score[1:] == sorted_score[:-1]) & (query[1:] == query[:-1])
    places = np.flatnonzero(equals_next)
    grade = np.asarray(data.labels)[order]
    judged = grade >= 0
    return Ranking(
        judgments,
        query[judged],
        rank[judged],
        grade[judged],
        np.diff(data.query_offsets),
        (query[places], rank[places]),
    )


def _query_numbers(data: RankingData) -> NDArray[np.int64]:
    return np.repeat(np.arange(data.n_queries), np.diff(data.query_offsets))
