"""What each target makes of a change: the papers' equations, and the property that they must have."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import ndtr
from scipy.stats import kendalltau

from riskrank import RankingData
from riskrank.kernels.state import Query, TrainingState
from riskrank.objectives import FARO, SARO, UCRO, Churn, CVaR, Gain, GeoRisk, TStarFARO, URisk
from riskrank.risk.georisk import georisk

effectiveness = st.integers(0, 1000).map(lambda i: i / 1000)
alphas = st.floats(0, 20)


def run_of(alpha):
    return TrainingState(alpha, 10.0, 0.0, 0.1)


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
    found = URisk.target(delta, Query(model, baseline, 0.0), run_of(alpha))
    assert found == pytest.approx(theorem_1(model, baseline, delta, alpha), rel=1e-9, abs=1e-12)


@given(model=effectiveness, after=effectiveness, baseline=effectiveness, alpha=alphas)
def test_ucro_is_equation_9_and_differs_from_urisk_only_where_a_swap_crosses_the_baseline(
    model, after, baseline, alpha
):
    delta, query = after - model, Query(model, baseline, 0.0)
    found = UCRO.target(delta, query, run_of(alpha))
    if abs(after - baseline) > 1e-9:
        assert found == pytest.approx(delta if after >= baseline else (1 + alpha) * delta)
    if (model - baseline) * (after - baseline) > 0:
        assert found == pytest.approx(URisk.target(delta, query, run_of(alpha)), abs=1e-12)


@pytest.mark.parametrize("measure", ["nDCG@5", "PairAccuracy"])
def test_ucro_a_swap_that_ends_exactly_at_the_baseline_is_no_loss(measure, naive, kernel):
    """The baseline is the model's ranking with two documents swapped: m + δ = b, whatever the rounding of sums says."""
    rng = np.random.default_rng(0)
    sizes = [6] * 20
    labels, scores = rng.integers(0, 4, 120), np.tile(np.arange(6.0, 0, -1), 20)
    baseline = scores.copy()
    baseline[1::6], baseline[3::6] = scores[3::6], scores[1::6]
    data = RankingData.from_arrays(np.zeros((120, 1)), labels, group=sizes)
    found = UCRO(measure, alpha=2.0, truncation=None, normalise="none").gradients(scores, data, baseline)
    expected = naive.gradients(
        data, scores, baseline[None], value=naive.measure(measure, data), target="UCRO", alpha=2.0
    )
    np.testing.assert_allclose(found, expected, rtol=1e-9, atol=1e-11)


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
    query, run = Query(model, baseline, of_query), run_of(alpha)
    for objective in (Gain, URisk, UCRO, SARO, FARO, TStarFARO):
        assert np.sign(objective.target(delta, query, run)) == np.sign(delta), objective
    worst = CVaR(alpha=alpha, share=share).prepare(np.array([model]), np.array([[baseline]]), {})[2]
    assert np.sign(CVaR.target(delta, query, worst)) == np.sign(delta)
    assert np.sign(CVaR.target(delta, query, worst._replace(threshold=threshold))) == np.sign(delta)


@given(model=effectiveness, after=effectiveness, baseline=effectiveness, alpha=st.floats(-0.99, 0))
def test_upside_seeking_urisk_still_has_the_sign_of_the_change(model, after, baseline, alpha):
    delta = after - model
    assert np.sign(URisk.target(delta, Query(model, baseline, 0.0), run_of(alpha))) == np.sign(delta)


@st.composite
def matrices(draw):
    """A model and baselines (their effectiveness on some queries), a query, and its effectiveness after a swap."""
    queries, baselines = draw(st.integers(1, 6)), draw(st.integers(1, 4))
    row = st.lists(effectiveness, min_size=queries, max_size=queries)
    model = np.array(draw(row))
    others = np.array([draw(row) for _ in range(baselines)])
    return model, others, draw(st.integers(0, queries - 1)), draw(effectiveness)


@given(matrix=matrices(), alpha=alphas)
def test_georisk_has_the_sign_of_the_change(matrix, alpha):
    """Up to alpha 20, the range of Dinçer et al. 2016. Far beyond it GeoRisk itself, nearly 0 then, can fall."""
    model, others, q, after = matrix
    objective = GeoRisk("AP", alpha=alpha, normalise="none")
    baseline, _, run = objective.prepare(model, others, {})
    delta = after - model[q]
    found = objective.target(delta, Query(model[q], baseline[q], 0.0), run)
    assert np.sign(found) == np.sign(delta) if delta else found == pytest.approx(0.0, abs=1e-15)


