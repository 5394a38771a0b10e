"""SARO, and what it has in common with FARO: an alpha for each query."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.special import ndtr

from riskrank.errors import ParameterError
from riskrank.objectives import SARO

from .cases import assert_gradients_are_naive


@pytest.mark.parametrize("standardise", ["error", "deviation"])
@pytest.mark.parametrize("target", ["SARO", "FARO", "TStarFARO"])
def test_gradients_are_naive_by_both_readings_of_the_standardised_difference(target, standardise, case):
    for measure in ("nDCG@5", "AP"):
        assert_gradients_are_naive(target, measure, case, alpha=4.0, standardise=standardise)


@pytest.mark.parametrize(("standardise", "root"), [("error", math.sqrt(3)), ("deviation", 1.0)])
def test_the_alpha_of_a_query_by_hand(standardise, root):
    """d = 0.3, −0.1, 0 with alpha 1: x = 0.3, −0.2, 0."""
    model, baseline = np.array([0.8, 0.4, 0.5]), np.array([0.5, 0.5, 0.5])
    x = np.array([0.3, -0.2, 0.0])
    numerator = x if standardise == "error" else np.array([0.3, -0.1, 0.0])
    expected = 1 - ndtr(numerator / x.std(ddof=1) * root)
    state = SARO(alpha=1.0, standardise=standardise).prepare(model, baseline[None], {})[1]
    np.testing.assert_allclose(state, expected, atol=1e-12)
    assert state[2] == pytest.approx(0.5)


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"standardise": "x"}, "standardise must be one of error, deviation, got 'x'"),
        ({"refresh": 0}, "refresh must be a whole number from 1 or None, got 0"),
    ],
)
def test_parameters_outside_their_domain_are_refused(parameters, message):
    with pytest.raises(ParameterError, match=message):
        SARO("nDCG@10", **parameters)
