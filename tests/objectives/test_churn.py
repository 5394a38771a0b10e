"""Churn: nearness to the ranking of the first baseline."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import kendalltau

from riskrank import RankingData
from riskrank.data.baseline_scores import baseline_scores
from riskrank.objectives import Churn, URisk
from riskrank.objectives.on_data.bound_objective import BoundObjective

from .cases import assert_gradients_are_naive, gradients_of, make_case


def test_it_goes_by_the_first_baseline_where_others_go_by_the_mean():
    case = make_case(7)
    assert_gradients_are_naive("Churn", "nDCG@5", case, alpha=1.0)
    first = case._replace(baselines=case.baselines[:1])
    np.testing.assert_array_equal(gradients_of(Churn("nDCG@5"), case), gradients_of(Churn("nDCG@5"), first))
    assert np.abs(np.subtract(gradients_of(URisk("nDCG@5"), case), gradients_of(URisk("nDCG@5"), first))).max() > 1e-3


def test_it_draws_equally_good_documents_to_the_order_of_the_baseline():
    case = make_case(8, sizes=(4,), labels=[1, 1, 1, 1], scores=[4.0, 3.0, 2.0, 1.0])
    case = case._replace(baselines=np.array([[1.0, 2.0, 3.0, 4.0]]))
    gradient, _ = gradients_of(Churn("nDCG@5", alpha=1.0, truncation=None, normalise="none"), case)
    assert gradient[0] > gradient[1] > 0 > gradient[2] > gradient[3]
    keeps = case._replace(baselines=case.scores[None])
    gradient, _ = gradients_of(Churn("nDCG@5", alpha=1.0, truncation=None, normalise="none"), keeps)
    assert gradient[0] < gradient[1] < 0 < gradient[2] < gradient[3]


def test_the_value_of_a_model_does_not_depend_on_what_was_ranked_before():
    data = RankingData.from_arrays(np.zeros((4, 1)), [2, 1, 0, 0], group=[4])
    bound = BoundObjective(Churn(alpha=1), data, baseline_scores([4.0, 3.0, 2.0, 1.0], data))
    scores = np.array([4.0, 3.0, 2.0, 1.0])
    values = bound.values(scores)
    bound.values(-scores)
    assert bound.objective_value(scores, values) == pytest.approx(1.0)  # nDCG 1, and no pair in another order
    assert bound.cost(scores, values) == pytest.approx(-1.0)


def test_the_churn_of_a_model_is_one_minus_kendalls_tau_over_two():
    rng = np.random.default_rng(0)
    data = RankingData.from_arrays(np.zeros((61, 1)), rng.integers(0, 3, 61), group=[20, 30, 10, 1])
    scores, baseline = rng.random(61), rng.random(61)
    bound = BoundObjective(Churn(alpha=2), data, baseline_scores(baseline, data))
    values = bound.gradients(scores).values.reported
    queries = [slice(0, 20), slice(20, 50), slice(50, 60)]
    expected = [(1 - kendalltau(scores[q], baseline[q]).statistic) / 2 for q in queries]
    assert -bound.cost(scores, values) == pytest.approx(values.mean() - 2 * np.mean([*expected, 0.0]))
