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
    return Judgments.sorted(data.query_ids, query_numbers(data), np.asarray(data.labels), source="labels")


def rank_scores(scores: ArrayLike, data: RankingData, judgments: Judgments, *, name: str) -> Ranking:
    """Rank the documents of each query by their scores; those with −inf were not retrieved."""
    score = checked_scores(scores, data, name=name, lowest=-np.inf)
    query = query_numbers(data)
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


def ranks_of_scores(scores: ArrayLike, data: RankingData, *, name: str) -> NDArray[np.int64]:
    """Each document's rank in its query, from 1."""
    order = np.lexsort((-checked_scores(scores, data, name=name, lowest=-np.inf), query_numbers(data)))
    rank = np.empty(data.n_documents, np.int64)
    rank[order] = np.arange(data.n_documents) - data.query_offsets[query_numbers(data)] + 1
    return rank


def checked_scores(
    scores: ArrayLike, data: RankingData, *, name: str, lowest: float | None = None
) -> NDArray[np.float64]:
    """A finite number for each document; or `lowest`, where a source may lack documents."""
    try:
        score = np.asarray(scores, dtype=np.float64)
    except (TypeError, ValueError):
        raise AlignmentError(f"scores of system {quoted(name)} must be numbers, one per document.") from None
    if score.shape != (data.n_documents,):
        raise AlignmentError(
            f"system {quoted(name)} needs a score for each of the {data.n_documents} documents, "
            f"got shape {score.shape}."
        )
    if np.isfinite(score).all():
        return score
    bad = np.flatnonzero(np.isnan(score) | (score == np.inf) | ((score == -np.inf) & (lowest != -np.inf)))
    if len(bad):
        raise AlignmentError(
            f"scores of system {quoted(name)} must be finite, got {score[bad[0]]} for document {bad[0] + 1}."
        )
    return score


def query_numbers(data: RankingData) -> NDArray[np.int64]:
    """Each document's query, as its position in the data."""
    return np.repeat(np.arange(data.n_queries), np.diff(data.query_offsets))
