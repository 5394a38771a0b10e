from __future__ import annotations

import riskrank as rr

QRELS = {"1": {"a": 2, "b": 1, "c": -1}, "2": {"a": 1, "b": 0}, "3": {"a": 1}}
OLD = {"1": {"a": 3.0, "b": 2.0}, "2": {"a": 3.0, "x": 2.0}, "3": {"a": 1.0}}
NEW = {"1": {"x": 3.0, "c": 2.0, "a": 1.0}, "2": {"y": 3.0, "a": 2.0}, "3": {"a": 1.0}}


def test_documents_that_nobody_judged_in_the_candidate_only():
    result = rr.gate(QRELS, NEW, OLD, "RR@2", max_loss=0.1)
    # topic 1: x and c (grade −1: not judged) lead; topic 2: the baseline has one, too
    assert [(topic.topic, topic.n_unjudged) for topic in result.broken_topics] == [("1", 2), ("2", 0)]


def test_only_as_deep_as_the_measure_looks():
    result = rr.gate(QRELS, NEW, OLD, "RR@1", max_loss=0.1)
    assert [(topic.topic, topic.n_unjudged) for topic in result.broken_topics] == [("1", 1), ("2", 1)]


def test_scores_and_feature_data_tell_nothing_of_it():
    scores = rr.Effectiveness.from_rows({"old": [0.5], "new": [0.1]})
    assert rr.gate(scores, "new", "old", max_loss=0.1).broken_topics[0].n_unjudged == 0
    data = rr.RankingData.from_arrays([[1.0], [2.0]], [1, 0], group=[2])
    assert rr.gate(data, "feature:1", {"best": [1.0, 0.0]}, "RR", max_loss=0.1).broken_topics[0].n_unjudged == 0
