from __future__ import annotations

from riskrank.data.trec.qrels import natural_order, read_qrels


def test_topics_stand_in_natural_order():
    assert natural_order(["q10", "10", "9", "q9", "٣"]) == ("9", "10", "q10", "q9", "٣")
    assert read_qrels({"10": {"a": 1}, "9": {"a": 1}}).topics == ("9", "10")


def test_they_print_what_they_hold():
    qrels = read_qrels({"10": {"a": 2, "b": -1}, "9": {"a": 1}})
    assert repr(qrels) == "Qrels: 2 topics, 3 judgments, grades -1 to 2"
    assert len(qrels) == 3
    assert read_qrels(qrels) is qrels
