"""Weights in gradients, and in what objectives give a model: repeated queries, a slow reference, others' objectives."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from riskrank import FARO, SARO, UCRO, Churn, CVaR, Gain, GeoRisk, RankingData, RankNet, URisk
from riskrank.data.baseline_scores import baseline_scores
from riskrank.errors import ParameterError
from riskrank.objectives.objective import own_target
from riskrank.objectives.on_data.bound_objective import BoundObjective
from riskrank.objectives.on_data.weighing import gradient_weights
from riskrank.weights import weighted_deviation, weighted_error

from ..cases import SIZES, make_case

ALIKE = {  # those whose gradients know of all other queries nothing, or only what repeating does not change
    "gain": Gain("nDCG@5"),
    "urisk": URisk("nDCG@5", alpha=3),
    "ucro": UCRO("AP", alpha=3),
    "cvar": CVaR("nDCG@5", alpha=2, share=0.3),
    "churn": Churn("nDCG@5", alpha=0.5),
    "ranknet": RankNet(truncation=None, normalise=False),
    "as LightGBM": Gain("nDCG", normalise="all"),
}
TIMES = np.array([3, 1, 2, 0, 4, 1, 2, 1, 5, 2])


def repeated(case, times):
    """The queries as often as their weights say, and which of them the documents of each come from."""
    queries = np.repeat(np.arange(len(times)), times)
    offsets = case.data.query_offsets
    rows = np.concatenate([np.arange(offsets[q], offsets[q + 1]) for q in queries])
    data = RankingData.from_arrays(case.data.features[rows], case.data.labels[rows], group=np.diff(offsets)[queries])
    return case._replace(data=data, scores=case.scores[rows], baselines=case.baselines[:, rows]), rows


def bound_to(objective, case):
    return BoundObjective(objective, case.data, baseline_scores(case.baselines[:1], case.data), n_threads=1)


def weighted(case, weights):
    return case._replace(data=case.data.weighted(weights))


@pytest.mark.parametrize("objective", ALIKE.values(), ids=ALIKE)
def test_whole_weights_are_repeated_queries(objective):
    case = make_case()
    many, rows = repeated(case, TIMES)
    gradient, hessian, _ = bound_to(objective, weighted(case, TIMES)).gradients(case.scores)
    copies = bound_to(objective, many).gradients(many.scores)
    for own, of_copies in ((gradient, copies.gradient), (hessian, copies.hessian)):
        summed = np.bincount(rows, of_copies, case.data.n_documents)
        np.testing.assert_allclose(own * TIMES.mean(), summed, atol=1e-12)


@pytest.mark.parametrize("objective", [*ALIKE.values(), GeoRisk("nDCG@5", alpha=2)], ids=[*ALIKE, "georisk"])
def test_the_value_of_an_objective_is_that_of_repeated_queries(objective):
    case = make_case()
    many, _ = repeated(case, TIMES)
    one, other = bound_to(objective, weighted(case, TIMES)), bound_to(objective, many)
    values, of_copies = one.values(case.scores), other.values(many.scores)
    assert one.objective_value(case.scores, values) == pytest.approx(
        other.objective_value(many.scores, of_copies), abs=1e-12
    )
    assert one.cost(case.scores, values) == pytest.approx(other.cost(many.scores, of_copies), abs=1e-12)
    assert one.mean(values) == pytest.approx(of_copies.mean(), abs=1e-12)


@settings(deadline=None, max_examples=25)
@given(times=st.lists(st.integers(0, 5), min_size=len(SIZES), max_size=len(SIZES)).filter(any), seed=st.integers(0, 50))
def test_any_whole_weights_are_repeated_queries(times, seed):
    case, times = make_case(seed), np.array(times)
    many, rows = repeated(case, times)
    objective = URisk("nDCG@5", alpha=5)
    gradient = bound_to(objective, weighted(case, times)).gradients(case.scores).gradient
    copies = bound_to(objective, many).gradients(many.scores).gradient
    summed = np.bincount(rows, copies, case.data.n_documents)
    np.testing.assert_allclose(gradient * times.mean(), summed, atol=1e-12)


def test_georisk_moves_as_with_repeated_queries_but_for_the_size_of_one_of_them():
    """A change of one query of c is a little smaller than that of one among more: the second order differs."""
    case = make_case(sizes=(9,) * 150)
    times = np.random.default_rng(0).integers(1, 4, 150)
    many, rows = repeated(case, times)
    objective = GeoRisk("nDCG@5", alpha=2)
    gradient = bound_to(objective, weighted(case, times)).gradients(case.scores).gradient
    copies = bound_to(objective, many).gradients(many.scores).gradient
    summed = np.bincount(rows, copies, case.data.n_documents)
    np.testing.assert_allclose(gradient * times.mean(), summed, rtol=0.02, atol=2e-3 * np.abs(summed).max())


@pytest.mark.parametrize("kind", [SARO, FARO])
def test_the_scale_of_adaptive_objectives_is_weighted(kind):
    rng = np.random.default_rng(1)
    values, baselines, weights = rng.random(30), rng.random((1, 30)), rng.integers(1, 5, 30).astype(float)
    weights /= weights.mean()
    d = values - baselines[0]
    x = np.where(d < 0, 3 * d, d)
    mean = sum(w * each for w, each in zip(weights, x, strict=True)) / 30
    squares = sum(w * (each - mean) ** 2 for w, each in zip(weights, x, strict=True))
    errors = sum((w * (each - mean)) ** 2 for w, each in zip(weights, x, strict=True))
    for standardise, scale in (("deviation", (squares / 29) ** 0.5), ("error", (errors / 29 * 30) ** 0.5 / 30)):
        memory = {}
        kind("nDCG@5", alpha=2, standardise=standardise).prepare(values, baselines, memory, weights)
        assert memory["scale"] == pytest.approx(scale, rel=1e-12)
    _, _, training = kind("nDCG@5", alpha=2).prepare(values, baselines, {}, weights)
    assert training.mean_difference == pytest.approx(np.average(d, weights=weights))
    assert training.deviation == pytest.approx(weighted_deviation(d, weights))


def test_errors_and_deviations_of_equal_weights_are_the_plain_ones():
    values = np.random.default_rng(2).random(20)
    assert weighted_deviation(values, np.ones(20)) == pytest.approx(weighted_deviation(values, None), rel=1e-12)
    assert float(weighted_error(values, np.ones(20))) == pytest.approx(float(weighted_error(values, None)), rel=1e-12)


def test_a_document_weight_multiplies_what_its_pairs_add_up_to():
    case = make_case()
    weights = np.random.default_rng(3).uniform(0, 2, case.data.n_documents)
    plain = bound_to(Gain("nDCG@5"), case).gradients(case.scores)
    weighed = bound_to(Gain("nDCG@5"), case._replace(data=case.data.weighted(weights))).gradients(case.scores)
    np.testing.assert_allclose(weighed.gradient, plain.gradient * weights / weights.mean(), rtol=1e-12)
    np.testing.assert_allclose(weighed.hessian, plain.hessian * weights / weights.mean(), rtol=1e-12)


def test_weights_of_a_document_and_its_query_multiply():
    data = RankingData.from_arrays(np.zeros((3, 1)), [1, 0, 1], group=[2, 1], weights=[3, 1])
    both = replace(data, document_weights=np.array([1.0, 2.0, 3.0]))
    assert gradient_weights(both).tolist() == [0.75, 1.5, 0.75]
    assert gradient_weights(data.weighted([2, 2])) is None


def test_a_batch_of_queries_is_weighed_once():
    case = weighted(make_case(), TIMES)
    bound = bound_to(URisk("nDCG@5", alpha=2), case)
    expected = bound.gradients(case.scores).gradient.copy()
    values = bound.query_values(case.scores)
    state = bound.target_state(values)
    for batch in (np.array([4, 2]), np.array([2, 8])):
        found = bound.batch_gradients(case.scores, batch, values, state)
    for q in (4, 2, 8):
        own = slice(case.data.query_offsets[q], case.data.query_offsets[q + 1])
        np.testing.assert_array_equal(found.gradient[own], expected[own])


def test_an_objective_that_knows_no_weights_is_told_so():
    @dataclass(frozen=True, repr=False)
    class Old(Gain):
        name = "old"

        def value(self, values, baselines):
            return float(values.mean())

    case = weighted(make_case(), TIMES)
    with pytest.raises(ParameterError, match="Old knows no weights: let its value take weights=None"):
        bound_to(Old("nDCG@5"), case)
    assert bound_to(Old("nDCG@5"), make_case()).weights is None


def test_an_own_target_sees_weighted_means():
    def above_mean(delta, query, training):
        """Queries above the mean difference count double."""
        d = query.effectiveness - query.baseline
        return 2 * delta if d > training.mean_difference else delta

    case = make_case()
    objective = own_target(above_mean)("nDCG@5")
    many, rows = repeated(case, TIMES)
    gradient = bound_to(objective, weighted(case, TIMES)).gradients(case.scores).gradient
    copies = bound_to(objective, many).gradients(many.scores).gradient
    np.testing.assert_allclose(
        gradient * TIMES.mean(), np.bincount(rows, copies, len(rows))[: len(gradient)], atol=1e-12
    )
