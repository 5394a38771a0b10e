from __future__ import annotations

import numpy as np
import pytest

import riskrank as rr
from riskrank.assessment.gating.segments import POOLED, WITHOUT, group_topics
from riskrank.errors import AlignmentError
from riskrank.risk import Budget

RNG = np.random.default_rng(3)
OLD = RNG.uniform(0.4, 0.6, 90)
TOPICS = [f"t{i}" for i in range(90)]


def result(new, segments, **options):
    scores = rr.Effectiveness.from_rows({"old": OLD, "new": new}, topics=TOPICS)
    return rr.gate(scores, "new", "old", segments=segments, **options)


def test_groups_are_sorted_by_size_and_small_ones_are_pooled():
    names = dict.fromkeys(TOPICS[:30], "b") | dict.fromkeys(TOPICS[30:70], "a")
    names |= dict.fromkeys(TOPICS[70:75], "x") | dict.fromkeys(TOPICS[75:80], "y")
    groups = group_topics(TOPICS, names, fewest=20)
    assert [(group.name, len(group.positions)) for group in groups] == [("a", 40), ("b", 30), (POOLED, 20)]
    assert groups[-1].pooled == (WITHOUT, "x", "y")
    kept = group_topics(TOPICS, names, fewest=20, own=["y"])
    assert [group.name for group in kept] == ["a", "b", "y", POOLED]


def test_a_single_small_group_keeps_its_name():
    groups = group_topics(TOPICS, dict.fromkeys(TOPICS[:85], "a") | dict.fromkeys(TOPICS[85:], "b"), fewest=20)
    assert [group.name for group in groups] == ["a", "b"]


def test_segments_of_other_topics_are_refused():
    with pytest.raises(
        AlignmentError, match=r"no topic has a segment: topics are t0, t1, t2 and 87 more, segments are of q1\."
    ):
        result(OLD, {"q1": "a"})


def test_a_segment_breaks_the_common_limits_only_where_that_is_sure():
    segments = {topic: "abc"[i % 3] for i, topic in enumerate(TOPICS)}
    is_a = np.arange(90) % 3 == 0
    slightly = OLD.copy()
    slightly[np.flatnonzero(is_a)[:8]] -= 0.1  # 8 of 30, over 20 % but not surely
    (comparison,) = result(slightly, segments, max_hurt=0.2).comparisons
    assert comparison.passed
    assert [segment.checks[0].sureness for segment in comparison.segments] == [
        "over, not surely",
        "surely within",
        "surely within",
    ]
    (comparison,) = result(OLD - 0.1 * is_a, segments, max_hurt=0.5).comparisons
    assert [check.holds for check in comparison.checks] == [True]
    assert [segment.checks[0].holds for segment in comparison.segments] == [False, True, True]
    assert not comparison.passed
    assert {topic.topic for topic in comparison.broken_topics} == {t for t, name in segments.items() if name == "a"}


def test_limits_of_its_own_are_decided_by_the_value():
    segments = {topic: "abc"[i % 3] for i, topic in enumerate(TOPICS)}
    slightly = OLD.copy()
    slightly[np.flatnonzero(np.arange(90) % 3 == 0)[:8]] -= 0.1
    budget = rr.GateBudget(limits=Budget(max_hurt=0.5), by_segment={"a": Budget(max_hurt=0.2)})
    (comparison,) = result(slightly, segments, budget=budget).comparisons
    first = comparison.segments[0]
    assert (first.name, first.has_budget, first.checks[0].holds) == ("a", True, False)


def test_confidence_is_corrected_for_the_number_of_segments():
    segments = {topic: "abc"[i % 3] for i, topic in enumerate(TOPICS)}
    (comparison,) = result(OLD - 0.01, segments, max_hurt=0.5).comparisons
    assert comparison.checks[0].confidence == pytest.approx(0.95)
    assert [s.checks[0].confidence for s in comparison.segments] == pytest.approx([1 - 0.05 / 3] * 3)


def test_null_segments_seldom_break_a_limit_that_they_keep_in_truth():
    # 40 segments of 25 topics, of which a fifth is hurt in truth: by values alone, about half would break 20 %
    rng, n_false = np.random.default_rng(0), 0
    topics = [str(i) for i in range(1000)]
    segments = {topic: str(int(topic) % 40) for topic in topics}
    for _ in range(20):
        change = np.where(rng.random(1000) < 0.2, -0.1, 0.1)
        scores = rr.Effectiveness.from_rows({"old": np.full(1000, 0.5), "new": 0.5 + change}, topics=topics)
        (comparison,) = rr.gate(scores, "new", "old", max_hurt=0.2, segments=segments).comparisons
        n_false += any(not check.holds for segment in comparison.segments for check in segment.checks)
    assert n_false <= 4  # 5 % of 20 is 1; more than 4 come by chance once in 400 times


def test_segments_that_are_too_small_are_told_and_not_checked():
    segments = dict.fromkeys(TOPICS[:80], "a") | dict.fromkeys(TOPICS[80:], "b")
    (comparison,) = result(OLD - 0.01, segments, max_hurt=1.0).comparisons
    assert [(s.name, len(s.positions), len(s.checks)) for s in comparison.segments] == [("a", 80, 1), ("b", 10, 0)]


def test_limits_that_say_nothing_of_a_part_are_those_of_all_topics():
    segments = {topic: "ab"[i % 2] for i, topic in enumerate(TOPICS)}
    (comparison,) = result(OLD - 0.01, segments, max_loss=0.5, max_worse=0.5, max_risk=0.1).comparisons
    assert [check.name for check in comparison.segments[0].checks] == ["risk"]


def test_a_segment_without_weight_or_limit_says_so():
    segments = {topic: "ab"[i % 2] for i, topic in enumerate(TOPICS)}
    weights = {topic: float(segments[topic] == "a") for topic in TOPICS}
    (comparison,) = result(OLD - 0.1, segments, max_hurt=0.9, weights=weights).comparisons
    assert [(s.name, s.unchecked) for s in comparison.segments] == [("a", ""), ("b", "without weight, not checked")]
    (comparison,) = result(OLD - 0.1, segments, max_loss=0.9).comparisons
    assert {s.unchecked for s in comparison.segments} == {"no limit for segments"}


@pytest.mark.parametrize(
    ("n_segments", "why"),
    [(1, "all topics, checked above"), (30, "each too small to check; together all topics, checked above")],
)
def test_a_segment_of_all_topics_does_not_repeat_their_checks(n_segments, why):
    segments = {topic: str(i % n_segments) for i, topic in enumerate(TOPICS)}
    (comparison,) = result(OLD - 0.1, segments, max_hurt=0.9).comparisons
    assert [(len(s.positions), s.checks, s.unchecked) for s in comparison.segments] == [(90, (), why)]
    assert not comparison.passed
    if n_segments == 1:
        budget = rr.GateBudget(limits=Budget(max_hurt=0.9), by_segment={"0": Budget(max_risk=0.2)})
        (comparison,) = result(OLD - 0.1, segments, budget=budget).comparisons
        assert [check.name for check in comparison.segments[0].checks] == ["risk"]
