"""Documents of a run in trec_eval's order."""

from __future__ import annotations

from riskrank import read_run
from riskrank.data.trec.ranked_documents import ranked_documents


def ranks(run, topics):
    rows = ranked_documents(read_run(run), topics).sort("topic", "rank").rows()
    return [(topics[topic], document) for topic, document, _ in rows]


def test_higher_scores_come_first_and_ties_by_document_id_descending():
    run = {"q1": {"a": 1.0, "b": 2.0, "c": 1.0, "d": 1.0}}
    assert ranks(run, ("q1",)) == [("q1", document) for document in "bdca"]


def test_scores_that_differ_beyond_single_precision_only_are_tied():
    assert ranks({"q1": {"a": 1.0 + 1e-12, "b": 1.0}}, ("q1",)) == [("q1", "b"), ("q1", "a")]


def test_each_topic_is_ranked_from_1_and_topics_that_are_not_wanted_are_left_out():
    run = {"q1": {"a": 1.0}, "q2": {"b": 1.0}, "q3": {"c": 1.0, "d": 3.0}}
    frame = ranked_documents(read_run(run), ("q3", "q1")).sort("topic", "rank")
    assert frame.rows() == [(0, "d", 1), (0, "c", 2), (1, "a", 1)]
