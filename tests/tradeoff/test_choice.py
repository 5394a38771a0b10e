"""The rules that choose a model: hand-worked tables, and the one that Bennett et al. print."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from riskrank.errors import RiskrankError
from riskrank.tradeoff import area, gain_parity, largest_area, largest_gain, nearest_reranking

# Table 2 of Bennett et al. 2015: of each αrisk, the share re-ranked, of the risk and of the gain, in percent; and the
# same of Weight-Initial-Pref, which is the reference.
BING = {0: (41.19, 100.00, 100.00), 1.6: (20.77, 57.95, 95.21), 5: (10.04, 37.87, 89.39), 10: (8.43, 26.99, 81.54)}
WSCD_2012 = {0: (98.14, 100.00, 100.00), 1.7: (65.35, 43.37, 85.19), 3: (50.82, 25.24, 67.93)}
WSCD_2014 = {0: (93.99, 100.00, 100.00), 2: (21.58, 40.39, 88.64), 3: (16.50, 32.37, 84.18)}
TABLE_2 = pytest.mark.parametrize(
    ("table", "reference", "by_area", "by_parity", "by_reranking"),
    [
        (BING, (5.92, 59.27, 95.28), 5, 1.6, 10),
        (WSCD_2012, (49.01, 55.34, 84.60), 1.7, 1.7, 3),
        (WSCD_2014, (17.27, 55.20, 88.72), 3, 2, 3),
    ],
)
tables = st.lists(st.tuples(st.integers(-3, 9), st.integers(0, 9)), min_size=1, max_size=8)


@TABLE_2
def test_table_2_of_bennett_2015(table, reference, by_area, by_parity, by_reranking):
    alphas, (reranked, risk, gain) = list(table), np.array(list(table.values())).T
    assert alphas[gain_parity(gain, risk, reference=reference[2])] == by_parity
    assert alphas[nearest_reranking(gain, reranked, reference=reference[0])] == by_reranking
    # Its "Risk Sensitive" rows have the largest area under gain against % re-ranked. For Bing, mixed with the full
    # model, (x, y) has 0.5 + (y − x)/2; y − x is 0.952 − 0.504 = 0.448, 0.894 − 0.244 = 0.650, 0.815 − 0.205 = 0.610.
    assert alphas[largest_area(gain, reranked, full=0)] == by_area


# The largest gain within a risk.


def test_the_largest_gain_within_a_risk():
    gain, risk = [9, 7, 8, 2], [0.5, 0.2, 0.3, 0.1]
    assert largest_gain(gain, risk, max_risk=1) == 0
    assert largest_gain(gain, risk, max_risk=0.4) == 2
    assert largest_gain(gain, risk, max_risk=0.25) == 1
    assert largest_gain(gain, risk, max_risk=0.1) == 3


def test_a_risk_of_exactly_the_most_is_within_it():
    assert largest_gain([2, 1], [0.1 + 0.2, 0.1], max_risk=0.3) == 0
    assert largest_gain([2, 1], [0.3 + 1e-9, 0.1], max_risk=0.3) == 1


def test_nothing_is_chosen_where_all_risks_are_too_large():
    assert largest_gain([9, 7], [0.5, 0.2], max_risk=0.1) is None


def test_a_loss_is_chosen_where_there_is_nothing_better():
    assert largest_gain([-2, -1, 5], [0.1, 0.2, 0.9], max_risk=0.5) == 1


def test_of_equal_gains_the_first_is_chosen():
    assert largest_gain([3, 5, 5], [0.1, 0.3, 0.2], max_risk=1) == 1


@given(tables, st.integers(-1, 10))
def test_no_model_within_the_risk_gains_more(table, max_risk):
    gain, risk = zip(*table, strict=True)
    found = largest_gain(gain, risk, max_risk=max_risk)
    allowed = [y for y, x in table if x <= max_risk]
    if found is None:
        assert not allowed
    else:
        assert risk[found] <= max_risk
        assert gain[found] == max(allowed)


# The largest area.


def test_the_largest_area_by_hand():
    # Full model (4, 8). Areas above the coin, of 4 · 8 = 32: a triangle with the corner (x, y) has (4y − 8x) / 2:
    # (1, 4): 4; (2, 6): 4; (2, 7): 6; (3, 8): 4, and beyond it nothing is lost.
    assert largest_area([8, 4, 6, 7, 8], [4, 1, 2, 2, 3], full=0) == 3
    assert area([2], [7], full_cost=4, full_gain=8) == pytest.approx((16 + 6) / 32)


def test_a_point_may_beat_the_full_model():
    assert largest_area([4, 5, 6], [4, 3, 5], full=0) == 1


def test_the_full_model_is_chosen_where_none_is_better_than_a_coin():
    assert largest_area([8, 3, 1, -2], [4, 2, 1, 1], full=0) == 0


def test_the_full_model_is_chosen_wherever_it_stands():
    # The first lies below the coin's line, where mixtures have the area of the full model's alone; it loses 1.
    assert largest_area([-1, 8], [1, 4], full=1) == 1


def test_there_is_no_area_where_the_full_model_gains_or_costs_nothing():
    assert largest_area([0, 5], [4, 1], full=0) is None
    assert largest_area([-1, 5], [4, 1], full=0) is None
    assert largest_area([4, 5], [0, 1], full=0) is None


@given(tables)
def test_no_other_point_has_a_larger_area(table):
    gain, cost = zip(*table, strict=True)
    found = largest_area(gain, cost, full=0)
    areas = [area([x], [y], full_cost=cost[0], full_gain=gain[0]) for y, x in table]
    if found is None:
        assert math.isnan(areas[0])
    else:
        assert areas[found] == pytest.approx(max(areas))


# The nearest.


def test_gain_parity_takes_the_nearest_gain_on_either_side():
    gain, risk = [9, 6, 4, 1], [0.4, 0.3, 0.2, 0.1]
    assert gain_parity(gain, risk, reference=100) == 0
    assert gain_parity(gain, risk, reference=5.1) == 1
    assert gain_parity(gain, risk, reference=4.9) == 2
    assert gain_parity(gain, risk, reference=-3) == 3


def test_of_models_equally_near_in_gain_the_one_with_the_least_risk_is_chosen():
    assert gain_parity([6, 4, 6, 1], [0.3, 0.4, 0.2, 0.0], reference=6) == 2
    assert gain_parity([6, 4], [0.3, 0.2], reference=5) == 1
    assert gain_parity([6, 4], [0.2, 0.3], reference=5) == 0
    # 0.3 − 0.2 and 0.2 − 0.1 differ in their last bits.
    assert gain_parity([0.1, 0.3], [0.9, 0.2], reference=0.2) == 1
    assert gain_parity([0.1, 0.3], [0.2, 0.9], reference=0.2) == 0


def test_nearest_reranking_takes_the_nearest_share_on_either_side():
    gain, reranked = [9, 6, 4], [0.9, 0.5, 0.1]
    assert nearest_reranking(gain, reranked, reference=1) == 0
    assert nearest_reranking(gain, reranked, reference=0.31) == 1
    assert nearest_reranking(gain, reranked, reference=0.29) == 2


def test_of_models_that_rerank_as_much_the_one_with_the_most_gain_is_chosen():
    assert nearest_reranking([1, 3, 2], [0.5, 0.5, 0.5], reference=0.4) == 1
    assert nearest_reranking([1, 3], [0.1, 0.3], reference=0.2) == 1
    assert nearest_reranking([3, 1], [0.1, 0.3], reference=0.2) == 0


def test_of_models_alike_in_all_the_first_is_chosen():
    assert gain_parity([5, 5], [0.1, 0.1], reference=4) == 0
    assert nearest_reranking([5, 5], [0.1, 0.1], reference=0.4) == 0


@given(tables, st.integers(-5, 12))
def test_no_other_model_is_nearer(table, reference):
    gain, cost = zip(*table, strict=True)
    parity = gain_parity(gain, cost, reference=reference)
    assert (abs(gain[parity] - reference), cost[parity]) == min((abs(y - reference), x) for y, x in table)
    nearest = nearest_reranking(gain, cost, reference=reference)
    assert (abs(cost[nearest] - reference), -gain[nearest]) == min((abs(x - reference), -y) for y, x in table)


# Mistakes.


def test_nothing_is_chosen_from_nothing():
    assert largest_gain([], [], max_risk=1) is None


@pytest.mark.parametrize(
    "choose",
    [
        pytest.param(lambda gain, cost: largest_gain(gain, cost, max_risk=1), id="largest_gain"),
        pytest.param(lambda gain, cost: largest_area(gain, cost, full=0), id="largest_area"),
        pytest.param(lambda gain, cost: gain_parity(gain, cost, reference=1), id="gain_parity"),
        pytest.param(lambda gain, cost: nearest_reranking(gain, cost, reference=1), id="nearest_reranking"),
    ],
)
@pytest.mark.parametrize("cost", [[1], [1, 2, 3]])
def test_columns_of_different_lengths_are_refused(choose, cost):
    with pytest.raises(RiskrankError):
        choose([1, 2], cost)


def test_numbers_that_are_not_known_do_not_hide_the_others():
    assert nearest_reranking([1, 2], [math.nan, 0.5], reference=0.4) == 1
    assert largest_gain([math.nan, 1], [0.1, 0.1], max_risk=1) == 1
    assert gain_parity([math.nan, 1, 2], [0.1, 0.1, 0.1], reference=2) == 2


def test_a_risk_that_is_not_known_does_not_send_the_choice_far_away():
    assert gain_parity([9, 2, 1], [0.1, 0.1, math.nan], reference=1) != 0


def test_there_must_be_a_point_to_choose():
    for gain in ([], [math.nan]):
        with pytest.raises(RiskrankError, match="no point"):
            gain_parity(gain, gain, reference=1)
