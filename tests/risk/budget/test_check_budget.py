from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st

from riskrank.errors import ParameterError
from riskrank.risk import Budget, check_budget, intervals, risk, trisk
from riskrank.risk.inference.shares import wilson

from ..examples import BASELINE, SYSTEM, pairs


@pytest.mark.parametrize(
    ("budget", "value", "holds", "topics"),
    [
        ({"max_risk": 0.05}, 0.06, False, (1, 3)),
        ({"max_risk": 0.07}, 0.06, True, ()),
        ({"min_urisk": -0.3, "alpha": 5}, -0.335, False, (1, 3)),
        ({"max_hurt": 0.4}, 0.5, False, (1, 3)),
        ({"max_hurt": 0.25, "tolerance": 0.05}, 0.25, True, ()),
        ({"max_hurt": 0.0, "tolerance": 0.05}, 0.25, False, (1,)),
        ({"max_loss": 0.1}, 0.2, False, (1,)),
        ({"max_loss": 0.2}, 0.2, True, ()),
        ({"max_risk": 0.06}, 0.06, True, ()),
        ({"max_loss": 0.2 - 1e-9}, 0.2, False, (1,)),
    ],
)
def test_each_limit(budget, value, holds, topics):
    (check,) = check_budget(SYSTEM, BASELINE, Budget(**budget))
    assert (check.value, check.holds, check.topics) == (pytest.approx(value), holds, topics)


@pytest.mark.parametrize(
    ("budget", "value", "holds", "topics"),
    [
        ({"max_severe": 0.25, "severe_loss": 0.1}, 0.25, True, ()),
        ({"max_severe": 0.2, "severe_loss": 0.1}, 0.25, False, (1,)),
        ({"max_severe": 0.0}, 0.0, True, ()),  # nobody loses 0.3
        ({"min_gain": -0.035}, -0.035, True, ()),  # (0.1 − 0.2 + 0 − 0.04) / 4
        ({"min_gain": 0.0}, -0.035, False, (1, 3)),
    ],
)
def test_severe_losses_and_gains(budget, value, holds, topics):
    test_each_limit(budget, value, holds, topics)


def test_a_significant_loss_fails():
    alone = Budget(no_significant_loss=True, alpha=5)
    (check,) = check_budget(SYSTEM, BASELINE, alone)
    assert check.holds
    assert check.words == "no significant loss at α = 5: fewer than 6 scores differ from the baseline's"
    assert math.isnan(check.limit)
    worse = [0.5 - 0.2 - 0.01 * i for i in range(10)]
    (check,) = check_budget(worse, [0.5] * 10, replace(alone, alpha=0.0))
    assert not check.holds
    assert check.words.startswith("a significant loss at α = 0: p = 0.00")
    assert check.topics == tuple(range(9, -1, -1))
    (one,) = check_budget([0.4], [0.5], alone)
    assert (one.holds, one.words) == (True, "no significant loss at α = 5: a test needs at least 2 scores, got 1")


def test_without_limits_the_default_ones_are_checked():
    names = ["hurt", "severe", "urisk", "significance"]
    checks = check_budget(SYSTEM, BASELINE, Budget())
    assert [check.name for check in checks] == names
    assert [check.limit for check in checks[:3]] == [0.2, 0.02, -0.01]
    assert {check.alpha for check in checks[2:]} == {1.0}
    assert {check.alpha for check in check_budget(SYSTEM, BASELINE, Budget(alpha=5))[2:]} == {5.0}
    strict = check_budget(SYSTEM, BASELINE, Budget(strict=True))
    assert [check.holds for check in strict] == [False, False, False, True]


def test_an_undefined_statistic_is_judged_by_its_direction():
    for limit in (-1.0, 0.0):
        assert check_budget(BASELINE, BASELINE, Budget(min_trisk=limit))[0].holds
    flat_loss = [b - 0.125 for b in (0.5, 0.75, 0.25)]
    assert not check_budget(flat_loss, [0.5, 0.75, 0.25], Budget(min_trisk=-2))[0].holds
    assert check_budget([0.5, 0.75, 0.25], flat_loss, Budget(min_trisk=2))[0].holds
    with pytest.raises(ParameterError, match="at least 2 scores"):
        check_budget([0.5], [0.4], Budget(min_trisk=0))


