"""What is said of a gate: values by hand."""

from __future__ import annotations

import pytest

import riskrank as rr
from riskrank.report.findings.gate_findings import gate_findings, overall, would_pass
from riskrank.report.findings.words import plain

from .changes import N_TOPICS, OLD, changes
from .gates import SCORES, compared, said


@pytest.mark.parametrize(
    ("budget", "headline"),
    [
        ({"max_risk": 0.1}, "new may replace old"),
        ({"max_risk": 0.01}, "new must not replace old"),
        ({"max_risk": 0.1, "max_loss": 0.1}, "new may replace old: both checks hold"),
        ({"max_risk": 0.1, "max_loss": 0.1, "max_hurt": 0.5}, "new may replace old: all 3 checks hold"),
        ({"max_risk": 0.1, "max_loss": 0.05}, "new must not replace old: 1 of 2 checks fails"),
        ({"max_risk": 0.01, "max_loss": 0.05}, "new must not replace old: 2 of 2 checks fail"),
    ],
)
def test_the_verdict(budget, headline):
    assert plain(said(**budget).headline) == headline


@pytest.mark.parametrize(
    ("budget", "sentence"),
    [
        ({"max_risk": 0.005}, "Its mean loss is 0.0200, 4.0 times the limit."),
        ({"max_risk": 0.005, "max_loss": 0.07}, "Its mean loss is 0.0200, 4.0 times the limit."),
        (
            {"max_risk": 0.1, "max_loss": 0.1},
            "Its largest loss is 0.080, the limit is 0.1.",
        ),  # 0.8 of it, the other 0.2
        ({"max_loss": 0.0779}, "Its largest loss is 0.08000, just over the limit."),
        ({"max_hurt": 0.246}, "Topics hurt: 10 (25%), just over the limit."),
        ({"max_loss": 0.0}, "Its largest loss is 0.080, and must be at most 0."),
        ({"max_hurt": 0.1}, "Topics hurt: 10 (25%), 2.5 times the limit."),
        ({"min_urisk": -0.05, "alpha": 1}, "Its URisk at α = 1 is +0.035, the limit is −0.05."),  # 0.055 − 0.02
        ({"max_severe": 0.02}, "Hurt by over 0.3: 0 (0%), the limit is 2%."),
        ({"min_gain": 0.1}, "Its mean change is +0.055, and must be at least 0.1."),
        ({"must_not_break": ["1"]}, "Hurt by over 0.05: 10 (25%), 1.2 times the limit."),
        ({"max_loss": 1, "must_not_break": ["40"]}, "1 topic that must not break is hurt: 40."),
        ({"budget": rr.risk.Budget(no_significant_loss=True)}, "No significant loss at α = 1."),
    ],
)
def test_the_check_that_decides(budget, sentence):
    assert said(**budget).decisive == sentence


def test_broken_checks_stand_first_then_the_tightest():
    order = [each.name for each in said(max_risk=0.5, max_loss=0.1, max_hurt=0.2).checks]
    assert order == ["topics hurt", "largest loss", "mean loss"]  # 1.25, 0.8 and 0.04 of their limits


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ((10, -0.08), "It gains +0.055 on average ("),
        ((10, -0.5), "It loses 0.050 on average ("),
        ((10, -0.3), "On average it changes nothing ("),
    ],
)
def test_what_is_gained(change, sentence):
    scores = rr.Effectiveness.from_rows({"old": OLD, "new": OLD + changes((30, 0.1), change)})
    assert plain(gate_findings(compared(scores, max_risk=1)).gain).startswith(sentence)


@pytest.mark.parametrize(
    ("budget", "sentence"),
    [
        ({"max_risk": 0.016}, "Used on 80% of topics, drawn at random, new is expected to lose 0.0160 per topic"),
        ({"max_risk": 0.016}, " and to gain +0.0440."),  # 0.8 of 0.055
        ({"max_risk": 0.0133}, "Used on 66% of topics,"),  # 66.5 %, rounded down
        ({"max_risk": 0.00031}, "Used on 1.5% of topics,"),
        ({"max_risk": 0.01, "max_loss": 0.05}, " Single topics could still lose more than 0.05."),
    ],
)
def test_what_would_pass(budget, sentence):
    assert sentence in would_pass(compared(**budget)).sentence


@pytest.mark.parametrize("budget", [{"max_risk": 0.5}, {"max_loss": 0.01}, {"max_risk": 0}, {"max_risk": 1e-6}, {}])
def test_nothing_would_pass_where_the_mean_loss_is_not_what_fails(budget):
    assert would_pass(compared(**budget)) is None


def test_a_candidate_without_gain_is_not_worth_a_share():
    assert would_pass(compared(candidate="old", baseline="new", max_risk=0.01)) is None


def test_segments_say_what_they_break_and_what_is_unsure():
    names = {str(i + 1): "wins" if i < 30 else "loses" for i in range(N_TOPICS)}
    budget = rr.GateBudget(limits=rr.risk.Budget(max_hurt=0.5), fewest_in_segment=5)
    loses, wins = said(budget=budget, segments=names).segments  # broken ones first
    assert (wins.name, wins.size, wins.holds, wins.note) == ("wins", "30 topics", True, "")
    assert (loses.holds, loses.checks[0].value) == (False, "10 (100%)")
    few = said(max_hurt=0.5, segments=names).segments[1]
    assert (few.checks, few.note) == ((), "too few to check")


def test_a_segment_that_passes_though_it_is_over_says_why_and_pooled_ones_are_named():
    names = {str(i + 1): "wins" if i < 20 else f"part {i % 5}" for i in range(N_TOPICS)}
    segments = {each.name: each for each in said(max_hurt=0.4, segments=names).segments}
    pooled = segments["(small segments)"]  # 10 of 20 are hurt: half, where at most 40% may be
    assert pooled.holds
    assert pooled.size == "20 topics of part 0, part 1, part 2 and 2 more"
    assert pooled.note == "passes, not surely over: topics hurt 10 (50%)"
    failed = {each.name: each for each in said(max_hurt=0.4, max_risk=0.001, segments=names).segments}
    assert (failed["(small segments)"].holds, failed["(small segments)"].note) == (False, "")
    assert segments["wins"].note == ""


def test_several_comparisons_are_counted():
    result = rr.gate(SCORES, ["new", "old"], "old", max_loss=0.05)
    assert overall(result) == "1 of 2 comparisons fails"
    assert overall(rr.gate(SCORES, ["old", "old"], "old", max_loss=0.05)) == "both comparisons pass"
    assert overall(rr.gate(SCORES, "new", "old", max_loss=0.05)) == ""


def test_protected_topics_that_hold_are_not_what_decides():
    said = gate_findings(rr.gate(SCORES, "new", "old", max_risk=0.03, must_not_break=["1"]).comparison)
    assert said.decisive == "Its mean loss is 0.020, the limit is 0.03."
    assert [(each.name, each.sentence) for each in said.checks][1:] == [
        ("protected topics hurt", "No topic that must not break lost anything.")
    ]
