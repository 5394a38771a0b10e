from __future__ import annotations

import numpy as np

import riskrank as rr
from riskrank.data.example import example_files
from riskrank.report.text.gate_text import gate_text


def test_harmless_names_stay_as_they_are():
    name = "bm25::rm3, a#b [c]"
    scores = rr.Effectiveness.from_rows({name: [0.6, 0.6], "new": [0.1, 0.6]}, topics=[name, "other"])
    result = rr.gate(scores, "new", name, max_loss=0.2)
    assert "FAIL  new must not replace bm25::rm3, a#b [c]" in repr(result)
    assert "\nbm25::rm3, a#b [c]  " in repr(result)


SCREEN = """\
FAIL  neural must not replace bm25: 2 of 3 checks fail (nDCG@10, gains = grade,
50 topics)

✗ mean loss     0.087     at most 0.01  8.7 times; 95% interval 0.045 to 0.155
✗ largest loss  0.753     at most 0.3   8 topics lose more
✓ topics hurt   14 (28%)  at most 30%   unsure; 95% interval 17% to 42%

To be sure, it takes over 1,000 topics for topics hurt (too near its limit).

topic   bm25  neural  change
133    0.984   0.231  −0.753
118    0.799   0.202  −0.598
113    0.585   0.000  −0.585
104    0.932   0.431  −0.501
146    0.530   0.073  −0.458
… and 9 more

It gains +0.154 on average (95% interval +0.046 to +0.261)."""


def test_the_first_screen():
    qrels, runs = example_files()
    result = rr.gate(
        qrels, {"neural": runs["neural"]}, {"bm25": runs["bm25"]}, max_risk=0.01, max_loss=0.3, max_hurt=0.3
    )
    assert repr(result) == SCREEN
    styled = gate_text(result, styled=True)
    assert styled.startswith("\x1b[33mFAIL\x1b[0m  \x1b[1mneural\x1b[0m must not")
    assert "\n\x1b[34m✓\x1b[0m topics hurt" in styled


def test_of_many_segments_those_that_fail_are_listed_and_some_that_hold():
    old = np.full(1300, 0.5)
    segments = {str(i + 1): f"segment {i % 13:02}" for i in range(1300)}
    new = np.array([0.4 if i % 13 == 12 else 0.6 for i in range(1300)])
    scores = rr.Effectiveness.from_rows({"old": old, "new": new})
    result = rr.gate(scores, "new", "old", segments=segments, no_significant_loss=True)
    lines = gate_text(result, hint=" (--show all)").splitlines()
    listed = [line for line in lines if "  100 topics" in line]
    assert listed[0] == "✗ segment 12  100 topics  significant loss: yes"
    assert len(listed) == 10
    assert "… and 3 more segments, none broken (--show all)" in lines
    assert "more segments" not in gate_text(result, limit=100)


def test_of_a_segment_that_breaks_several_limits_the_worst_is_said():
    scores = rr.Effectiveness.from_rows({"old": np.full(80, 0.5), "new": np.linspace(0.0, 0.2, 80)})
    segments = {topic: "first" if int(topic) <= 40 else "last" for topic in scores.topics}
    result = rr.gate(scores, "new", "old", max_hurt=0.5, max_risk=0.1, segments=segments)
    assert "✗ first  40 topics  mean loss: 0.451, at most 0.1; 1 more fails" in repr(result)


def test_a_topic_without_results_that_loses_nothing_has_no_sign():
    qrels = {"1": {"a": 1}, "2": {"a": 1}}
    runs = {"new": {"1": {"a": 1.0}}, "old": {"1": {"a": 1.0}, "2": {"b": 1.0}}}
    result = rr.gate(qrels, {"new": runs["new"]}, {"old": runs["old"]})
    assert "\n2      0.000  0.000   0.000\n" in repr(result)
    assert "| 0.000 | 0.000 | 0.000 |" in result.to_markdown()
