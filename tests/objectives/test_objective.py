"""Objectives: their options, names and measures, and targets of one's own."""

from __future__ import annotations

import copy
from dataclasses import FrozenInstanceError, dataclass, replace

import numpy as np
import pytest

from riskrank import Measure, RankingData, objectives, parse_measure
from riskrank.errors import AlignmentError, MeasureError, ParameterError, UnknownMeasureError
from riskrank.objectives import Gain, Objective, URisk, objective_named, own_target

from . import naive
from .cases import assert_gradients_are_naive, gradients_of, make_case


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"truncation": 0}, "truncation must be a whole number from 1 or None, got 0"),
        ({"truncation": -3}, "truncation must be a whole number from 1 or None, got -3"),
        ({"truncation": 2.5}, "truncation must be a whole number from 1 or None, got 2.5"),
        ({"sigma": 0}, "sigma must be a number above 0, got 0"),
        ({"sigma": -1.0}, "sigma must be a number above 0, got -1.0"),
        ({"sigma": float("nan")}, "sigma must be a number above 0, got nan"),
        ({"sigma": float("inf")}, "sigma must be a number above 0, got inf"),
        ({"sigma": "1"}, "sigma must be a number above 0, got '1'"),
        ({"normalise": "x"}, "normalise must be one of gain, all, none, got 'x'"),
    ],
)
def test_options_outside_their_domain_are_refused(parameters, message):
    with pytest.raises(ParameterError, match=message):
        Gain("nDCG@10", **parameters)


def test_true_and_false_are_names_of_normalisations():
    assert Gain(normalise=True) == Gain(normalise="gain") == Gain()
    assert Gain(normalise=False) == Gain(normalise=None) == Gain(normalise="none")
    assert repr(URisk("AP", alpha=2, normalise=False)) == "URisk('AP', normalise='none', alpha=2)"


def test_a_measure_is_given_as_text_or_value_and_read_as_a_value():
    given = Gain("ndcg_cut_10"), Gain(parse_measure("nDCG@10")), Gain(), replace(Gain("AP"), measure="nDCG@10")
    assert all(objective.measure == objective.reported_measure == parse_measure("nDCG@10") for objective in given)
    assert copy.deepcopy(given[0]) == given[0] == given[1]
    with pytest.raises(FrozenInstanceError):
        given[0].measure = "AP"


def test_an_objective_of_ones_own_may_have_a_measure_of_its_own():
    @dataclass(frozen=True, repr=False)
    class OfPrecision(Gain):
        measure: Measure | str = "P@5"

    assert OfPrecision().measure == OfPrecision().reported_measure == parse_measure("P@5")
    assert OfPrecision().trained_measure == parse_measure("P@5")
    assert OfPrecision("nDCG@10").trained_measure == parse_measure("nDCG@30")


def test_an_unknown_name_gets_a_suggestion():
    with pytest.raises(
        ParameterError, match="unknown objective 'uriks'. Did you mean 'urisk'. Known: churn, cvar, faro"
    ):
        objective_named("uriks")
    with pytest.raises(ParameterError, match="urisk has no parameter 'beta'; it takes measure, truncation, sigma"):
        objective_named("urisk", beta=1)


def test_names_are_read_in_any_case_and_with_hyphens():
    assert objective_named("TStar-FARO") == objectives.TStarFARO()
    assert objective_named("URisk", measure="AP", alpha=5) == URisk("AP", alpha=5)


def test_a_measure_that_is_unknown_or_cannot_be_optimised_is_refused():
    with pytest.raises(UnknownMeasureError, match="unknown measure 'nDGC@10'. Did you mean"):
        Gain("nDGC@10")
    data = RankingData.from_arrays(np.zeros((2, 1)), [0, 1], group=[2])
    with pytest.raises(
        MeasureError, match="Bpref cannot be optimised; choose one of AP, DCG, ERR, nDCG, P, PairAccuracy"
    ):
        Gain("Bpref").gradients([1.0, 2.0], data)
    with pytest.raises(MeasureError, match="cannot be optimised"):
        Gain("GM(AP)").gradients([1.0, 2.0], data)


@pytest.mark.parametrize("scores", [[1.0], [1.0, np.nan], [1.0, np.inf], ["a", "b"]])
def test_scores_must_be_finite_and_one_per_document(scores):
    data = RankingData.from_arrays(np.zeros((2, 1)), [0, 1], group=[2])
    with pytest.raises(AlignmentError, match="'model'"):
        Gain("AP").gradients(scores, data)


