"""What objectives refuse, and how they present themselves."""

from __future__ import annotations

import json

import numpy as np
import pytest

from riskrank import RankingData, objectives
from riskrank.errors import AlignmentError, MeasureError, ParameterError, UnknownMeasureError
from riskrank.objectives import FARO, OBJECTIVES, SARO, UCRO, Churn, CVaR, Gain, GeoRisk, URisk, objective_named

WITH_ALPHA = [URisk, UCRO, SARO, FARO, GeoRisk, CVaR, Churn]


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
        ({"normalise": None}, "normalise must be one of gain, all, none, got None"),
    ],
)
def test_options_outside_their_domain_are_refused(parameters, message):
    with pytest.raises(ParameterError, match=message):
        Gain("nDCG@10", **parameters)


@pytest.mark.parametrize("objective", WITH_ALPHA)
@pytest.mark.parametrize("alpha", [-1, -1.5, float("nan"), float("inf"), "5", None])
def test_alpha_must_be_a_number_above_minus_one(objective, alpha):
    with pytest.raises(ParameterError, match="alpha must be a number above −1"):
        objective("nDCG@10", alpha=alpha)


@pytest.mark.parametrize(
    ("objective", "parameters", "message"),
    [
        (SARO, {"standardise": "x"}, "standardise must be one of error, deviation, got 'x'"),
        (FARO, {"standardise": None}, "standardise must be one of error, deviation, got None"),
        (SARO, {"refresh": 0}, "refresh must be a whole number from 1 or None, got 0"),
        (FARO, {"refresh": 1.5}, "refresh must be a whole number from 1 or None, got 1.5"),
        (CVaR, {"share": 0}, "share must be above 0 and at most 1, got 0"),
        (CVaR, {"share": 1.01}, "share must be above 0 and at most 1, got 1.01"),
        (CVaR, {"share": float("nan")}, "share must be above 0 and at most 1, got nan"),
        (CVaR, {"alpha": -0.5, "share": 0.1}, "alpha must be above −share .-0.1., got -0.5"),
    ],
)
def test_parameters_of_single_objectives_are_checked(objective, parameters, message):
    with pytest.raises(ParameterError, match=message):
        objective("nDCG@10", **parameters)


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


@pytest.mark.parametrize("name", sorted(OBJECTIVES))
def test_every_objective_round_trips_through_its_dict_and_its_repr(name):
    objective = objective_named(name, truncation=7, normalise=False)
    described = json.loads(json.dumps(objective.to_dict()))
    assert described.pop("objective") == name
    assert objective_named(name, **described) == objective
    assert eval(repr(objective), vars(objectives)) == objective
    assert eval(repr(type(objective)()), vars(objectives)) == type(objective)()
    assert type(objective).summary


def test_true_and_false_are_names_of_normalisations():
    assert Gain(normalise=True) == Gain(normalise="gain") == Gain()
    assert Gain(normalise=False) == Gain(normalise="none")
    assert repr(URisk("AP", alpha=2, normalise=False)) == "URisk('AP', normalise='none', alpha=2)"
