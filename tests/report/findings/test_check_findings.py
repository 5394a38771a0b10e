"""What is said of a check: values by hand, intervals by the functions that have tests of their own."""

from __future__ import annotations

import math

import numpy as np
import pytest

import riskrank as rr
from riskrank.report.findings.gate_findings import gate_findings
from riskrank.risk.inference.shares import wilson
from riskrank.risk.intervals import intervals

from .changes import N_TOPICS, OLD
from .gates import NEW, SCORES, compared, said, weighted_gate


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


def test_what_fails_only_since_the_gate_is_strict_says_so():
    (check,) = gate_findings(rr.gate(SCORES, "new", "old", max_hurt=0.3, strict=True).comparison).checks
    assert check.note.startswith("unsure (strict); 95% interval ")
    assert check.sentence.endswith("reaches beyond the limit. The gate is strict.")
    (check,) = gate_findings(rr.gate(SCORES, "new", "old", max_hurt=0.2, strict=True).comparison).checks
    assert check.note.startswith("unsure; 95% interval ")  # it is over, strict or not


def test_a_share_by_weight_says_so_beside_the_count():
    check, _ = gate_findings(weighted_gate([3, 1, 1, 1], max_hurt=0.1, max_risk=0.5).comparison).checks
    assert check.value == "1 (50% by weight)"
    check, _ = gate_findings(weighted_gate([2, 2, 2, 2], max_hurt=0.1, max_risk=0.5).comparison).checks
    assert check.value == "1 (25%)"