@given(matrix=matrices(), alpha=alphas)
def test_georisk_is_the_difference_of_two_georisks(matrix, alpha, naive):
    model, others, q, after = matrix
    objective = GeoRisk("AP", alpha=alpha, normalise="none")
    baseline, _, run = objective.prepare(model, others, {})
    row, _, _, z = naive.georisk_parts(model, others)
    assert naive.georisk_of(row, z, alpha) == pytest.approx(georisk([*others, model], alpha=alpha)[-1], abs=1e-12)
    assert run.georisk == pytest.approx(georisk([*others, model], alpha=alpha)[-1], abs=1e-12)
    expected = naive.georisk(model, others, alpha=alpha)(q, after)
    found = objective.target(after - model[q], Query(model[q], baseline[q], 0.0), run)
    assert found == pytest.approx(expected, rel=1e-6, abs=1e-9)


def test_georisk_of_many_queries_is_the_same_by_a_polynomial(new_case, assert_kernel_is_naive):
    case = new_case(5, sizes=(4, 6, 5, 3) * 41)
    assert GeoRisk("nDCG@5", alpha=3.0).target_for(164) is not GeoRisk("nDCG@5", alpha=3.0).target_for(159)
    for normalise in ("none", "all"):
        assert_kernel_is_naive("GeoRisk", "nDCG@5", case, alpha=3.0, normalise=normalise)


@pytest.mark.parametrize("normalise", ["none", "all"])
def test_georisk_helps_a_model_that_has_no_effectiveness_yet(normalise):
    """Two queries, the relevant document second in both: whatever the normalisation, it is pushed up."""
    data = RankingData.from_arrays([[1.0], [2.0], [1.0], [2.0]], [0, 1, 0, 1], group=[2, 2])
    objective = GeoRisk("WTA", alpha=1.0, normalise=normalise)
    gradient, hessian = objective.gradients([2.0, 1.0, 2.0, 1.0], data, "feature:1")
    assert (gradient[[1, 3]] < 0).all()
    assert (hessian > 0).all()


@pytest.mark.parametrize("alpha", [20.0, 100.0, 200.0])
def test_georisk_of_a_model_at_great_risk_is_still_exact(alpha, naive):
    """Φ falls to 1e-68 here; with a normalisation the changes are of ordinary size all the same."""
    rng = np.random.default_rng(0)
    model, others = 0.3 * rng.random(30), rng.random((3, 30))
    objective = GeoRisk("AP", alpha=alpha, normalise="all")
    baseline, _, run = objective.prepare(model, others, {})
    for q, after in enumerate(0.3 * rng.random(30)):
        found = objective.target(after - model[q], Query(model[q], baseline[q], 0.0), run)
        expected = naive.georisk(model, others, alpha=alpha, is_scaled=True)(q, after)
        assert found == pytest.approx(expected, rel=1e-6), (q, run.z / 30)


# GeoRisk is left out: at alpha 0 it still weighs a change by how far the query is from its expectation.
@pytest.mark.parametrize("objective", [URisk, UCRO, SARO, FARO, TStarFARO, CVaR, Churn])
@pytest.mark.parametrize("measure", ["nDCG@5", "AP"])
def test_alpha_zero_is_gain(objective, measure, case, kernel):
    for normalise in ("none", "all"):
        expected = kernel(Gain(measure, normalise=normalise), case)
        found = kernel(objective(measure, alpha=0.0, normalise=normalise), case)
        np.testing.assert_allclose(found, expected, rtol=1e-11, atol=1e-13)


@pytest.mark.parametrize("measure", ["nDCG@5", "AP"])
def test_cvar_of_all_queries_is_urisk(measure, case, kernel):
    expected = kernel(URisk(measure, alpha=3.0), case)
    np.testing.assert_allclose(kernel(CVaR(measure, alpha=3.0, share=1.0), case), expected, rtol=1e-11, atol=1e-13)


@pytest.mark.parametrize("share", [0.05, 0.25, 0.5, 1])
@pytest.mark.parametrize("measure", ["nDCG@5", "AP"])
def test_cvar_weighs_the_worst_share_of_queries(share, measure, new_case, assert_kernel_is_naive):
    assert_kernel_is_naive("CVaR", measure, new_case(6), alpha=2.0, share=share)