def test_the_verdict_of_the_test_decides_and_is_told():
    for n_topics, has_loss in ((3, False), (5, False), (6, True), (30, True)):
        baseline = np.linspace(0.5, 0.9, n_topics)
        for system in (baseline - 0.125, baseline - np.linspace(0.1, 0.2, n_topics)):
            (check,) = check_budget(system, baseline, Budget(no_significant_loss=True))
            assert check.holds == (trisk(system, baseline, alpha=0).verdict != "significant loss") == (not has_loss)
            assert check.words.startswith("a significant loss" if has_loss else "no significant loss")
    (same,) = check_budget(BASELINE, BASELINE, Budget(no_significant_loss=True))
    assert same.words.endswith(": the system equals the baseline everywhere")


RNG = np.random.default_rng(7)
OLD = RNG.uniform(0.3, 0.7, 60)
NEW = OLD + RNG.normal(0.02, 0.08, 60)


def test_intervals_are_those_of_the_risk_measures_and_say_how_sure_a_check_is():
    known = intervals(NEW, OLD, alphas=[1])
    budget = Budget(max_risk=0.5, min_urisk=-0.5, alpha=1, min_gain=-0.5, max_hurt=1.0)
    checks = {check.name: check for check in check_budget(NEW, OLD, budget)}
    assert checks["risk"].interval == pytest.approx(known["risk"])
    assert checks["urisk"].interval == pytest.approx(known["urisk_1"])
    assert checks["gain"].interval == pytest.approx(known["gain"])
    assert checks["hurt"].interval == pytest.approx(tuple(end / 60 for end in known["losses"]))
    assert {check.sureness for check in checks.values()} == {"surely within"}
    low, high = known["risk"]
    for limit, sureness in (
        (low / 2, "clearly over"),
        (low * 1.01, "over, not surely"),
        (high * 0.99, "within, not surely"),
        (high * 1.01, "surely within"),
    ):
        (check,) = check_budget(NEW, OLD, Budget(max_risk=limit))
        assert check.sureness == sureness
        (strict,) = check_budget(NEW, OLD, Budget(max_risk=limit, strict=True))
        assert check.holds == (risk(NEW, OLD) <= limit)
        assert strict.holds == (sureness == "surely within")


def test_as_many_topics_as_are_needed_make_it_sure():
    limit = risk(NEW, OLD) + 0.004
    (check,) = check_budget(NEW, OLD, Budget(max_risk=limit))
    assert check.sureness == "within, not surely"
    times = check.n_needed / 60
    for factor, sureness in ((0.6, "within, not surely"), (1.1, "surely within")):
        copies = math.ceil(times * factor)
        (more,) = check_budget(np.tile(NEW, copies), np.tile(OLD, copies), Budget(max_risk=limit))
        assert more.sureness == sureness, copies
    (hurt,) = check_budget([0.4] * 2 + [0.6] * 18, [0.5] * 20, Budget(max_hurt=0.2))
    assert wilson(0.1 * hurt.n_needed, hurt.n_needed, 0.95)[1] == pytest.approx(0.2, abs=2e-3)
    (never,) = check_budget([0.4] * 2 + [0.6] * 18, [0.5] * 20, Budget(max_hurt=0.1))
    assert never.n_needed is None


def test_equal_systems_surely_keep_every_limit():
    budget = Budget(max_hurt=0, max_severe=0, max_loss=0, max_risk=0, min_urisk=0, min_gain=0, max_worse=0, strict=True)
    checks = check_budget(OLD, OLD, budget)
    assert len(checks) == 7
    assert all(check.holds for check in checks)


def test_non_inferiority_is_shown_by_a_one_sided_limit():
    low, _ = intervals(NEW, OLD, confidence=0.9)["gain"]
    for margin, holds in ((-low + 1e-6, True), (-low - 1e-3, False)):
        if margin >= 0:
            (check,) = check_budget(NEW, OLD, Budget(max_worse=margin))
            assert (check.holds, check.value) == (holds, pytest.approx(low))
    worse = OLD - np.abs(NEW - OLD)
    (check,) = check_budget(worse, OLD, Budget(max_worse=0.001))
    assert not check.holds
    assert check.n_needed is None  # it is worse than that


