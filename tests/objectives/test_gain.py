"""Gain: the measure alone."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from riskrank.kernels.state import Query
from riskrank.objectives import Gain

from .cases import alphas, effectiveness, training_of


@given(delta=st.floats(-1, 1), model=effectiveness, baseline=effectiveness, alpha=alphas)
def test_a_change_is_worth_itself(delta, model, baseline, alpha):
    assert Gain.target(delta, Query(model, baseline, 0.0), training_of(alpha)) == delta


@pytest.mark.parametrize("measure", ["nDCG@5", "AP"])
def test_baselines_change_nothing(measure, case):
    alone = Gain(measure).gradients(case.scores, case.data)
    np.testing.assert_array_equal(Gain(measure).gradients(case.scores, case.data, case.baselines), alone)


def test_a_model_is_worth_its_mean_effectiveness():
    assert Gain().value(np.array([0.25, 0.75]), np.array([[0.5, 1.0]])) == 0.5
    assert Gain().value(np.array([0.25, 0.75]), np.empty((0, 2))) == 0.5
