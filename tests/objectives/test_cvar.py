"""CVaR: the worst share of queries."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from riskrank.errors import ParameterError
from riskrank.objectives import CVaR, URisk

from .cases import assert_gradients_are_naive, effectiveness, gradients_of, make_case


@pytest.mark.parametrize("measure", ["nDCG@5", "AP"])
def test_with_all_queries_it_is_urisk(measure, case):
    expected = gradients_of(URisk(measure, alpha=3.0), case)
    np.testing.assert_allclose(
        gradients_of(CVaR(measure, alpha=3.0, share=1.0), case), expected, rtol=1e-11, atol=1e-13
    )


@pytest.mark.parametrize("share", [0.05, 0.25, 0.5, 1])
@pytest.mark.parametrize("measure", ["nDCG@5", "AP"])
def test_it_weighs_the_worst_share_of_queries(share, measure):
    assert_gradients_are_naive("CVaR", measure, make_case(6), alpha=2.0, share=share)


@given(st.lists(st.tuples(effectiveness, effectiveness), min_size=1, max_size=12), st.floats(0.01, 1))
def test_its_threshold_minimises_its_integral(pairs, share):
    """Rockafellar and Uryasev 2002: the mean of the worst share is the minimum over v of v + mean excess / share."""
    model, baseline = np.array(pairs).T
    losses = np.maximum(0.0, baseline - model)
    worst = CVaR(alpha=1.0, share=share).prepare(model, baseline[None], {})[2]

    def integral(v):
        return v + np.maximum(losses - v, 0).mean() / share

    assert integral(worst.threshold) == pytest.approx(min(integral(v) for v in (0.0, *losses)), abs=1e-9)


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"share": 0}, "share must be a number above 0, up to 1, got 0"),
        ({"share": 1.01}, "share must be a number above 0, up to 1, got 1.01"),
        ({"share": float("nan")}, "share must be a number above 0, up to 1, got nan"),
        ({"alpha": -0.5, "share": 0.1}, "alpha must be above −share .-0.1., got -0.5"),
    ],
)
def test_parameters_outside_their_domain_are_refused(parameters, message):
    with pytest.raises(ParameterError, match=message):
        CVaR("nDCG@10", **parameters)