@given(st.lists(st.tuples(effectiveness, effectiveness), min_size=1, max_size=12), st.floats(0.01, 1))
def test_the_threshold_of_cvar_minimises_its_integral(pairs, share):
    """Rockafellar and Uryasev 2002: the mean of the worst share is the minimum over v of v + mean excess / share."""
    model, baseline = np.array(pairs).T
    losses = np.maximum(0.0, baseline - model)
    worst = CVaR(alpha=1.0, share=share).prepare(model, baseline[None], {})[2]

    def integral(v):
        return v + np.maximum(losses - v, 0).mean() / share

    assert integral(worst.threshold) == pytest.approx(min(integral(v) for v in (0.0, *losses)), abs=1e-9)


@pytest.mark.parametrize("measure", ["nDCG@5", "AP"])
def test_urisk_with_a_negative_alpha_seeks_the_upside(measure, case, assert_kernel_is_naive):
    for normalise in ("none", "all"):
        assert_kernel_is_naive("URisk", measure, case, alpha=-0.5, normalise=normalise)


@pytest.mark.parametrize("standardise", ["error", "deviation"])
@pytest.mark.parametrize("target", ["SARO", "FARO", "TStarFARO"])
def test_both_readings_of_the_standardised_difference(target, standardise, case, assert_kernel_is_naive):
    for measure in ("nDCG@5", "AP"):
        assert_kernel_is_naive(target, measure, case, alpha=4.0, standardise=standardise)


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


def scale_of(difference, alpha):
    return np.where(difference < 0, (1 + alpha) * difference, difference).std(ddof=1)


@pytest.mark.parametrize(
    ("refresh", "estimated_at"),
    [(None, [0, 1, 1, 1, 1]), (1, [0, 1, 2, 3, 4]), (2, [0, 1, 2, 2, 4]), (3, [0, 1, 1, 3, 3])],
)
def test_the_scale_is_estimated_after_the_first_iteration_and_kept_or_refreshed(refresh, estimated_at):
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


def test_several_baselines_count_by_their_mean_and_churn_by_the_first(new_case, assert_kernel_is_naive, kernel):
    case = new_case(7)
    assert_kernel_is_naive("Churn", "nDCG@5", case, alpha=1.0)
    first = case._replace(baselines=case.baselines[:1])
    np.testing.assert_array_equal(kernel(Churn("nDCG@5"), case), kernel(Churn("nDCG@5"), first))
    assert np.abs(np.subtract(kernel(URisk("nDCG@5"), case), kernel(URisk("nDCG@5"), first))).max() > 1e-3


def test_churn_draws_equally_good_documents_to_the_order_of_the_baseline(new_case, kernel):
    case = new_case(8, sizes=(4,), labels=[1, 1, 1, 1], scores=[4.0, 3.0, 2.0, 1.0])
    case = case._replace(baselines=np.array([[1.0, 2.0, 3.0, 4.0]]))
    gradient, _ = kernel(Churn("nDCG@5", alpha=1.0, truncation=None, normalise="none"), case)
    assert gradient[0] > gradient[1] > 0 > gradient[2] > gradient[3]
    keeps = case._replace(baselines=case.scores[None])
    gradient, _ = kernel(Churn("nDCG@5", alpha=1.0, truncation=None, normalise="none"), keeps)
    assert gradient[0] < gradient[1] < 0 < gradient[2] < gradient[3]


def test_the_churn_of_a_model_is_one_minus_kendalls_tau_over_two():
    from riskrank.data.baseline_scores import baseline_scores
    from riskrank.objectives.on_data.bound_objective import BoundObjective

    rng = np.random.default_rng(0)
    data = RankingData.from_arrays(np.zeros((61, 1)), rng.integers(0, 3, 61), group=[20, 30, 10, 1])
    scores, baseline = rng.random(61), rng.random(61)
    bound = BoundObjective(Churn(alpha=2), data, baseline_scores(baseline, data))
    values = bound.gradients(scores).values.reported
    queries = [slice(0, 20), slice(20, 50), slice(50, 60)]
    expected = [(1 - kendalltau(scores[q], baseline[q]).statistic) / 2 for q in queries]
    assert bound.objective_value(values) == pytest.approx(values.mean() - 2 * np.mean([*expected, 0.0]))
