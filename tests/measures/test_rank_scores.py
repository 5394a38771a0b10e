from __future__ import annotations

import numpy as np

from riskrank import Feature, RankingData, evaluate
from riskrank.measures.rank_scores import judgments_of_labels, rank_scores, ranks_of_scores


def test_ties_in_feature_data_keep_the_order_of_the_file():
    data = RankingData.from_arrays(np.zeros((2, 1)), [1, 0], group=[2])
    assert evaluate(data, {"x": [0.5, 0.5]}, "RR")["x"].tolist() == [1.0]


def test_ranks_start_anew_in_each_query():
    data = RankingData.from_arrays(np.zeros((5, 1)), [0, 1, 2, 0, 1], group=[3, 2])
    assert ranks_of_scores([0.1, 0.3, 0.2, 0.5, 0.5], data, name="x").tolist() == [3, 1, 2, 1, 2]


def test_documents_of_minus_infinity_are_not_retrieved_and_ties_are_known_by_their_rank():
    data = RankingData.from_arrays(np.zeros((3, 1)), [1, 2, -1], group=[3])
    ranking = rank_scores([-np.inf, 0.5, 0.5], data, judgments_of_labels(data), name="x")
    assert ranking.retrieved.tolist() == [2]
    assert (ranking.rank.tolist(), ranking.grade.tolist()) == ([1], [2])  # a label below 0 is not judged
    assert (ranking.ties_at(1), ranking.ties_at(2)) == (1, 0)


def test_a_feature_is_a_system():
    data = RankingData.from_arrays([[0.5], [1.0]], [1, 0], group=[2])
    alone, named = evaluate(data, Feature(1), "RR"), evaluate(data, {"text": Feature(1)}, "RR")
    assert (alone.systems, named.systems) == (("feature:1",), ("text",))
    assert alone.matrix.tolist() == named.matrix.tolist() == [[0.5]]
