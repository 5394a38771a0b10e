"""FARO and T*-FARO: when the scale is estimated, and what there is to standardise by."""

from __future__ import annotations

import json

import numpy as np
import pytest
from scipy.special import ndtr

from riskrank.errors import ParameterError
from riskrank.objectives import FARO, TStarFARO

from .cases import gradients_of, make_case


def scale_of(difference, alpha):
    return np.where(difference < 0, (1 + alpha) * difference, difference).std(ddof=1)


@pytest.mark.parametrize(
    ("refresh", "estimated_at"),
    [(None, [0, 1, 1, 1, 1]), (1, [0, 1, 2, 3, 4]), (2, [0, 1, 2, 2, 4]), (3, [0, 1, 1, 3, 3])],
)
def test_the_scale_is_estimated_after_the_first_step_and_kept_or_refreshed(refresh, estimated_at):
    rng = np.random.default_rng(0)
    differences = rng.normal(size=(5, 8)) / 5
    objective, memory = FARO(alpha=2.0, refresh=refresh), {}
    for now, then in enumerate(estimated_at):
        memory = json.loads(json.dumps(memory))  # it is saved with checkpoints
        state = objective.prepare(0.5 + differences[now], np.full((1, 8), 0.5), memory)[1]
        expected = 2 * (1 - ndtr(differences[now] / scale_of(differences[then], 2.0)))
        np.testing.assert_allclose(state, expected, atol=1e-12)


def test_a_single_query_or_no_difference_has_half_of_alpha():
    """Nothing to standardise by: T = 0 and 1 − Φ(0) = 1/2."""
    for model in (np.array([0.4]), np.array([0.4, 0.4])):
        state = FARO(alpha=2.0).prepare(model, model[None], {})[1]
        np.testing.assert_allclose(state, 1.0)


def test_a_difference_within_rounding_is_none():
    """The mean of three equal numbers need not be that number to the last bit."""
    model = np.random.default_rng(0).random(50)
    state = TStarFARO(alpha=2.0).prepare(model, np.array([model] * 3), {})[1]
    np.testing.assert_allclose(state, 1.0)


def test_against_several_baselines_both_go_by_the_within_query_mean():
    case = make_case(7)
    assert len(case.baselines) > 1
    for parameters in ({}, {"alpha": 5.0, "standardise": "error", "refresh": 2}):
        one, other = (gradients_of(kind("nDCG@5", **parameters), case) for kind in (FARO, TStarFARO))
        np.testing.assert_array_equal(one, other)


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"standardise": None}, "standardise must be one of error, deviation, got None"),
        ({"refresh": 1.5}, "refresh must be a whole number from 1 or None, got 1.5"),
    ],
)
def test_parameters_outside_their_domain_are_refused(parameters, message):
    with pytest.raises(ParameterError, match=message):
        FARO("nDCG@10", **parameters)
