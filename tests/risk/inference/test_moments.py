"""Moments: against NumPy and SciPy, however the values are cut, and where there is nothing to test."""

from __future__ import annotations

import functools
import math
import operator

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from riskrank.risk.inference.moments import Moments

EPSILON = np.finfo(np.float64).eps
values = st.lists(st.floats(-1, 1).map(lambda x: round(x, 6)), min_size=2, max_size=60).filter(lambda v: np.ptp(v) > 0)


def added(batches):
    return functools.reduce(operator.add, map(Moments.of, batches), Moments())


def cut(numbers, places):
    return np.split(np.asarray(numbers), sorted(place % (len(numbers) + 1) for place in places))


def test_an_example_by_hand():
    # The mean of 1, 2, 3, 6 is 3; squared distances 4 + 1 + 0 + 9 = 14; 14 / 3 / 4 = 7 / 6.
    found = Moments.of([1, 2]) + Moments.of([3, 6])
    assert (found.n, found.mean, found.squares) == (4, 3.0, 14.0)
    assert found.standard_error == pytest.approx(math.sqrt(7 / 6))
    assert found.t == pytest.approx(3 / math.sqrt(7 / 6))


@given(values)
def test_they_are_numpys(numbers):
    found = Moments.of(numbers)
    assert found.n == len(numbers)
    assert found.mean == pytest.approx(np.mean(numbers), abs=1e-15)
    assert found.squares == pytest.approx(np.var(numbers) * len(numbers))
    assert found.standard_error == pytest.approx(stats.sem(numbers))


@given(values)
def test_the_test_is_that_of_one_sample(numbers):
    found, expected = Moments.of(numbers), stats.ttest_1samp(numbers, 0.0)
    assert found.t == pytest.approx(expected.statistic, rel=1e-9, abs=1e-12)
    assert found.p_value == pytest.approx(expected.pvalue, rel=1e-7, abs=1e-300)


@given(values, st.randoms(use_true_random=False))
def test_of_differences_it_is_the_paired_test(numbers, random):
    one = np.array(numbers)
    other = np.array([random.choice((0.25, 0.5)) for _ in numbers])
    if np.ptp(one - other) < 1e-9:
        return
    expected = stats.ttest_rel(one, other)
    assert Moments.of(one - other).p_value == pytest.approx(expected.pvalue, rel=1e-7, abs=1e-300)


@given(values, st.lists(st.integers(0, 10**6), max_size=8))
def test_any_cutting_into_batches_gives_the_same(numbers, places):
    whole, found = Moments.of(numbers), added(cut(numbers, places))
    assert found.n == whole.n
    assert found.mean == pytest.approx(whole.mean, rel=1e-12, abs=1e-15)
    assert found.squares == pytest.approx(whole.squares, rel=1e-12, abs=1e-15)
    assert found.p_value == pytest.approx(whole.p_value, rel=1e-6, abs=1e-300)


@given(values, values)
def test_both_orders_and_all_groupings_of_a_sum_are_the_same(numbers, more):
    one, other, third = Moments.of(numbers), Moments.of(more), Moments.of([0.5, -0.5, 0.1])
    for left, right in ((one + other, other + one), ((one + other) + third, one + (other + third))):
        assert left.n == right.n
        assert (left.mean, left.squares) == pytest.approx((right.mean, right.squares), rel=1e-12, abs=1e-15)


@given(values)
def test_value_by_value_is_as_good_as_all_at_once(numbers):
    whole, found = Moments.of(numbers), added([[number] for number in numbers])
    assert (found.n, found.mean) == (whole.n, pytest.approx(whole.mean, rel=1e-12, abs=1e-14))
    assert found.squares == pytest.approx(whole.squares, rel=1e-11, abs=1e-14)


@pytest.mark.parametrize("offset", [1e6, 1e9, -1e12])
def test_large_offsets_lose_no_digits(offset):
    # A sum of squares less the square of a sum would be off by about offset² × 1e-16 × n: nothing would be left.
    rng = np.random.default_rng(0)
    numbers = np.round(rng.normal(size=20_000), 3) + offset
    exact = numbers - offset  # also what the addition rounded away
    found = added(np.array_split(numbers, 37))
    assert found.squares == pytest.approx(np.square(exact - exact.mean()).sum(), rel=EPSILON * abs(offset))
    assert found.mean - offset == pytest.approx(exact.mean(), abs=4 * EPSILON * abs(offset))


def test_many_batches_lose_no_digits():
    numbers = np.random.default_rng(1).random(100_000)
    found = added(np.array_split(numbers, 5_000))
    assert found.mean == pytest.approx(math.fsum(numbers) / len(numbers), rel=1e-14)
    assert found.squares == pytest.approx(np.var(numbers) * len(numbers), rel=1e-12)
    assert found.p_value == pytest.approx(stats.ttest_1samp(numbers, 0.0).pvalue, abs=1e-300)


# Where there is little or nothing.


def test_no_values_have_no_test():
    for found in (Moments(), Moments.of([]), Moments() + Moments.of([])):
        assert (found.n, found.mean, found.squares) == (0, 0.0, 0.0)
        assert math.isnan(found.standard_error)
        assert math.isnan(found.t)
        assert math.isnan(found.p_value)


@given(values)
def test_adding_nothing_changes_nothing(numbers):
    found = Moments.of(numbers)
    for same in (found + Moments(), Moments() + found):
        assert (same.n, same.squares) == (found.n, found.squares)
        assert same.mean == pytest.approx(found.mean, rel=2 * EPSILON)


def test_one_value_has_a_mean_and_no_test():
    found = Moments.of([0.3])
    assert (found.n, found.mean, found.squares) == (1, 0.3, 0.0)
    assert math.isnan(found.standard_error)
    assert math.isnan(found.t)
    assert math.isnan(found.p_value)
    two = found + Moments.of([0.5])
    assert two.p_value == pytest.approx(stats.ttest_1samp([0.3, 0.5], 0.0).pvalue)


@pytest.mark.parametrize("value", [0.0, 0.5, -0.25, 1e-300])
@pytest.mark.parametrize("n", [2, 3, 1000])
def test_equal_values_have_no_test(value, n):
    found = Moments.of([value] * n)
    assert found.standard_error == 0
    assert math.isnan(found.t)
    assert math.isnan(found.p_value)


@pytest.mark.parametrize(("value", "n"), [(0.1, 3), (0.3, 1000), (0.7, 6)])
def test_equal_values_have_no_test_whatever_the_last_bit_of_their_mean(value, n):
    assert math.isnan(Moments.of([value] * n).t)
    assert math.isnan(Moments.of([value] * n).p_value)


def test_values_of_any_form_are_taken():
    for given_values in ((1, 2, 4), np.array([1, 2, 4], np.float32), np.array([1, 2, 4])[::-1]):
        assert Moments.of(given_values) == Moments.of([1.0, 2.0, 4.0])
