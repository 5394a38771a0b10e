from __future__ import annotations

import pytest

import riskrank as rr
from riskrank.errors import FileError, ParameterError

QRELS = {"1": {"a": 1}, "2": {"a": 1}}
RUNS = {"new": {topic: {"b": 2.0, "a": 1.0} for topic in QRELS}}, {"old": {topic: {"a": 1.0} for topic in QRELS}}


@pytest.mark.parametrize(
    ("limits", "message"),
    [
        ({"max_loss": 50}, "max_loss = 50 checks nothing: nDCG@10 is from 0 to 1."),
        ({"max_risk": 1.5}, "max_risk = 1.5 checks nothing: nDCG@10 is from 0 to 1."),
        ({"max_hurt": 0.1, "tolerance": 5}, "tolerance = 5 checks nothing: nDCG@10 is from 0 to 1."),
        ({"min_gain": -5}, "min_gain = -5 checks nothing: nDCG@10 is from 0 to 1."),
        ({"min_gain": 1.5}, "min_gain = 1.5 stops everything: nDCG@10 is from 0 to 1."),
        ({"min_urisk": -2.1}, "min_urisk = -2.1 checks nothing: nDCG@10 is from 0 to 1."),  # losses weigh 2 at alpha 1
    ],
)
def test_limits_beyond_the_measure_are_refused(limits, message):
    with pytest.raises(ParameterError) as caught:
        rr.gate(QRELS, *RUNS, **limits)
    assert str(caught.value) == message


@pytest.mark.parametrize(
    ("measure", "limits"),
    [
        ("DCG@10", {"max_loss": 50}),  # it may be that large
        ("nDCG@10", {"min_urisk": -5, "alpha": 4}),
        ("GM(AP)", {"max_loss": 1}),
    ],
)
def test_what_can_be_reached_is_checked(measure, limits):
    assert rr.gate(QRELS, *RUNS, measure, **limits).passed


def test_of_given_scores_nothing_is_known():
    scores = rr.Effectiveness.from_rows({"old": [80.0, 90.0], "new": [20.0, 90.0]}, measure="nDCG@10")
    assert not rr.gate(scores, "new", "old", max_loss=50).passed


def test_the_line_of_the_limit_is_named(tmp_path):
    path = tmp_path / "budget.toml"
    path.write_text("[limits]\nmax_hurt = 0.5\nmax_loss = 50\n")
    with pytest.raises(FileError, match=r"budget.toml:3: max_loss = 50 checks nothing"):
        rr.gate(QRELS, *RUNS, budget=path)
    assert not rr.gate(QRELS, *RUNS, budget=path, max_loss=0.1).passed  # which comes before the file's
    path.write_text('[limits]\nmax_loss = 1\n[measure."AP"]\nmax_risk = 2\n')
    with pytest.raises(FileError, match=r"budget.toml:4: max_risk = 2 checks nothing: AP is"):
        rr.gate(QRELS, *RUNS, budget=path)
    with pytest.raises(ParameterError, match=r"^max_loss = 3 checks nothing"):
        rr.gate(QRELS, *RUNS, budget=path, max_loss=3, max_risk=0.2)
    path.write_text("[segment.mobile]\nmin_gain = -7\n")
    with pytest.raises(FileError, match=r"budget.toml:2: min_gain = -7 checks nothing"):
        rr.gate(QRELS, *RUNS, budget=path, segments={"1": "mobile"})


@pytest.mark.parametrize("name", ["nDCG@10", "AP", "RR", "ERR@10", "P@5", "R@50", "Success@1", "Bpref", "RBP"])
def test_a_perfect_ranking_reaches_at_most_the_largest_value(name):
    from riskrank.measures import parse_measure

    qrels = {"1": {f"d{i}": 4 for i in range(50)}}
    scores = rr.evaluate(qrels, {"best": {"1": {f"d{i}": 50.0 - i for i in range(50)}}}, name)
    assert parse_measure(name).largest == 1
    assert 0.9 < float(scores["best"].max()) <= 1
