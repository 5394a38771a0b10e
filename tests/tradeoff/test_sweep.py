"""What is read from a sweep: areas, convergence, effectiveness, and its models."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest

import riskrank as rr
from riskrank.errors import ParameterError

from .small_sweeps import quick
from .synthetic_sweeps import judged, synthetic_sweep

pytestmark = pytest.mark.usefixtures("two_cores")


def test_convergence_counts_steps_over_all_folds():
    curves = ([0.1, 0.5, 0.96, 1.0], [0.95, 0.2, 1.0]), ([0.2, -0.1], [0.5, 0.5, 0.5])
    learning = tuple(tuple(np.array(curve) for curve in folds) for folds in curves)
    sweep = synthetic_sweep(judged(np.zeros((2, 3))), learning=learning, n_folds=2)
    # 95 % of the way from 0 to 1.0 after 3 and 1 steps; a curve that ends below the baseline never gets there.
    assert sweep.convergence == [2.0, 1.0]
    assert sweep.steps_to_level(0.5) == [1.5, 1.0]
    assert math.isnan(sweep.steps_to_level(0.6)[1])
    np.testing.assert_allclose(sweep.learning_curve(0), [0.525, 0.35, 0.98])  # as far as both go
    never = synthetic_sweep(judged([[0.0]]), learning=((np.array([-0.5]),),))
    assert math.isnan(never.convergence[0])


def test_convergence_starts_from_the_baseline():
    learning = ((np.array([0.40, 0.46, 0.48, 0.50]), np.array([0.40, 0.41])),)
    test = judged(np.zeros((1, 3)))
    above = synthetic_sweep(test, learning=learning, learning_baseline=((0.3, 0.5),), n_folds=2)
    # 95 % of the way from 0.3 to 0.5 is 0.49, after 4 steps; the other fold ends below its baseline.
    assert above.convergence == [4.0]
    unknown = synthetic_sweep(test, learning=learning, learning_baseline=(), n_folds=2)
    assert math.isnan(unknown.convergence[0])


def test_the_helped_and_the_hurt_are_counted_by_their_relative_change(swept):
    for i in range(len(swept)):
        histogram = swept.helped_hurt(i)
        count, unchanged, from_zero = [0] * 21, 0, 0
        for value, base in zip(swept.test.values[i], swept.test.baseline, strict=True):
            if abs(value - base) < 1e-12:
                unchanged += 1
            elif base == 0:
                from_zero += 1
            else:
                count[min(20, math.floor((value - base) / base * 10 + 1e-9) + 10)] += 1
        assert (list(histogram.count), histogram.unchanged, histogram.from_zero) == (count, unchanged, from_zero)


def plain_area(points, full):
    """Under the best mixture of any two points, the baseline and the reference model, at each cost."""
    points = [(0.0, 0.0), full, *points]
    at = np.linspace(0, full[0], 2001)
    best = []
    for x in at:
        heights = [y for cost, y in points if cost <= x]
        for (left, low), (right, high) in itertools.product(points, points):
            if left <= x < right:
                heights.append(low + (high - low) * (x - left) / (right - left))
        best.append(max(heights))
    return np.trapezoid(best, at) / (full[0] * full[1])


def test_areas_are_those_under_the_best_mixtures(by_hand):
    full = (0.05, 0.2)
    areas = by_hand.areas()
    assert areas["a"] == pytest.approx(plain_area([(0.05, 0.2), (0.025, 0.15)], full), abs=1e-4)
    assert areas["b"] == pytest.approx(plain_area([(0.0, 0.05)], full), abs=1e-4)
    # b: from (0, 0.05) straight to (0.05, 0.2): the mean height is 0.125, of 0.2
    assert areas["b"] == pytest.approx(0.625)
    # queries below 4.0 are the three that win: 0.25 at no risk, so more than the reference model has
    assert areas["selective: p"] == pytest.approx(1.25)
    reranked = by_hand.areas("reranked")
    # shares re-ranked are 1, 1 and 1/4: from (0, 0) to (1/4, 0.05), on the coin's line
    assert reranked["b"] == pytest.approx(0.5)


def test_areas_of_a_sweep_are_those_of_its_points(parts):
    swept = quick(parts, baseline=rr.Feature(8), values=(0, 2, 20))
    for cost in ("risk", "reranked"):
        points = list(zip(getattr(swept.test, cost).tolist(), swept.test.gain.tolist(), strict=True))
        assert points[0][1] > 0  # otherwise there is no area
        assert swept.areas(cost)["URisk"] == pytest.approx(plain_area(points, points[0]), abs=1e-4)


def test_without_gain_there_is_no_area():
    sweep = synthetic_sweep(judged([[-0.1, 0.05], [0.1, 0.0]]))
    assert math.isnan(sweep.areas()["URisk"])
    assert math.isnan(sweep.summary["gain_percent"][1])


def test_the_effectiveness_can_be_assessed(swept):
    values = swept.effectiveness()
    assert values.systems == ("feature:1", *(setting.label for setting in swept.settings))
    assert values.topics == swept.test.queries
    assessment = rr.assess(values, "feature:1", alphas=[1])
    for i, setting in enumerate(swept.settings):
        system = assessment[setting.label]
        assert system.risk == pytest.approx(swept.test.risk[i])
        assert system.reward == pytest.approx(swept.test.reward[i])


def test_queries_of_the_same_name_in_several_folds_are_told_apart():
    sweep = synthetic_sweep(judged([[0.1, 0.2, 0.3]], queries=["1", "2", "1"], fold=[1, 1, 2]), n_folds=2)
    assert sweep.effectiveness().topics == ("1/1", "1/2", "2/1")


@pytest.mark.parametrize(
    ("ask", "message"),
    [
        (lambda s: s.members("nobody"), "no series 'nobody'. There are: URisk, for AP"),
        (lambda s: s.find(7), "URisk has no alpha 7; it has 0, 1, 5"),
        (lambda s: s.model(0, fold=2), "fold must be from 1 to 1, got 2"),
        (lambda s: s.model(0, fold=0), "fold must be from 1 to 1, got 0"),
        (lambda s: s.areas("money"), "cost must be one of risk, reranked, got 'money'"),
        (lambda s: s.selective("margins"), "no predictor 'margins'. There are: .* Did you mean 'margin'"),
        (lambda s: s.selective("margin", apply="beside"), "apply must be one of above, below, got 'beside'"),
    ],
)
def test_what_is_not_there_is_refused_with_what_is(swept, ask, message):
    with pytest.raises(ParameterError, match=message):
        ask(swept)


@pytest.mark.parametrize(
    ("series", "values", "expected"),
    [
        (["a", "a", "a"], [0, 1, 5], 0),
        (["a", "a", "a"], [-3, -0.5, 1], 1),
        (["a", "a", "b"], [7, 15, 0], 0),
        (["a", "a", "a"], [31, 15, 7], 2),
    ],
)
def test_the_reference_model_is_that_of_the_first_series_with_the_value_nearest_to_0(series, values, expected):
    sweep = synthetic_sweep(judged(np.full((3, 4), 0.1)), series=series, values=values)
    assert sweep.reference_model == expected
    with pytest.warns(DeprecationWarning, match="Sweep.full is called reference_model now"):
        assert sweep.full == expected


def test_the_members_of_a_series_are_known_by_the_former_name_too():
    sweep = synthetic_sweep(judged(np.full((3, 4), 0.1)), series=["a", "b", "b"], values=[0, 0, 1])
    with pytest.warns(DeprecationWarning, match="Sweep.of is called members now"):
        assert sweep.of("b") == sweep.members("b") == [1, 2]