@pytest.mark.parametrize("measure", ["nDCG@5", "DCG@5", "ERR@5", "P@5", "AP@4"])
def test_the_default_truncation_trains_graded_measures_at_its_depth(measure):
    case = make_case(2, sizes=(40, 3, 45))
    assert_gradients_are_naive("URisk", measure, case, truncation=30, normalise="all", alpha=1.0)
    at_depth = {"nDCG@5": "nDCG@30", "DCG@5": "DCG@30", "ERR@5": "ERR@30"}.get(measure, measure)
    assert str(URisk(measure).trained_measure) == at_depth
    assert str(URisk(measure, truncation=None).trained_measure) == measure
    assert str(URisk(measure, truncation=2).trained_measure) == measure


def test_options_given_to_gradients_hold_for_that_call_only(case):
    objective = URisk("nDCG@5", alpha=2.0)
    actual = objective.gradients(case.scores, case.data, case.baselines, truncation=3, normalise=False)
    expected = gradients_of(URisk("nDCG@5", alpha=2.0, truncation=3, normalise="none"), case)
    np.testing.assert_array_equal(actual, expected)
    assert objective == URisk("nDCG@5", alpha=2.0)
    np.testing.assert_array_equal(
        objective.gradients(case.scores, case.data, case.baselines), gradients_of(objective, case)
    )


# Targets of one's own.

LOSS = 3.0


def worth(d):
    return LOSS * d if d < 0 else d


def cautious(delta, query, training):
    """Losses weigh three times."""
    d = query.effectiveness - query.baseline
    return worth(d + delta) - worth(d)


def by_spread(delta, query, training):
    return delta * (1 + training.alpha * training.deviation + abs(training.mean_difference) + 1 / training.n_queries)


Cautious, BySpread = own_target(cautious), own_target(by_spread)


@pytest.mark.parametrize("measure", ["nDCG@5", "AP"])
def test_a_target_of_ones_own_may_call_a_helper_and_read_a_constant(measure, case):
    for normalise in ("none", "all"):
        expected = gradients_of(URisk(measure, alpha=2.0, normalise=normalise), case)
        np.testing.assert_allclose(
            gradients_of(Cautious(measure, normalise=normalise), case), expected, rtol=1e-11, atol=1e-13
        )


def test_a_target_of_ones_own_sees_the_state_of_all_queries(case):
    def weigh(model, baselines, *, alpha, **_):
        d = model - baselines.mean(axis=0)
        weight = 1 + alpha * d.std(ddof=1) + abs(d.mean()) + 1 / len(d)
        return lambda q, after: weight * (after - model[q])

    value = naive.measure("nDCG@5", case.data)
    expected = naive.gradients(case.data, case.scores, case.baselines, value=value, target=weigh, alpha=3.0)
    actual = gradients_of(BySpread("nDCG@5", alpha=3.0, truncation=None, normalise="none"), case)
    np.testing.assert_allclose(actual, expected, rtol=1e-9, atol=1e-12)


def test_a_target_of_ones_own_made_inside_a_function_may_call_its_neighbours(case):
    def doubled(delta):
        return 2.0 * delta

    def twice(delta, query, training):
        return doubled(delta)

    expected = gradients_of(Gain("nDCG@5", normalise="none"), case)
    actual = gradients_of(own_target(twice)("nDCG@5", normalise="none"), case)
    np.testing.assert_allclose(actual, np.multiply(2.0, expected), rtol=1e-11, atol=1e-13)


def test_a_target_of_ones_own_is_an_objective_like_any_other():
    assert issubclass(Cautious, Objective)
    assert Cautious.name == "cautious"
    assert Cautious.summary == "Losses weigh three times."
    assert Cautious("AP", alpha=2.0).to_dict() == {
        "objective": "cautious", "measure": "AP", "truncation": 30, "sigma": 1.0, "normalise": "gain", "alpha": 2.0,
    }  # fmt: skip
    assert repr(Cautious("AP", alpha=2.0)) == "cautious('AP', alpha=2.0)"
    with pytest.raises(ParameterError, match="cautious needs a baseline"):
        Cautious("AP").gradients([1.0], None)
