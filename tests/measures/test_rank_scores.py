from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from riskrank import Feature, RankingData, evaluate
from riskrank.measures.rank_scores import judgments_of_labels, rank_scores, ranks_of_scores


def ranked(labels, scores, *, group):
    data = RankingData.from_arrays(np.zeros((len(labels), 1)), labels, group=group)
    return rank_scores(scores, data, judgments_of_labels(data), name="x")


def test_ties_are_known_in_queries_where_their_order_matters_and_only_there():
    #                  tied, same label | 3 tied of 2 labels, one apart, one not judged | two tied, one not judged
    labels, scores = [1, 1, 0, 0, 1, 2, -1, -1, -2], [5, 5, 1, 3, 3, 3, 4, 7, 7]
    ties = ranked(labels, scores, group=[3, 4, 2]).ties
    assert ties.topics.tolist() == [1]
    assert ties.documents.grade.tolist() == [-1, 2, 1, 0]  # best first among the tied
    assert ties.documents.rank.tolist() == [1, 2, 3, 4]
    assert (ties.starts.tolist(), ties.sizes.tolist()) == ([0, 1], [1, 3])
    assert ranked([0, 1, 2], [0.3, 0.2, 0.1], group=[3]).ties is None


def test_documents_keep_the_order_in_which_they_were_presented():
    data = RankingData.from_arrays(np.zeros((5, 1)), [1, 0, 0, 0, 2], group=[2, 3])
    presented = replace(data, is_presented=True)
    scores = {"x": [0.5, 0.5, 0.5, 0.5, 0.5]}
    assert evaluate(presented, scores, "RR")["x"].tolist() == [1, 1 / 3]
    assert evaluate(presented.take([1]), {"x": [0.5, 0.5, 0.5]}, "RR")["x"].tolist() == [1 / 3]
    assert evaluate(data, scores, "RR")["x"] == pytest.approx([3 / 4, (1 + 1 / 2 + 1 / 3) / 3])


def test_a_tie_with_a_document_that_is_not_judged_matters():
    ties = ranked([-3, 1, 0], [2, 2, 1], group=[3]).ties
    assert ties.documents.grade.tolist() == [1, -1, 0]


def test_documents_that_were_not_retrieved_are_not_tied():
    ranking = ranked([0, 1, 2, 0], [-np.inf, 0.5, -np.inf, -np.inf], group=[4])
    assert ranking.ties is None
    assert [ranking.ties_at(cutoff) for cutoff in (1, 2, 3)] == [0, 0, 0]


def test_ties_at_the_cutoff_are_counted_where_their_order_matters():
    data = RankingData.from_arrays(np.zeros((6, 1)), [1, 1, 0, 0, 0, 2], group=[3, 3])
    counts = {f"P@{k}": evaluate(data, {"x": [1, 1, 0, 3, 2, 2]}, f"P@{k}").ties_at_cutoff for k in (1, 2, 3)}
    assert counts == {"P@1": {}, "P@2": {"x": 1}, "P@3": {}}


def test_ranks_start_anew_in_each_query():
    data = RankingData.from_arrays(np.zeros((5, 1)), [0, 1, 2, 0, 1], group=[3, 2])
    assert ranks_of_scores([0.1, 0.3, 0.2, 0.5, 0.5], data, name="x").tolist() == [3, 1, 2, 1, 2]


def test_documents_of_minus_infinity_are_not_retrieved_and_ties_are_known_by_their_rank():
    data = RankingData.from_arrays(np.zeros((3, 1)), [1, 2, -1], group=[3])
    ranking = rank_scores([-np.inf, 0.5, 0.5], data, judgments_of_labels(data), name="x")
    assert ranking.retrieved.tolist() == [2]
    assert (ranking.rank.tolist(), ranking.grade.tolist()) == ([1], [2])  # a label below 0 is not judged
    assert (ranking.ties_at(1), ranking.ties_at(2)) == (1, 0)
    assert ranking.ties.documents.retrieved.tolist() == [2]


def test_a_feature_is_a_system():
    data = RankingData.from_arrays([[0.5], [1.0]], [1, 0], group=[2])
    alone, named = evaluate(data, Feature(1), "RR"), evaluate(data, {"text": Feature(1)}, "RR")
    assert (alone.systems, named.systems) == (("feature:1",), ("text",))
    assert alone.matrix.tolist() == named.matrix.tolist() == [[0.5]]