def test_non_inferiority_with_few_changes_supposes_the_worst():
    # 1 of 200 topics loses: at most 2.35 % of them do (Clopper and Pearson), by 1 at most
    system = np.full(200, 0.5)
    system[3] = 0.4
    (check,) = check_budget(system, np.full(200, 0.5), Budget(max_worse=0.02))
    assert check.value == pytest.approx(-scipy.stats.beta.ppf(0.95, 2, 199))
    assert not check.holds


@given(pairs(min_size=1), st.data())
def test_whole_weights_are_repeated_topics(pair, data):
    weights = np.array(data.draw(st.lists(st.integers(0, 4), min_size=len(pair[0]), max_size=len(pair[0]))))
    if not weights.any():
        weights[0] = 1
    budget = Budget(max_hurt=0.5, max_severe=0.1, max_risk=0.1, min_urisk=0, alpha=2, min_gain=0)
    weighted = check_budget(*pair, budget, weights=weights)
    repeated = check_budget(*(np.repeat(scores, weights) for scores in pair), budget)
    for one, other in zip(weighted, repeated, strict=True):
        assert one.value == pytest.approx(other.value, abs=1e-9)
        assert one.holds == other.holds or abs(one.value - one.limit) < 1e-9


def test_equal_weights_change_nothing():
    budget = Budget(max_hurt=0.5, max_risk=0.1, min_urisk=0, min_gain=0, max_worse=0.01, no_significant_loss=True)
    for one, other in zip(
        check_budget(NEW, OLD, budget), check_budget(NEW, OLD, budget, weights=np.full(60, 3.0)), strict=True
    ):
        assert (one.value, *one.interval) == pytest.approx((other.value, *other.interval), nan_ok=True)


def test_accepted_losses_are_no_losses_but_count_in_the_gain():
    accepted = [False, True, False, False]
    budget = Budget(max_hurt=0.25, max_loss=0.05, max_risk=0.01, min_gain=-0.03)
    checks = {check.name: check for check in check_budget(SYSTEM, BASELINE, budget, accepted=accepted)}
    assert (checks["hurt"].value, checks["loss"].value, checks["risk"].value) == pytest.approx((0.25, 0.04, 0.01))
    assert checks["gain"].value == pytest.approx(-0.035)
    assert [name for name, check in checks.items() if not check.holds] == ["gain"]


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        ([1, 2], "4 topics need as many weights, got 2"),
        ([1, 1, 1, -1], "numbers from 0, got -1 for topic 4"),
        ([0, 0, 0, 0], "must not all be 0"),
        ([1, 1, 1, math.nan], "got nan for topic 4"),
    ],
)
def test_senseless_weights_are_refused(weights, message):
    with pytest.raises(ParameterError, match=message):
        check_budget(SYSTEM, BASELINE, Budget(), weights=weights)


def test_senseless_budgets_are_refused():
    for wrong in (
        {"max_risk": -1},
        {"max_hurt": 5},
        {"alpha": -2},
        {"max_loss": float("nan")},
        {"tolerance": -0.1},
        {"tolerance": 0.1},
        {"severe_loss": 0.5},
        {"max_severe": 2},
        {"min_gain": float("inf")},
        {"strict": "yes"},
    ):
        with pytest.raises(ParameterError):
            Budget(**wrong)


def test_what_strictness_fails_is_said():
    (check,) = check_budget(NEW, OLD, Budget(max_risk=risk(NEW, OLD) + 0.001, strict=True))
    assert not check.holds
    assert check.words.endswith(", but not surely")
    few = np.full(30, 0.5)
    few[0] = 0.4
    (unknown,) = check_budget(few, np.full(30, 0.5), Budget(max_risk=0.1, strict=True))
    assert (unknown.holds, unknown.sureness) == (False, "not known")


def test_accepted_changes_leave_nothing_open():
    system = np.full(30, 0.5)
    system[0] = 0.1
    budget = Budget(max_risk=0.01, min_urisk=-0.01, max_hurt=0.1, strict=True)
    assert all(check.holds for check in check_budget(system, np.full(30, 0.5), budget, accepted=np.arange(30) == 0))


def test_a_weighted_share_still_counts_topics():
    (check,) = check_budget([0.4, 0.5, 0.5, 0.5], [0.5] * 4, Budget(max_hurt=0.1), weights=[3, 1, 1, 1])
    assert (check.count, check.value) == (1, pytest.approx(0.5))
