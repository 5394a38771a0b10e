"""Verdicts of claims: what surely holds, what surely does not, and what a sample does not decide."""

from __future__ import annotations

import numpy as np
import pytest

from riskrank.papers.verdicts import (
    TAIL,
    AtLeast,
    RareMargin,
    all_of,
    any_of,
    exactly,
    fold_margin,
    jackknife_margin,
    mean_margin,
    ratio_margin,
    repeat_margin,
    verdict,
)
from riskrank.risk.inference.student_t import critical_value

UP, DOWN, LEVEL = (mean_margin(np.linspace(-1, 1, 50) + shift) for shift in (1.0, -1.0, 0.05))


def test_what_is_computed_holds_or_does_not():
    assert (exactly(True), exactly(False)) == ("holds", "does not hold")


def test_the_interval_of_a_mean_decides():
    assert [verdict(margin) for margin in (UP, DOWN, LEVEL)] == ["holds", "does not hold", "undecided"]
    for margin in (UP, DOWN, LEVEL):
        low, high = margin.interval
        assert (low > 0, high < 0) == (margin.holds(TAIL), margin.fails(TAIL))


def test_values_that_say_nothing_decide_nothing():
    for values in (np.zeros(50), np.array([0.0] * 45 + [1.0] * 5)):  # five changes may be chance
        margin = mean_margin(values)
        assert verdict(margin) == "undecided"
        assert "no interval" in margin.said()
    assert verdict(mean_margin(np.full(50, 0.1))) == "holds"  # all alike: by their signs


def test_folds_have_students_interval_of_what_shares_training_queries():
    steps = [3.0, 5.0, 4.0, 8.0, 5.0]  # mean 5, variance 3.5, of which 1 / 5 and 1 / 3 are the square of the error
    reach = critical_value(0.05, 4) * np.sqrt(3.5 * (1 / 5 + 1 / 3))
    assert fold_margin(steps).interval == pytest.approx((5 - reach, 5 + reach))
    assert verdict(fold_margin(steps)) == "holds"
    assert verdict(fold_margin([-step for step in steps])) == "does not hold"
    assert verdict(fold_margin([1.0, -1.0, 0.5, 0.2, 0.1])) == "undecided"


@pytest.mark.parametrize("values", [[1.0], [2.0] * 5, [0.1] * 5, [0.0] * 5], ids=str)
def test_folds_that_tell_no_spread_decide_nothing_and_have_no_interval(values):
    margin = fold_margin(values)
    assert verdict(margin) == "undecided"
    assert "no interval" in margin.said()


def test_ratios_are_compared_whatever_their_signs():
    rng = np.random.default_rng(0)
    more, less, one = (rng.normal(mean, 0.1, 400) for mean in (2.0, 1.0, 1.0))
    assert ratio_margin(more, one, less, one).estimate == pytest.approx((more.mean() - less.mean()) / one.mean())
    assert verdict(ratio_margin(more, one, less, one)) == "holds"
    assert verdict(ratio_margin(less, one, more, one)) == "does not hold"
    assert verdict(ratio_margin(less, less, less, less)) == "undecided"
    # Of what is lost per cost: −1 / 1 is below −1 / 2, as a / c and b / d.
    assert verdict(ratio_margin(-one, -one, less, more)) == "does not hold"
    assert verdict(ratio_margin(one, np.zeros(400), less, more)) == "holds"


def test_pseudo_values_of_a_mean_are_means_of_blocks():
    values = np.random.default_rng(0).normal(size=200)
    margin = jackknife_margin(lambda queries: float(values[queries].mean()), 200)
    np.testing.assert_allclose(margin.values, values.reshape(4, 50).mean(axis=0))
    assert margin.estimate == pytest.approx(values.mean())


def test_fewer_queries_than_blocks_are_left_out_one_by_one():
    values = np.arange(7.0)
    assert jackknife_margin(lambda queries: float(values[queries].mean()), 7).values == pytest.approx(values)


def test_what_jumps_as_blocks_are_left_out_decides_nothing():
    """A statistic that is another one of all queries than of most of them: pseudo-values are all far below it."""
    margin = jackknife_margin(lambda queries: 1.0 if len(queries) == 200 else 1.1 + 1e-4 * queries.mean(), 200)
    assert (margin.estimate, verdict(margin)) == (1.0, "undecided")
    assert "no interval" in margin.said()


