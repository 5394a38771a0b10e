"""What is said of a gate: values by hand, intervals by the functions that have tests of their own."""

from __future__ import annotations

import math
from datetime import date

import numpy as np
import pytest

import riskrank as rr
from riskrank.report.findings.gate_findings import gate_findings, overall, topics_compared, weighing, would_pass
from riskrank.report.findings.words import plain
from riskrank.risk.inference.shares import wilson
from riskrank.risk.intervals import intervals

from .changes import N_TOPICS, OLD, changes

NEW = OLD + changes((30, 0.1), (10, -0.08))  # risk 0.8 / 40 = 0.02, gain 2.2 / 40 = 0.055, a quarter hurt
SCORES = rr.Effectiveness.from_rows({"old": OLD, "new": NEW}, measure="AP")


def compared(scores=SCORES, candidate="new", baseline="old", **options):
    (comparison,) = rr.gate(scores, candidate, baseline, **options).comparisons
    return comparison


def said(**options):
    return gate_findings(compared(**options))


@pytest.mark.parametrize(
    ("budget", "headline"),
    [
        ({"max_risk": 0.1}, "new may replace old"),
        ({"max_risk": 0.01}, "new may not replace old"),
        ({"max_risk": 0.1, "max_loss": 0.1}, "new may replace old: both checks hold"),
        ({"max_risk": 0.1, "max_loss": 0.1, "max_hurt": 0.5}, "new may replace old: all 3 checks hold"),
        ({"max_risk": 0.1, "max_loss": 0.05}, "new may not replace old: 1 of 2 checks fails"),
        ({"max_risk": 0.01, "max_loss": 0.05}, "new may not replace old: 2 of 2 checks fail"),
    ],
)
def test_the_verdict(budget, headline):
    assert plain(said(**budget).headline) == headline


