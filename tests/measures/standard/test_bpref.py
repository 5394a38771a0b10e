from __future__ import annotations

from riskrank import evaluate

from .examples import exactly, value, value_with_tie


def test_a_worked_example():
    # R = 3, N = 1: b and d each have the one judged non-relevant document above
    assert value("Bpref") == 0
    # R = 3, N = 2: b has none above, d one of two, e is not retrieved
    qrels = {"1": {"a": 0, "b": 2, "d": 1, "e": 1, "f": 0}}
    run = {"x": {"1": {"b": 9.0, "a": 8.0, "d": 7.0}}}
    assert evaluate(qrels, run, "Bpref")["x"].item() == exactly((1 + (1 - 1 / 2)) / 3)


def test_a_worked_example_with_a_tie():
    # R = N = 2: grade 2 has one or two others above, grade 1 two
    assert value_with_tie("Bpref") == exactly(((1 / 2 + 0) / 2 + 0) / 2)


def test_documents_that_nobody_judged_change_nothing():
    qrels = {"1": {"a": 0, "b": 1, "c": 1}}
    judged = {"b": 5.0, "a": 3.0, "c": 1.0}
    values = evaluate(qrels, {"x": {"1": judged}, "y": {"1": {**judged, "z": 9.0, "y": 4.0}}}, "Bpref")
    assert values["x"] == values["y"] == exactly([(1 + 0) / 2])
