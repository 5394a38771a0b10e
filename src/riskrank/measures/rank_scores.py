"""From scores of labelled feature data to rankings: score descending, ties in the order of the data."""

from __future__ import annotations

import math
import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from riskrank.data.feature import Feature
from riskrank.data.names import system_name
from riskrank.data.scores.document_scores import system_scores
from riskrank.measures.ranking import Judgments, RankedSystems, Ranking

if TYPE_CHECKING:
    from riskrank.data.ranking_data import RankingData
    from riskrank.typing import Floats, Integers, ScoresLike, SystemsLike


def rank_feature_data(data: RankingData, systems: SystemsLike) -> RankedSystems:
    """Rank the documents of each query by the scores of each system, given as `evaluate` takes them."""
    judgments = judgments_of_labels(data)
    scores = {name: system_scores(source, data, name=name) for name, source in _named(systems).items()}
    rankings = {name: rank_scores(row, data, judgments, name=name) for name, row in scores.items()}
    return RankedSystems(judgments, rankings, lambda name: _as_dicts(data, scores[name]))


def _as_dicts(data: RankingData, scores: Floats) -> tuple[dict[str, dict[str, int]], dict[str, dict[str, float]]]:
    """Labels and scores as {query: {row: number}}; the scores are ranks, so that ties stay as they are here."""
    ranks = ranks_of_scores(scores, data, name="system")
    grades: dict[str, dict[str, int]] = {}
    run: dict[str, dict[str, float]] = {}
    for i, query in enumerate(data.query_ids):
        rows = range(data.query_offsets[i], data.query_offsets[i + 1])
        grades[query] = {str(row): math.floor(data.labels[row]) for row in rows}
        run[query] = {str(row): -float(ranks[row]) for row in rows}
    return grades, run


def judgments_of_labels(data: RankingData) -> Judgments:
    """The labels of each query."""
    return Judgments.sorted(data.query_ids, data.query_numbers, np.asarray(data.labels), source="labels")


def rank_scores(scores: ScoresLike, data: RankingData, judgments: Judgments, *, name: str) -> Ranking:
    """Rank the documents of each query by their scores; those with −inf were not retrieved."""
    score = system_scores(scores, data, name=name)
    query = data.query_numbers
    order = np.lexsort((-score, query))  # stable: ties keep the order of the data
    rank = np.arange(data.n_documents) - data.query_offsets[query] + 1
    sorted_score = score[order]
    tied = np.flatnonzero((sorted_score[1:] == sorted_score[:-1]) & (query[1:] == query[:-1]))
    grade = np.asarray(data.labels)[order]
    retrieved = sorted_score > -np.inf
    judged = (grade >= 0) & retrieved
    n_retrieved = np.bincount(query[retrieved], minlength=data.n_queries)
    return Ranking(judgments, query[judged], rank[judged], grade[judged], n_retrieved, (query[tied], rank[tied]))


def ranks_of_scores(scores: ScoresLike, data: RankingData, *, name: str) -> Integers:
    """Each document's rank in its query, from 1."""
    order = np.lexsort((-system_scores(scores, data, name=name), data.query_numbers))
    rank = np.empty(data.n_documents, np.int64)
    rank[order] = np.arange(data.n_documents) - data.query_offsets[data.query_numbers] + 1
    return rank


def _named(systems: Any) -> dict[str, Any]:
    """Sources of scores by name, also where there is only one."""
    if isinstance(systems, Mapping):
        return dict(systems)
    if isinstance(systems, str | os.PathLike):
        return {system_name(systems): systems}
    if isinstance(systems, Feature):
        return {str(systems): systems}
    if isinstance(systems, Sequence) and systems and all(isinstance(each, str | os.PathLike) for each in systems):
        return {system_name(each): each for each in systems}
    if isinstance(systems, Sequence) and len(systems) and np.ndim(systems[0]) == 1:
        return {f"system{i}": scores for i, scores in enumerate(systems, start=1)}
    return {"system": systems}