@pytest.mark.parametrize(("bias", "expected"), [(0.4, "holds"), (0.6, "undecided")])
def test_a_bias_of_more_than_half_a_standard_error_decides_nothing(bias, expected):
    """All queries give c more than fewer do: 50 · (m + c) − 49 · m is 49 c above the estimate m + c."""
    values = np.linspace(0.5, 1.5, 50)
    c = bias * values.std(ddof=1) / np.sqrt(50) / 49
    assert verdict(jackknife_margin(lambda queries: values[queries].mean() + c * (len(queries) == 50), 50)) == expected


def test_repeats_that_share_nothing_have_students_interval():
    reach = critical_value(0.05, 2) * np.sqrt(1.0 / 3)  # of 3, 5 and 4: variance 1
    assert repeat_margin(np.array([3.0, 5.0, 4.0])).interval == pytest.approx((4 - reach, 4 + reach))
    assert verdict(repeat_margin(np.array([0.3, 0.1, -0.2]))) == "undecided"


def test_conjunctions_hold_where_all_parts_do_and_fail_where_any_does():
    assert verdict(all_of([UP, UP])) == "holds"
    assert verdict(all_of([UP, LEVEL])) == "undecided"
    assert verdict(all_of([UP, LEVEL, DOWN])) == "does not hold"
    assert verdict(any_of([DOWN, LEVEL, UP])) == "holds"
    assert verdict(any_of([DOWN, LEVEL])) == "undecided"
    assert verdict(any_of([DOWN, DOWN])) == "does not hold"
    assert verdict(AtLeast(2, (UP, DOWN, UP))) == "holds"
    assert verdict(AtLeast(2, (UP, DOWN, LEVEL))) == "undecided"
    assert verdict(AtLeast(2, (UP, DOWN, DOWN))) == "does not hold"
    assert verdict(all_of([any_of([UP, DOWN]), UP])) == "holds"
    assert verdict(all_of([])) == "undecided"


def test_what_was_not_seen_may_still_happen():
    """None of 10,000 may be up to −ln(0.0125) = 4.4: surely below 1 % of 2,000, and not of 200."""
    assert verdict(RareMargin(0, 2000, 10_000, 0.01)) == "holds"
    assert verdict(RareMargin(0, 200, 10_000, 0.01)) == "undecided"
    assert verdict(RareMargin(100, 2000, 10_000, 0.01)) == "does not hold"
    assert RareMargin(0, 200, 10_000, 0.01).said() == "0 (0 to 4) and 200 (170 to 234)"


@pytest.mark.parametrize(("left", "before"), [(1, 3), (1, 6), (2, 30)])
def test_a_few_that_are_left_may_be_chance(left, before):
    """At a share of 1 %, 0.3 and fewer are meant to be left, and one is seen easily."""
    assert verdict(RareMargin(left, before, 5000, 0.01)) == "undecided"


def test_only_rounding_is_no_difference():
    margin = jackknife_margin(lambda queries: 1e-14 * float(np.sin(queries).mean()), 200)
    assert (margin.estimate, verdict(margin)) == (0.0, "undecided")


def test_many_parts_need_more_to_fail_than_one():
    """Of many true parts one looks false by chance: its level is divided among them."""
    weak = mean_margin(np.linspace(-1, 1, 50) - 0.2)
    assert TAIL / 5 < weak.tails.loss < TAIL
    assert verdict(all_of([weak])) == "does not hold"
    many = all_of([weak, UP, UP, UP, UP])
    assert verdict(many) == "undecided"
    assert many.counted == "4 of 5 surely so, 0 surely not"
    assert all_of([DOWN, UP, UP]).counted == "2 of 3 surely so, 1 surely not"


@pytest.mark.parametrize("n_queries", [100, 500])
def test_the_jackknife_is_seldom_wrong(n_queries):
    """Ratios of means of skewed values, of which most are 0, that are the same in truth: 2.5 % in each tail.

    Of 400 samples 10 are expected in each; more than 20 would be chance in one of a thousand.
    `benchmarks/verdicts.py` has more of them.
    """
    rng = np.random.default_rng(7)
    wrong = {"holds": 0, "does not hold": 0, "undecided": 0}
    for _ in range(400):
        sample = rng.exponential(size=(4, n_queries)) * (rng.random((4, n_queries)) < 0.4)
        wrong[verdict(ratio_margin(*sample))] += 1
    assert max(wrong["holds"], wrong["does not hold"]) <= 20, wrong
