"""GeoRisk: the change of GeoRisk itself, of whatever size it is."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from riskrank import RankingData
from riskrank.kernels.state import Query
from riskrank.objectives import GeoRisk
from riskrank.risk.georisk import georisk

from . import naive
from .cases import alphas, assert_gradients_are_naive, effectiveness, make_case


@st.composite
def matrices(draw):
    """A model and baselines (their effectiveness on some queries), a query, and its effectiveness after a swap."""
    queries, baselines = draw(st.integers(1, 6)), draw(st.integers(1, 4))
    row = st.lists(effectiveness, min_size=queries, max_size=queries)
    model = np.array(draw(row))
    others = np.array([draw(row) for _ in range(baselines)])
    return model, others, draw(st.integers(0, queries - 1)), draw(effectiveness)


@given(matrix=matrices(), alpha=alphas)
def test_its_target_has_the_sign_of_the_change(matrix, alpha):
    """Up to alpha 20, the range of Dinçer et al. 2016. Far beyond it GeoRisk itself, nearly 0 then, can fall."""
    model, others, q, after = matrix
    objective = GeoRisk("AP", alpha=alpha, normalise="none")
    baseline, _, training = objective.prepare(model, others, {})
    delta = after - model[q]
    worth = objective.target(delta, Query(model[q], baseline[q], 0.0), training)
    assert np.sign(worth) == np.sign(delta) if delta else worth == pytest.approx(0.0, abs=1e-15)


@given(matrix=matrices(), alpha=alphas)
def test_its_target_is_the_difference_of_two_georisks(matrix, alpha):
    model, others, q, after = matrix
    objective = GeoRisk("AP", alpha=alpha, normalise="none")
    baseline, _, training = objective.prepare(model, others, {})
    row, _, _, z = naive.georisk_parts(model, others)
    assert naive.georisk_of(row, z, alpha) == pytest.approx(georisk([*others, model], alpha=alpha)[-1], abs=1e-12)
    assert training.georisk == pytest.approx(georisk([*others, model], alpha=alpha)[-1], abs=1e-12)
    expected = naive.georisk(model, others, alpha=alpha)(q, after)
    worth = objective.target(after - model[q], Query(model[q], baseline[q], 0.0), training)
    assert worth == pytest.approx(expected, rel=1e-6, abs=1e-9)


def test_its_target_for_many_queries_is_the_same_by_a_polynomial():
    case = make_case(5, sizes=(4, 6, 5, 3) * 41)
    assert GeoRisk("nDCG@5", alpha=3.0).target_for(164) is not GeoRisk("nDCG@5", alpha=3.0).target_for(159)
    for normalise in ("none", "all"):
        assert_gradients_are_naive("GeoRisk", "nDCG@5", case, alpha=3.0, normalise=normalise)


@pytest.mark.parametrize("normalise", ["none", "all"])
def test_it_helps_a_model_that_has_no_effectiveness_yet(normalise):
    """Two queries, the relevant document second in both: whatever the normalisation, it is pushed up."""
    data = RankingData.from_arrays([[1.0], [2.0], [1.0], [2.0]], [0, 1, 0, 1], group=[2, 2])
    objective = GeoRisk("WTA", alpha=1.0, normalise=normalise)
    gradient, hessian = objective.gradients([2.0, 1.0, 2.0, 1.0], data, "feature:1")
    assert (gradient[[1, 3]] < 0).all()
    assert (hessian > 0).all()


@pytest.mark.parametrize("alpha", [20.0, 100.0, 200.0])
def test_its_target_is_exact_for_a_model_at_great_risk_too(alpha):
    """Φ falls to 1e-68 here; with a normalisation the changes are of ordinary size all the same."""
    rng = np.random.default_rng(0)
    model, others = 0.3 * rng.random(30), rng.random((3, 30))
    objective = GeoRisk("AP", alpha=alpha, normalise="all")
    baseline, _, training = objective.prepare(model, others, {})
    for q, after in enumerate(0.3 * rng.random(30)):
        worth = objective.target(after - model[q], Query(model[q], baseline[q], 0.0), training)
        expected = naive.georisk(model, others, alpha=alpha, is_scaled=True)(q, after)
        assert worth == pytest.approx(expected, rel=1e-6), (q, training.z / 30)


@pytest.mark.parametrize("n_queries", [8, 800])
def test_a_swap_of_tied_documents_takes_no_more_than_there_is(n_queries):
    """Their expected effectiveness is 0.05, and the swap is worth 0.3 in the order that they happen to have."""
    values, others = np.full(n_queries, 0.4), np.full((1, n_queries), 0.3)
    values[0], others[0, 0] = 0.05, 0.0
    objective = GeoRisk("AP", alpha=5.0, normalise="none")
    baseline, _, training = objective.prepare(values, others, {})
    target, query = objective.target_for(n_queries), Query(0.05, baseline[0], 0.0)
    all_of_it, more = (target(delta, query, training) for delta in (-0.05, -0.3))
    assert 0 > all_of_it > more > -1 / n_queries
