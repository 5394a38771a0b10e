"""What every objective promises."""

from __future__ import annotations

import json
from dataclasses import fields

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from riskrank import objectives
from riskrank.errors import ParameterError
from riskrank.kernels.state import Query
from riskrank.objectives import OBJECTIVES, CVaR, Gain, GeoRisk, objective_named

from .cases import alphas, effectiveness, gradients_of, training_of

WITH_ALPHA = [kind for kind in OBJECTIVES.values() if "alpha" in {field.name for field in fields(kind)}]
# Those whose target gets the state that `Objective.prepare` gives, and no distance to the baseline's ranking.
WITH_USUAL_STATE = [kind for kind in OBJECTIVES.values() if kind not in (CVaR, GeoRisk) and not kind.with_churn]


@given(
    model=effectiveness,
    after=effectiveness,
    baseline=effectiveness,
    alpha=alphas,
    of_query=st.floats(0, 20),
    threshold=effectiveness,
    share=st.floats(0.01, 1),
)
def test_every_target_has_the_sign_of_the_change(model, after, baseline, alpha, of_query, threshold, share):
    """Consistency, Wang et al. 2012: a swap that makes the ranking better makes the target better."""
    delta = after - model
    query, training = Query(model, baseline, of_query), training_of(alpha)
    for objective in WITH_USUAL_STATE:
        assert np.sign(objective.target(delta, query, training)) == np.sign(delta), objective
    worst = CVaR(alpha=alpha, share=share).prepare(np.array([model]), np.array([[baseline]]), {})[2]
    assert np.sign(CVaR.target(delta, query, worst)) == np.sign(delta)
    assert np.sign(CVaR.target(delta, query, worst._replace(threshold=threshold))) == np.sign(delta)


# GeoRisk is left out: at alpha 0 it still weighs a change by how far the query is from its expectation.
@pytest.mark.parametrize("objective", [kind for kind in WITH_ALPHA if kind is not GeoRisk])
@pytest.mark.parametrize("measure", ["nDCG@5", "AP"])
def test_alpha_zero_is_gain(objective, measure, case):
    for normalise in ("none", "all"):
        expected = gradients_of(Gain(measure, normalise=normalise), case)
        actual = gradients_of(objective(measure, alpha=0.0, normalise=normalise), case)
        np.testing.assert_allclose(actual, expected, rtol=1e-11, atol=1e-13)


@pytest.mark.parametrize("objective", WITH_ALPHA)
@pytest.mark.parametrize("alpha", [-1, -1.5, float("nan"), float("inf"), "5", None])
def test_alpha_must_be_a_number_above_minus_one(objective, alpha):
    with pytest.raises(ParameterError, match="alpha must be a number above −1"):
        objective("nDCG@10", alpha=alpha)


@pytest.mark.parametrize("name", sorted(OBJECTIVES))
def test_every_objective_round_trips_through_its_dict_and_its_repr(name):
    objective = objective_named(name, truncation=7, normalise=False)
    described = json.loads(json.dumps(objective.to_dict()))
    assert described.pop("objective") == name
    assert objective_named(name, **described) == objective
    assert eval(repr(objective), vars(objectives)) == objective
    assert eval(repr(type(objective)()), vars(objectives)) == type(objective)()
    assert type(objective).summary
