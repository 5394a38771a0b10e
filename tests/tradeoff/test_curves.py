"""Hulls and areas against brute force; hand-worked examples of the rest."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from riskrank.errors import AlignmentError
from riskrank.tradeoff.curves import (
    alpha_of_interest,
    area,
    distance_bins,
    hull,
    near_optimal_hull,
    steps_to,
    steps_to_level,
)

# Small whole numbers: equal costs, equal gains and points on one line are common, and the arithmetic is exact.
whole_points = st.lists(st.tuples(st.integers(0, 12), st.integers(-4, 12)), max_size=9)
real_points = st.lists(st.tuples(st.floats(0.01, 10), st.floats(-5, 10)), min_size=1, max_size=12)
reference_models = st.tuples(st.integers(1, 12), st.integers(1, 12))


def envelope(points, cost):
    """The most that any mixture of two points, or of one and the baseline, gains for a cost of at most so much."""
    points = [(Fraction(0), Fraction(0)), *((Fraction(x), Fraction(y)) for x, y in points)]
    best = max(y for x, y in points if x <= cost)
    for x, y in points:
        for u, v in points:
            if x < cost < u:
                best = max(best, y + (v - y) * (cost - x) / (u - x))
    return best


def columns(points):
    return [x for x, _ in points], [y for _, y in points]


# The hull.


def test_a_hull_by_hand():
    # From (0, 0) to (1, 4) each unit of cost buys 4, to (3, 7) then 1.5, to (6, 8) then 1/3.
    # (2, 5) lies below the line from (1, 4) to (3, 7), which has 5.5 there; (4, 6) and (7, 8) cost more for no more.
    cost, gain = [6, 2, 1, 4, 3, 7], [8, 5, 4, 6, 7, 8]
    assert hull(cost, gain).tolist() == [2, 4, 0]


def test_points_on_a_line_between_others_are_left_out():
    assert hull([1, 2, 3], [1, 2, 3]).tolist() == [2]
    assert hull([1, 2, 3], [2, 3, 4]).tolist() == [0, 2]


def test_a_gain_for_nothing_stays():
    assert hull([0, 2], [1, 3]).tolist() == [0, 1]
    assert hull([0, 0, 2], [1, 2, 2]).tolist() == [1]


def test_points_that_gain_nothing_are_left_to_the_baseline():
    assert hull([1, 2], [-1, 0]).tolist() == []
    assert hull([], []).tolist() == []


def test_of_equal_points_the_first_stays():
    assert hull([1, 1, 2, 2], [1, 1, 1.5, 1.5]).tolist() == [0, 2]


@given(whole_points)
def test_the_hull_is_the_points_that_no_mixture_of_others_reaches(points):
    expected = {
        i
        for i, (x, y) in enumerate(points)
        if points.index((x, y)) == i and y > envelope([other for other in points if other != (x, y)], x)
    }
    corners = hull(*columns(points)).tolist()
    assert set(corners) == expected
    assert [points[i][0] for i in corners] == sorted(points[i][0] for i in corners)


@given(whole_points)
def test_mixtures_along_the_hull_gain_as_much_as_any(points):
    kept = [points[i] for i in hull(*columns(points))]
    for cost in range(26):
        assert envelope(kept, Fraction(cost, 2)) == envelope(points, Fraction(cost, 2))


@given(st.lists(st.tuples(st.integers(1, 1000), st.integers(-100, 1000)), max_size=40))
def test_the_hull_rises_and_bends_down(points):
    kept = [(0, 0), *(points[i] for i in hull(*columns(points)))]
    slopes = [Fraction(v - y, u - x) for (x, y), (u, v) in itertools.pairwise(kept)]
    assert all(slope > 0 for slope in slopes)
    assert all(later < slope for slope, later in itertools.pairwise(slopes))


@given(whole_points, st.integers(0, 11), st.data())
def test_a_point_that_is_no_better_than_another_changes_nothing(points, place, data):
    assume(points)
    x, y = points[place % len(points)]
    worse = (x + data.draw(st.integers(0, 3)), y - data.draw(st.integers(0, 3)))
    assert hull(*columns([*points, worse])).tolist() == hull(*columns(points)).tolist()


@given(whole_points, st.randoms(use_true_random=False))
def test_the_order_of_points_does_not_matter(points, random):
    shuffled = list(points)
    random.shuffle(shuffled)
    assert [shuffled[i] for i in hull(*columns(shuffled))] == [points[i] for i in hull(*columns(points))]


@pytest.mark.parametrize(
    ("cost", "gain"),
    [([1, 2], [1]), ([[1, 2]], [[1, 2]]), ([-1], [1]), ([1, math.nan], [1, 2]), ([1], [math.inf]), ([math.inf], [1])],
)
def test_senseless_points_are_refused(cost, gain):
    for call in (hull, lambda x, y: area(x, y, reference_cost=1, reference_gain=1)):
        with pytest.raises(AlignmentError) as caught:
            call(cost, gain)
        assert "\n" not in str(caught.value)


# The area.


def test_an_area_by_hand():
    # (0, 0), (1, 3), (4, 6): 1 · 3/2 + 3 · (3 + 6)/2 = 15, of 4 · 6 = 24.
    assert area([1], [3], reference_cost=4, reference_gain=6) == pytest.approx(15 / 24)
    # With (2, 5) on top: 1.5 + (3 + 5)/2 + 2 · (5 + 6)/2 = 16.5.
    assert area([1, 2], [3, 5], reference_cost=4, reference_gain=6) == pytest.approx(16.5 / 24)


def test_a_coin_has_half_of_the_area():
    assert area([], [], reference_cost=0.3, reference_gain=0.02) == 0.5
    assert area([0.1, 0.2, 0.3], [0.01, 0.02, 0.03], reference_cost=0.3, reference_gain=0.03) == pytest.approx(0.5)


def test_points_below_the_coin_do_not_lower_the_area():
    assert area([0.5, 0.9], [0.1, -1], reference_cost=1, reference_gain=1) == 0.5


def test_all_of_the_gain_for_nothing_is_an_area_of_1():
    assert area([0], [1], reference_cost=1, reference_gain=1) == 1
    # Half of it for nothing: from 0.5 up to 1.
    assert area([0], [0.5], reference_cost=1, reference_gain=1) == pytest.approx(0.75)


def test_a_point_that_gains_more_than_the_reference_model_may_pass_1():
    # Up to (0.1, 2) and, since the reference model is worse, on at 2: 0.1 + 0.9 · 2 = 1.9.
    assert area([0.1], [2], reference_cost=1, reference_gain=1) == pytest.approx(1.9)


def test_a_point_that_costs_more_than_the_reference_model_counts_up_to_its_cost():
    # The line from (0, 0) to (2, 4) passes above the reference model (1, 1): 1 · 2 / 2.
    assert area([2], [4], reference_cost=1, reference_gain=1) == pytest.approx(1)
    # The line from (1, 1) to (2, 1.5) begins where the area ends.
    assert area([2], [1.5], reference_cost=1, reference_gain=1) == pytest.approx(0.5)


def test_a_reference_model_without_gain_or_cost_has_no_area():
    for reference in ((0, 1), (1, 0), (1, -1), (math.nan, 1), (1, math.nan)):
        assert math.isnan(area([0.5], [0.5], reference_cost=reference[0], reference_gain=reference[1]))


@given(whole_points, reference_models)
def test_an_area_is_the_sum_of_many_thin_slices(points, reference):
    cost, gain = reference
    slices = 12 * cost  # corners lie on their edges, so that the middle of a slice is its mean
    everything = [*points, reference]
    total = sum(envelope(everything, Fraction(2 * i + 1, 24)) for i in range(slices)) / 12
    size = area(*columns(points), reference_cost=cost, reference_gain=gain)
    assert size == pytest.approx(float(total / (cost * gain)), rel=1e-9)


@given(real_points, st.floats(0.1, 10), st.floats(0.1, 10))
def test_an_area_lies_between_the_coins_and_the_best_gain_for_nothing(points, cost, gain):
    size = area(*columns(points), reference_cost=cost, reference_gain=gain)
    assert 0.5 - 1e-9 <= size <= max(1.0, *(y / gain for _, y in points)) + 1e-9


@given(whole_points, st.tuples(st.integers(0, 12), st.integers(-4, 12)), reference_models)
def test_a_further_point_never_makes_the_area_smaller(points, another, reference):
    options = {"reference_cost": reference[0], "reference_gain": reference[1]}
    before = area(*columns(points), **options)
    assert area(*columns([*points, another]), **options) >= before - 1e-12


@given(real_points, st.floats(0.01, 100), st.floats(0.01, 100))
def test_units_do_not_matter(points, of_cost, of_gain):
    cost, gain = np.array(points).T
    scaled = area(cost * of_cost, gain * of_gain, reference_cost=3 * of_cost, reference_gain=2 * of_gain)
    assert scaled == pytest.approx(area(cost, gain, reference_cost=3, reference_gain=2), rel=1e-6)


# Alphas.


def test_alpha_of_interest_is_gain_over_risk():
    assert alpha_of_interest(0.06, 0.02) == pytest.approx(3)
    # At this alpha, with Reward = Gain + Risk, URisk = Reward − (1 + α) Risk = 0.08 − 4 · 0.02 = 0.
    assert 0.08 - (1 + alpha_of_interest(0.06, 0.02)) * 0.02 == pytest.approx(0)


def test_alpha_of_interest_has_no_end_without_risk_and_is_none_without_gain():
    assert alpha_of_interest(0.1, 0) == math.inf
    assert alpha_of_interest(0, 0.1) == 0
    assert alpha_of_interest(-0.1, 0.1) == 0
    assert alpha_of_interest(0, 0) == 0
    assert alpha_of_interest(-0.1, 0) == 0


def test_near_optimal_hull_mixes_the_last_model_of_interest_with_the_baseline():
    risk, gain = near_optimal_hull([0, 1, 5, 10, 20], [5, 4, 3, 2, 1], [9, 8.5, 8, 5, 1], limit=5)
    assert risk.tolist() == [5, 4, 3, 0]
    assert gain.tolist() == [9, 8.5, 8, 0]


def test_near_optimal_hull_takes_models_by_their_alpha():
    risk, gain = near_optimal_hull([10, 0, 5], [2, 5, 3], [5, 9, 8], limit=7)
    assert (risk.tolist(), gain.tolist()) == ([5, 3, 0], [9, 8, 0])


def test_near_optimal_hull_has_all_models_if_nobody_is_hurt_and_the_first_if_nothing_is_gained():
    points = ([0, 5], [3, 2], [4, 3])
    assert near_optimal_hull(*points, limit=math.inf)[0].tolist() == [3, 2, 0]
    assert near_optimal_hull(*points, limit=0)[0].tolist() == [3, 0]
    assert near_optimal_hull([1, 5], [3, 2], [4, 3], limit=0.5)[0].tolist() == [3, 0]


@pytest.mark.parametrize("alphas", [[0, 5], [0, 5, 6, 7]])
def test_near_optimal_hull_needs_an_alpha_for_each_point(alphas):
    with pytest.raises(AlignmentError):
        near_optimal_hull(alphas, [3, 2, 1], [4, 3, 1], limit=10)


# Convergence.


def test_steps_by_hand():
    # 95 % of 0.6 is 0.57
    assert steps_to(0.95, [0.3, 0.569, 0.571, 0.59, 0.6]) == 3
    # 95 % of the way from 0.4 to 0.6 is 0.59
    assert steps_to(0.95, [0.3, 0.569, 0.571, 0.591, 0.6], baseline=0.4) == 4


def test_the_first_step_counts_even_if_later_ones_fall_back():
    assert steps_to(0.95, [0.1, 0.6, 0.2, 0.5]) == 2


def test_a_curve_without_effectiveness_at_its_end_gets_nowhere():
    assert steps_to(0.95, []) is None
    assert steps_to(0.95, [0.4, 0.0]) is None
    assert steps_to(0.95, [0.4, -0.1]) is None
    assert steps_to(0.95, [0.4, 0.5], baseline=0.5) is None
    assert steps_to(0.95, [0.4, 0.5], baseline=math.nan) is None


@given(st.lists(st.floats(0, 1), min_size=1, max_size=20), st.floats(0.01, 1), st.floats(0, 1))
def test_no_earlier_step_is_as_far(curve, share, baseline):
    step = steps_to(share, curve, baseline=baseline)
    assume(step is not None)
    way = [(value - baseline) / (curve[-1] - baseline) for value in curve]
    assert way[step - 1] >= share - 1e-9
    assert all(gone <= share + 1e-9 for gone in way[: step - 1])


def test_a_level_is_reached_by_the_first_step_that_has_it():
    assert steps_to_level(0.42, [0.3, 0.42, 0.5]) == 2
    assert steps_to_level(0.2, [0.3]) == 1
    assert steps_to_level(0.42, [0.3, math.nan]) is None
    assert steps_to_level(0.42, []) is None


def test_the_whole_way_is_reached_by_the_last_step():
    assert steps_to(1.0, [0.07, 0.5, 0.83]) == 3


def test_a_curve_with_an_unknown_end_gets_nowhere():
    assert steps_to(0.95, [0.2, 0.4, math.nan]) is None


# Distances.


def test_bins_are_closed_below_and_the_last_on_both_sides():
    assert distance_bins([0, 0.0999, 0.1, 0.2, 0.3, 0.6, 0.7, 0.9, 0.99, 1.0]).tolist() == [
        0,
        0,
        1,
        2,
        3,
        6,
        7,
        9,
        9,
        9,
    ]


def test_a_distance_of_three_tenths_is_in_the_fourth_bin_however_it_was_computed():
    computed = [0.3, 0.1 * 3, 0.1 + 0.2, 1 - 0.7, (1 - 0.4) / 2, 3 / 10]
    assert distance_bins(computed).tolist() == [3] * 6
    assert distance_bins([k / 10 for k in range(11)]).tolist() == [*range(10), 9]
    assert distance_bins([1 - (10 - k) / 10 for k in range(11)]).tolist() == [*range(10), 9]


def test_every_tenth_of_pairs_falls_into_its_bin():
    # 45 pairs of 10 documents: discordant / 45, as (1 − τ) / 2 with τ = 1 − 2 · discordant / 45.
    for pairs in (10, 45, 190, 4950):
        discordant = np.arange(pairs + 1)
        tau = 1 - 2 * discordant / pairs
        expected = np.minimum(10 * discordant // pairs, 9)
        assert distance_bins((1 - tau) / 2).tolist() == expected.tolist()


def test_distances_that_are_not_known_have_no_bin():
    assert distance_bins([math.nan, 0.5, math.nan]).tolist() == [-1, 5, -1]
    assert distance_bins([]).tolist() == []


@given(st.lists(st.floats(0, 1), max_size=20))
def test_bins_hold_their_distances(distances):
    for distance, number in zip(distances, distance_bins(distances).tolist(), strict=True):
        assert 0 <= number <= 9
        assert number / 10 - 1e-9 <= distance <= (number + 1) / 10 + 1e-9
