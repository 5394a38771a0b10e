"""From scores of labelled feature data to rankings: score descending, and which scores are tied."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from riskrank.data.feature import Feature
from riskrank.data.names import system_name
from riskrank.data.scores.document_scores import system_scores
from riskrank.measures.ranking import Judgments, RankedSystem, RankedSystems, Ranking
from riskrank.measures.tied_ranking import TiedRanking

if TYPE_CHECKING:
    from riskrank.data.ranking_data import RankingData
    from riskrank.typing import Integers, ScoresLike, SystemsLike


def rank_feature_data(data: RankingData, systems: SystemsLike) -> RankedSystems:
    """Rank the documents of each query by the scores of each system, given as `evaluate` takes them."""
    judgments = judgments_of_labels(data)
    named = _named_systems(systems)
    in_turn = (RankedSystem(name, rank_scores(named[name], data, judgments, name=name)) for name in named)
    return RankedSystems(judgments, tuple(named), in_turn)


def judgments_of_labels(data: RankingData) -> Judgments:
    """The labels of each query."""
    labels, top = np.asarray(data.labels), max(data.highest_label, 0.0)
    return Judgments.sorted(data.query_ids, data.query_numbers, labels, source="labels", top=top)


def rank_scores(scores: ScoresLike, data: RankingData, judgments: Judgments, *, name: str) -> Ranking:
    """Rank the documents of each query by their scores; those with −inf were not retrieved.

    Tied documents keep the order of the data here; unless they were presented in it, the ranking knows where that
    matters.
    """
    score = system_scores(scores, data, name=name)
    query = data.query_numbers
    order = np.lexsort((-score, query))
    rank = np.arange(data.n_documents) - data.query_offsets[query] + 1
    score, grade = score[order], np.maximum(np.asarray(data.labels)[order], -1.0)
    retrieved = score > -np.inf
    judged = (grade >= 0) & retrieved
    n_retrieved = np.bincount(query[retrieved], minlength=data.n_queries)
    ranking = Ranking(judgments, query[judged], rank[judged], grade[judged], n_retrieved)
    is_tied = np.zeros(data.n_documents, bool)  # is the score that of the document above?
    is_tied[1:] = (score[1:] == score[:-1]) & (query[1:] == query[:-1]) & retrieved[1:]
    matters = is_tied & (grade != np.roll(grade, 1))
    if data.is_presented or not matters.any():
        return ranking
    tie = np.cumsum(~is_tied)
    above = np.flatnonzero(is_tied & np.isin(tie, tie[matters])) - 1
    has_ties = np.isin(np.arange(data.n_queries), query[matters])
    rows = np.flatnonzero(retrieved & has_ties[query])
    best_first = rows[np.lexsort((-grade[rows], tie[rows]))]
    documents = Ranking(judgments, query[rows], rank[rows], grade[best_first], n_retrieved * has_ties)
    ties = TiedRanking(documents, np.flatnonzero(np.diff(tie[rows], prepend=0)))
    return replace(ranking, tied_ranks=(query[above], rank[above]), ties=ties)


def ranks_of_scores(scores: ScoresLike, data: RankingData, *, name: str) -> Integers:
    """Each document's rank in its query, from 1."""
    order = np.lexsort((-system_scores(scores, data, name=name), data.query_numbers))
    rank = np.empty(data.n_documents, np.int64)
    rank[order] = np.arange(data.n_documents) - data.query_offsets[data.query_numbers] + 1
    return rank


def _named_systems(systems: Any) -> dict[str, Any]:
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
