"""The rules that choose a model: hand-worked tables, and the one that Bennett et al. print."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from riskrank.errors import AlignmentError, ParameterError
from riskrank.tradeoff import area, gain_parity, largest_area, largest_gain, nearest_reranking

from .synthetic_sweeps import judged, synthetic_sweep

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
def test_models_are_those_chosen_in_table_2_of_bennett_2015(table, reference, by_area, by_parity, by_reranking):
    alphas, (reranked, risk, gain) = list(table), np.array(list(table.values())).T
    assert alphas[gain_parity(gain, risk, near=reference[2])] == by_parity
    assert alphas[nearest_reranking(gain, reranked, near=reference[0])] == by_reranking
    # Its "Risk Sensitive" rows have the largest area under gain against % re-ranked. For Bing, mixed with the full
    # model, (x, y) has 0.5 + (y − x)/2; y − x is 0.952 − 0.504 = 0.448, 0.894 − 0.244 = 0.650, 0.815 − 0.205 = 0.610.
    assert alphas[largest_area(gain, reranked, reference_model=0)] == by_area


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
    best = largest_gain(gain, risk, max_risk=max_risk)
    allowed = [y for y, x in table if x <= max_risk]
    if best is None:
        assert not allowed
    else:
        assert risk[best] <= max_risk
        assert gain[best] == max(allowed)


# The largest area.


def test_the_largest_area_by_hand():
    # Full model (4, 8). Areas above the coin, of 4 · 8 = 32: a triangle with the corner (x, y) has (4y − 8x) / 2:
    # (1, 4): 4; (2, 6): 4; (2, 7): 6; (3, 8): 4, and beyond it nothing is lost.
    assert largest_area([8, 4, 6, 7, 8], [4, 1, 2, 2, 3], reference_model=0) == 3
    assert area([2], [7], reference_cost=4, reference_gain=8) == pytest.approx((16 + 6) / 32)


def test_a_point_may_beat_the_reference_model():
    assert largest_area([4, 5, 6], [4, 3, 5], reference_model=0) == 1


def test_the_reference_model_is_chosen_where_none_is_better_than_a_coin():
    assert largest_area([8, 3, 1, -2], [4, 2, 1, 1], reference_model=0) == 0


def test_the_reference_model_is_chosen_wherever_it_stands():
    # The first lies below the coin's line, where mixtures have the area of the reference model's alone; it loses 1.
    assert largest_area([-1, 8], [1, 4], reference_model=1) == 1


def test_there_is_no_area_where_the_reference_model_gains_or_costs_nothing():
    assert largest_area([0, 5], [4, 1], reference_model=0) is None
    assert largest_area([-1, 5], [4, 1], reference_model=0) is None
    assert largest_area([4, 5], [0, 1], reference_model=0) is None


@given(tables)
def test_no_other_point_has_a_larger_area(table):
    gain, cost = zip(*table, strict=True)
    best = largest_area(gain, cost, reference_model=0)
    areas = [area([x], [y], reference_cost=cost[0], reference_gain=gain[0]) for y, x in table]
    if best is None:
        assert math.isnan(areas[0])
    else:
        assert areas[best] == pytest.approx(max(areas))


# The nearest.


def test_gain_parity_takes_the_nearest_gain_on_either_side():
    gain, risk = [9, 6, 4, 1], [0.4, 0.3, 0.2, 0.1]
    assert gain_parity(gain, risk, near=100) == 0
    assert gain_parity(gain, risk, near=5.1) == 1
    assert gain_parity(gain, risk, near=4.9) == 2
    assert gain_parity(gain, risk, near=-3) == 3


def test_of_models_equally_near_in_gain_the_one_with_the_least_risk_is_chosen():
    assert gain_parity([6, 4, 6, 1], [0.3, 0.4, 0.2, 0.0], near=6) == 2
    assert gain_parity([6, 4], [0.3, 0.2], near=5) == 1
    assert gain_parity([6, 4], [0.2, 0.3], near=5) == 0
    # 0.3 − 0.2 and 0.2 − 0.1 differ in their last bits.
    assert gain_parity([0.1, 0.3], [0.9, 0.2], near=0.2) == 1
    assert gain_parity([0.1, 0.3], [0.2, 0.9], near=0.2) == 0


def test_nearest_reranking_takes_the_nearest_share_on_either_side():
    gain, reranked = [9, 6, 4], [0.9, 0.5, 0.1]
    assert nearest_reranking(gain, reranked, near=1) == 0
    assert nearest_reranking(gain, reranked, near=0.31) == 1
    assert nearest_reranking(gain, reranked, near=0.29) == 2


def test_of_models_that_rerank_as_much_the_one_with_the_most_gain_is_chosen():
    assert nearest_reranking([1, 3, 2], [0.5, 0.5, 0.5], near=0.4) == 1
    assert nearest_reranking([1, 3], [0.1, 0.3], near=0.2) == 1
    assert nearest_reranking([3, 1], [0.1, 0.3], near=0.2) == 0


def test_of_models_alike_in_all_the_first_is_chosen():
    assert gain_parity([5, 5], [0.1, 0.1], near=4) == 0
    assert nearest_reranking([5, 5], [0.1, 0.1], near=0.4) == 0


@given(tables, st.integers(-5, 12))
def test_no_other_model_is_nearer(table, reference):
    gain, cost = zip(*table, strict=True)
    parity = gain_parity(gain, cost, near=reference)
    assert (abs(gain[parity] - reference), cost[parity]) == min((abs(y - reference), x) for y, x in table)
    nearest = nearest_reranking(gain, cost, near=reference)
    assert (abs(cost[nearest] - reference), -gain[nearest]) == min((abs(x - reference), -y) for y, x in table)


# Mistakes.


def test_nothing_is_chosen_from_nothing():
    assert largest_gain([], [], max_risk=1) is None


@pytest.mark.parametrize(
    "choose",
    [
        pytest.param(lambda gain, cost: largest_gain(gain, cost, max_risk=1), id="largest_gain"),
        pytest.param(lambda gain, cost: largest_area(gain, cost, reference_model=0), id="largest_area"),
        pytest.param(lambda gain, cost: gain_parity(gain, cost, near=1), id="gain_parity"),
        pytest.param(lambda gain, cost: nearest_reranking(gain, cost, near=1), id="nearest_reranking"),
    ],
)
@pytest.mark.parametrize("cost", [[1], [1, 2, 3]])
def test_columns_of_different_lengths_are_refused(choose, cost):
    with pytest.raises(AlignmentError, match="each point needs a number in every column"):
        choose([1, 2], cost)


def test_numbers_that_are_not_known_do_not_hide_the_others():
    assert nearest_reranking([1, 2], [math.nan, 0.5], near=0.4) == 1
    assert largest_gain([math.nan, 1], [0.1, 0.1], max_risk=1) == 1
    assert gain_parity([math.nan, 1, 2], [0.1, 0.1, 0.1], near=2) == 2


def test_a_risk_that_is_not_known_does_not_send_the_choice_far_away():
    assert gain_parity([9, 2, 1], [0.1, 0.1, math.nan], near=1) != 0


def test_there_must_be_a_point_to_choose():
    for gain in ([], [math.nan]):
        with pytest.raises(AlignmentError, match="no point"):
            gain_parity(gain, gain, near=1)


# Rules applied to a sweep.

# Four queries each. Model 0: gain 0.10, risk 0.05; 1: gain 0.08, risk 0.02; 2: gain 0.05, risk 0; 3: gain −0.01.
DELTA = [[0.4, 0.2, 0.0, -0.2], [0.2, 0.2, 0.0, -0.08], [0.2, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, -0.04]]


@pytest.fixture
def sweep():
    return synthetic_sweep(judged(DELTA))


@pytest.mark.parametrize(
    ("max_risk", "expected"), [(1.0, 0), (0.05, 0), (0.049, 1), (0.02, 1), (0.019, 2), (0.0, 2), (0, 2)]
)
def test_the_rule_of_risk_takes_the_largest_gain_within_the_limit(sweep, max_risk, expected):
    point = sweep.choose("risk", max_risk=max_risk)
    assert point.index == expected
    assert (point.gain, point.risk) == pytest.approx((sweep.test.gain[expected], sweep.test.risk[expected]))
    assert point.why == f"It gains most of those with a risk up to {max_risk:g} on test queries."
    assert sweep.choose(max_risk=max_risk).index == expected  # the usual rule


def test_where_nothing_gains_within_the_limit_the_baseline_is_kept():
    loser = synthetic_sweep(judged(DELTA[3:]))
    risky = synthetic_sweep(judged(DELTA[:2]))
    for sweep, limit in ((loser, 1.0), (risky, 0.01)):
        point = sweep.choose("risk", max_risk=limit)
        assert point.index is None
        assert (point.gain, point.risk, point.hurt) == (0, 0, 0)
        assert point.why == f"No model gains anything with a risk up to {limit:g} on test queries."
        assert point.label == "keep the baseline, feature:1"
        with pytest.raises(ParameterError, match="the baseline is kept: there is no model to deploy"):
            point.ranker()


def test_rules_see_validation_queries_and_show_test_queries():
    sweep = synthetic_sweep(judged(DELTA), valid=judged(DELTA[::-1]))
    point = sweep.choose("risk", max_risk=0.02)
    assert point.index == 2  # which on validation queries is what model 1 is on test queries
    assert (point.gain, point.risk) == pytest.approx((0.05, 0.0))
    assert point.why.endswith("on validation queries.")


def test_the_rule_of_area_takes_the_largest_area_when_mixed():
    delta = np.zeros((3, 10))
    delta[0, :8] = 0.1  # re-ranks 8 of 10 for a gain of 0.08
    delta[1, :4] = 0.15  # 4 of 10 for 0.06: above the coin's line (0.04)
    delta[2, :2] = 0.1  # 2 of 10 for 0.02: on it
    assert synthetic_sweep(judged(delta)).choose("area").index == 1
    assert synthetic_sweep(judged(delta)).choose("area").why == (
        "It has the largest area under gain against reranked on test queries."
    )


def test_areas_may_be_those_against_risk():
    sweep = synthetic_sweep(judged(DELTA))
    # From (0, 0.05) to (0.05, 0.1) the mean gain is 0.075; by way of (0.02, 0.08) it is (0.0008 + 0.0027) / 0.05 = 0.07
    assert sweep.choose("area", cost="risk").index == 2
    without = synthetic_sweep(judged(DELTA[:2]))
    assert without.choose("area", cost="risk").index == 1


def test_where_the_reference_model_gains_nothing_there_is_no_area():
    sweep = synthetic_sweep(judged([DELTA[3], DELTA[0]]))
    point = sweep.choose("area")
    assert point.index is None
    assert point.why == f"The reference model ({sweep.settings[0].label}) gains nothing on test queries."


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({"near": 0.095}, 0),
        ({"near": 0.085}, 1),
        ({"near": 0.06}, 2),
        ({"near": 0.0}, 3),
        ({"near": 5.0}, 0),
        ({"like": 0}, 0),
        ({"like": 1}, 1),
        ({"like": 2}, 2),
    ],
)
def test_the_rule_of_parity_takes_the_nearest_gain(sweep, options, expected):
    assert sweep.choose("parity", **options).index == expected


def test_a_whole_number_is_a_number_like_any_other(sweep):
    assert sweep.choose("parity", near=0).index == sweep.choose("parity", near=0.0).index == 3
    assert sweep.choose("parity", near=np.int64(0)).index == 3


@pytest.mark.parametrize(("reference", "now"), [(0.085, "near"), (0.0, "near"), (0, "like"), (np.int64(1), "like")])
def test_a_reference_is_still_a_number_or_a_model_by_its_type(sweep, reference, now):
    with pytest.warns(DeprecationWarning, match=f"is written {now}=.* now"):
        former = sweep.choose("parity", reference=reference)
    assert former.index == sweep.choose("parity", **{now: reference}).index


def test_the_largest_area_still_takes_the_reference_model_by_its_former_name():
    with pytest.warns(DeprecationWarning, match="full= of largest_area is called reference_model= now"):
        assert largest_area([4, 3.5, 1], [4, 2, 1], full=0) == 1


def test_the_tables_still_take_a_reference():
    for rule in (gain_parity, nearest_reranking):
        with pytest.warns(DeprecationWarning, match="reference= of .* is called near= now"):
            former = rule([3, 2, 1], [0.3, 0.2, 0.1], reference=0.2)
        assert former == rule([3, 2, 1], [0.3, 0.2, 0.1], near=0.2)


def test_among_equal_gains_parity_takes_the_least_risk():
    sweep = synthetic_sweep(judged([[0.3, -0.1], [0.1, 0.1], [0.2, 0.0], [0.6, 0.0]]))
    assert sweep.choose("parity", near=0.11).index == 1
    assert sweep.choose("parity", like=0).index == 1  # as much as model 0, without its risk


def test_the_rule_of_reranking_takes_the_nearest_share_with_the_most_gain():
    changed = [[1, 1, 1, 1], [1, 1, 0, 0], [1, 1, 0, 0], [0, 0, 0, 0]]
    sweep = synthetic_sweep(judged([DELTA[0], DELTA[2], DELTA[1], DELTA[3]], is_reranked=changed))
    assert sweep.choose("reranking", near=0.6).index == 2
    assert sweep.choose("reranking", near=0.9).index == 0
    assert sweep.choose("reranking", near=0.0).index == 3
    assert sweep.choose("reranking", like=1).index == 2  # as many as model 1
    assert sweep.choose("reranking", near=0.6).why == "It re-ranks nearly 60.0% of test queries."


def test_rules_keep_to_a_series():
    sweep = synthetic_sweep(judged(DELTA), series=["a", "a", "b", "b"], values=[0, 1, 0, 1])
    assert sweep.choose("risk", max_risk=1, series="b").index == 2
    assert sweep.choose("parity", near=0.1, series="b").index == 2
    assert sweep.choose("reranking", near=1.0, series="b").index == 2
    with pytest.raises(ParameterError, match="no series 'c'. There are: a, b"):
        sweep.choose("risk", max_risk=1, series="c")


def test_the_rule_of_area_keeps_to_a_series():
    sweep = synthetic_sweep(judged([DELTA[0], DELTA[3]]), series=["a", "b"], values=[0, 0])
    assert sweep.choose("area", series="b").index == 1


def test_the_place_of_a_model_may_be_numpys_number(sweep):
    best = sweep.test.gain.argmax()  # 0, a NumPy number
    assert sweep.choose("parity", like=best).index == sweep.choose("parity", like=int(best)).index


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"rule": "luck"}, "rule must be one of risk, area, parity, reranking, got 'luck'"),
        ({}, "the rule risk needs max_risk, a number from 0, got None"),
        ({"max_risk": -0.1}, "the rule risk needs max_risk, a number from 0, got -0.1"),
        ({"max_risk": math.nan}, "the rule risk needs max_risk, a number from 0, got nan"),
        ({"max_risk": "low"}, "the rule risk needs max_risk, a number from 0, got 'low'"),
        ({"rule": "area", "cost": "money"}, "cost must be one of risk, reranked, got 'money'"),
        ({"rule": "parity"}, "the rule parity needs either near= .a number. or like= .another model's place."),
        ({"rule": "parity", "near": 0.1, "like": 1}, "the rule parity needs either near="),
        ({"rule": "parity", "near": "best"}, "near must be a number, got 'best'"),
        ({"rule": "parity", "near": math.nan}, "near must be a number, got nan"),
        ({"rule": "parity", "like": 4}, "like must be the place of a model, from 0 to 3, got 4"),
        ({"rule": "parity", "like": -1}, "like must be the place of a model, from 0 to 3, got -1"),
        ({"rule": "parity", "like": 0.5}, "like must be the place of a model, from 0 to 3, got 0.5"),
        ({"rule": "reranking"}, "the rule reranking needs either near="),
    ],
)
def test_rules_that_cannot_be_applied_are_refused(sweep, options, message):
    with pytest.raises(ParameterError, match=message):
        sweep.choose(**options)