@pytest.mark.parametrize(
    ("budget", "sentence"),
    [
        ({"max_risk": 0.005}, "Its mean loss is 0.0200, 4.0 times the limit."),
        ({"max_risk": 0.005, "max_loss": 0.07}, "Its mean loss is 0.0200, 4.0 times the limit."),
        ({"max_risk": 0.1, "max_loss": 0.1}, "Its largest loss is 0.080, at most 0.1."),  # 0.8 of it, the other 0.2
        ({"max_loss": 0.0779}, "Its largest loss is 0.08000, just over the limit."),
        ({"max_hurt": 0.246}, "Topics hurt: 10 (25%), just over the limit."),
        ({"max_loss": 0.0}, "Its largest loss is 0.080, and must be at most 0."),
        ({"max_hurt": 0.1}, "Topics hurt: 10 (25%), 2.5 times the limit."),
        ({"min_urisk": -0.05, "alpha": 1}, "Its URisk at α = 1 is +0.035, at least −0.05."),  # 0.055 − 0.02
        ({"max_severe": 0.02}, "Hurt by over 0.3: 0 (0%), at most 2%."),
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
    ("limit", "note", "sentence"),
    [
        (0.001, "20 times", "20 times the limit. Clearly over: the whole 95% interval, {}, lies beyond it."),
        (0.018, "unsure", "1.1 times the limit. Over, but not surely: the 95% interval, {}, reaches within it."),
        (0.0195, "unsure", "Just over the limit, but not surely: the 95% interval, {}, reaches within it."),
        (0.022, "unsure", "Within, but not surely: the 95% interval, {}, reaches beyond the limit."),
        (0.1, "surely", "Surely within: so is the whole 95% interval, {}."),
    ],
)
def test_how_sure_the_mean_loss_is(limit, note, sentence):
    low, high = intervals(NEW, OLD)["risk"]
    n_decimals = {0.1: 3, 0.0195: 5}.get(limit, 4)
    limits = f"{low:.{n_decimals}f} to {high:.{n_decimals}f}"
    (check,) = said(max_risk=limit).checks
    assert check.check.interval == (low, high)
    assert check.note == f"{note}; 95% interval {limits}"
    assert check.sentence == sentence.format(limits)


def test_a_clear_loss_just_over_its_limit_is_called_clear():
    scores = rr.Effectiveness.from_rows({"old": np.full(400, 0.5), "new": np.full(400, 0.4)}, measure="AP")
    (check,) = gate_findings(compared(scores, max_hurt=0.985)).checks  # all are hurt, Wilson's interval is above 0.99
    assert check.note.startswith("clearly; 95% interval 99")
    assert check.sentence.startswith("Just over the limit, clearly: the whole 95% interval, 99")


def test_what_keeps_its_limit_but_for_rounding_is_not_over_it():
    (check,) = said(max_risk=0.02 - 1e-13).checks
    assert check.check.holds
    assert "over" not in check.sentence.partition(":")[0]


def test_the_share_hurt_has_wilsons_interval():
    (check,) = said(max_hurt=0.2).checks
    low, high = wilson(10, N_TOPICS, 0.95)
    assert (check.value, check.limit) == ("10 (25%)", "at most 20%")
    assert check.note == f"unsure; 95% interval {low:.0%} to {high:.0%}"


def test_the_largest_loss_has_no_interval():
    (check,) = said(max_loss=0.05).checks
    assert check.note == "10 topics lose more"
    assert math.isnan(check.check.interval[0])


def test_lower_limits_are_mirrored():
    (check,) = said(min_urisk=0.01, alpha=5).checks  # 0.055 − 5 × 0.02 = −0.045
    assert (check.name, check.value, check.limit) == ("URisk, α = 5", "−0.045", "at least 0.01")
    low, high = intervals(NEW, OLD, alphas=[5])["urisk_5"]
    assert low < 0.01 < high
    assert check.note == f"unsure; 95% interval {low:+.3f} to {high:+.3f}".replace("-", "−")


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


def test_equal_systems_are_told():
    same = rr.Effectiveness.from_rows({"old": OLD, "new": OLD})
    assert "They are equal on every topic: are they the same run?" in gate_findings(compared(same)).remarks


def test_default_limits_topics_needed_and_accepted_losses_are_remarked():
    assert "No limit was given: these are the default ones (docs/gate.md)." in said().remarks
    worst, needed = said(max_risk=0.022).remarks
    assert worst.startswith("It loses most on 31 −0.080, 32")
    assert needed.startswith("To be sure, it takes about ")
    assert needed.endswith(" topics for mean loss.")
    loss = rr.AcceptedLoss("40", "out of\nstock", date(2100, 1, 1))
    assert said(max_risk=0.5, accepted=[loss]).remarks[1:] == ("Accepted: 40 −0.080 until 2100-01-01: out of\\nstock",)


def test_documents_that_nobody_judged_are_remarked():
    qrels = {"1": {"a": 1}, "2": {"a": 1}}
    old, new = {t: {"a": 1.0} for t in qrels}, {t: {"x": 2.0, "a": 1.0} for t in qrels}
    (comparison,) = rr.gate(qrels, {"new": new}, {"old": old}, "RR", max_loss=0.1).comparisons
    assert gate_findings(comparison).remarks[-1] == (
        "Perhaps no loss, but documents that nobody judged, among the first of new only: 1 (1) and 2 (1). Judge them."
    )


def test_segments_say_what_they_break_and_what_is_unsure():
    names = {str(i + 1): "wins" if i < 30 else "loses" for i in range(N_TOPICS)}
    budget = rr.GateBudget(limits=rr.risk.Budget(max_hurt=0.5), fewest_in_segment=5)
    loses, wins = said(budget=budget, segments=names).segments  # broken ones first
    assert (wins.name, wins.size, wins.holds, wins.note) == ("wins", "30 topics", True, "")
    assert (loses.holds, loses.checks[0].value) == (False, "10 (100%)")
    few = said(max_hurt=0.5, segments=names).segments[1]
    assert (few.checks, few.note) == ((), "too few to check")


def test_several_comparisons_are_counted():
    result = rr.gate(SCORES, ["new", "old"], "old", max_loss=0.05)
    assert overall(result) == "1 of 2 comparisons fails"
    assert overall(rr.gate(SCORES, ["old", "old"], "old", max_loss=0.05)) == "both comparisons pass"
    assert overall(rr.gate(SCORES, "new", "old", max_loss=0.05)) == ""


def test_a_value_never_looks_like_the_limit_it_breaks():
    old = np.full(10_000, 0.5)
    new = np.where(np.arange(10_000) < 2004, 0.4, 0.6)
    scores = rr.Effectiveness.from_rows({"old": old, "new": new}, measure="AP")
    hurt, risk = gate_findings(rr.gate(scores, "new", "old", max_hurt=0.2, max_risk=0.02).comparison).checks
    assert (hurt.value, hurt.limit) == ("2,004 (20.04%)", "at most 20%")
    assert (risk.value, risk.limit) == ("0.02004", "at most 0.02")


def test_small_shares_and_narrow_intervals_have_digits():
    old = np.full(10_000, 0.5)
    scores = rr.Effectiveness.from_rows({"old": old, "new": np.where(np.arange(10_000) < 1, 0.1, 0.6)}, measure="AP")
    (hurt,) = gate_findings(rr.gate(scores, "new", "old", max_hurt=0.02).comparison).checks
    assert (hurt.value, hurt.note) == ("1 (0.01%)", "surely; 95% interval 0.00% to 0.06%")


def weighted_gate(weights, **budget):
    scores = rr.Effectiveness.from_rows({"old": [0.5] * 4, "new": [0.1, 0.6, 0.6, 0.6]}, measure="AP")
    return rr.gate(scores, "new", "old", weights=dict(zip(scores.topics, weights, strict=True)), **budget)


def test_weights_are_told():
    (compared,) = weighted_gate([3, 1, 1, 1], max_risk=0.1).comparisons
    assert topics_compared(compared) == "4 weighted topics"
    # 6² / (9 + 1 + 1 + 1) = 3
    assert weighing(compared) == ["Shares and means are weighted: 4 topics tell as much as 3.0 of equal weight."]
    (compared,) = weighted_gate([2, 2, 2, 2], max_risk=0.1).comparisons
    assert weighing(compared) == ["All topics have the same weight."]
    (compared,) = rr.gate(compared.scores, "new", "old").comparisons
    assert (topics_compared(compared), weighing(compared)) == ("4 topics", [])


SENTENCE = "Shares and means are weighted: 4 topics tell as much as 3.0 of equal weight."


@pytest.mark.parametrize("form", ["__repr__", "_repr_html_", "to_html", "to_markdown", "to_junit", "to_sarif"])
@pytest.mark.parametrize("max_risk", [0.1, 0.9])
def test_what_passes_or_fails_by_weight_says_so(form, max_risk):
    assert SENTENCE in getattr(weighted_gate([3, 1, 1, 1], max_risk=max_risk), form)()
    assert "weighted" not in repr(weighted_gate([1, 1, 1, 1], max_risk=max_risk)).replace("4 weighted topics", "")


@pytest.mark.parametrize("form", ["to_gitlab", "github_annotations", "to_junit", "to_sarif"])
@pytest.mark.parametrize(
    ("budget", "words"),
    [
        ({"max_hurt": 0.1}, "1 of 4 topics hurt (50.0% by weight), at most 10.0%"),
        ({"max_risk": 0.1}, "weighted mean loss 0.2000, at most 0.1"),
        ({"min_urisk": 0}, "weighted URisk -0.3500 at α = 1, at least 0"),
        ({"min_gain": 0}, "weighted mean change -0.1500, at least 0"),
        ({"max_worse": 0.01}, "weighted mean change -0.1500, with 95% confidence at least"),
    ],
)
def test_each_check_that_is_weighted_says_so(form, budget, words):
    shown = getattr(weighted_gate([3, 1, 1, 1], **budget), form)()
    assert words in shown.replace("%25", "%")


def test_protected_topics_that_hold_are_not_what_decides():
    said = gate_findings(rr.gate(SCORES, "new", "old", max_risk=0.03, must_not_break=["1"]).comparison)
    assert said.decisive == "Its mean loss is 0.020, at most 0.03."
    assert [(each.name, each.sentence) for each in said.checks][1:] == [
        ("protected topics hurt", "No topic that must not break lost anything.")
    ]


def test_what_fails_only_since_the_gate_is_strict_says_so():
    (check,) = gate_findings(rr.gate(SCORES, "new", "old", max_hurt=0.3, strict=True).comparison).checks
    assert check.note.startswith("unsure (strict); 95% interval ")
    assert check.sentence.endswith("reaches beyond the limit. The gate is strict.")
    (check,) = gate_findings(rr.gate(SCORES, "new", "old", max_hurt=0.2, strict=True).comparison).checks
    assert check.note.startswith("unsure; 95% interval ")  # it is over, strict or not
