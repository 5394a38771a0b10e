"""URisk: the case table of its theorem, and what a negative alpha does."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from riskrank.kernels.state import Query
from riskrank.objectives import URisk

from .cases import alphas, assert_gradients_are_naive, effectiveness, training_of


def theorem_1(model, baseline, change, alpha):
    """Wang et al. 2012, the cases in the proof of Theorem 1, as printed."""
    if model <= baseline:
        if change < 0:
            return (1 + alpha) * change  # A1
        if baseline > model + change:
            return (1 + alpha) * change  # A2, still below the baseline
        return alpha * (baseline - model) + change  # A2, now above
    if change < 0:
        if baseline > model - abs(change):
            return alpha * (model - baseline) - (1 + alpha) * abs(change)  # B1, now below
        return change  # B1, still above
    return change  # B2


@given(model=effectiveness, after=effectiveness, baseline=effectiveness, alpha=alphas)
def test_urisk_is_the_case_table_of_theorem_1(model, after, baseline, alpha):
    delta = after - model
    worth = URisk.target(delta, Query(model, baseline, 0.0), training_of(alpha))
    assert worth == pytest.approx(theorem_1(model, baseline, delta, alpha), rel=1e-9, abs=1e-12)


@given(model=effectiveness, after=effectiveness, baseline=effectiveness, alpha=st.floats(-0.99, 0))
def test_upside_seeking_urisk_still_has_the_sign_of_the_change(model, after, baseline, alpha):
    delta = after - model
    assert np.sign(URisk.target(delta, Query(model, baseline, 0.0), training_of(alpha))) == np.sign(delta)


@pytest.mark.parametrize("measure", ["nDCG@5", "AP"])
def test_urisk_with_a_negative_alpha_seeks_the_upside(measure, case):
    for normalise in ("none", "all"):
        assert_gradients_are_naive("URisk", measure, case, alpha=-0.5, normalise=normalise)
