"""Which kernel an objective gets, and the distances that churn goes by."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import kendalltau

from riskrank import Churn, Gain, RankingData, RankNet, URisk, parse_measure
from riskrank.data.baseline_scores import baseline_scores
from riskrank.objectives.on_data.pair_gradients import (
    AnyMeasureGradients,
    ChurnGradients,
    PositionalGradients,
    RankNetGradients,
    pair_gradients,
)
from riskrank.objectives.on_data.ranked_queries import RankedQueries

RNG = np.random.default_rng(0)
DATA = RankingData.from_arrays(np.zeros((61, 1)), RNG.integers(0, 3, 61), group=[20, 30, 10, 1])
SCORES, BASELINE = RNG.random(61), RNG.random(61)


@pytest.mark.parametrize(
    ("objective", "kind"),
    [
        (Gain("nDCG@10"), PositionalGradients),
        (URisk("P@5"), PositionalGradients),
        (URisk("AP"), AnyMeasureGradients),
        (Churn("nDCG@10"), ChurnGradients),
        (RankNet(), AnyMeasureGradients),
        (RankNet(truncation=None, normalise=False), RankNetGradients),
    ],
)
def test_the_cheapest_kernel_that_is_exact_is_taken(objective, kind):
    measure, ranked = objective.trained_measure.swap_deltas(DATA), RankedQueries(DATA, None)
    assert type(pair_gradients(objective, measure, ranked, baseline_scores(BASELINE, DATA))) is kind


def test_the_distance_of_a_query_is_one_minus_kendalls_tau_over_two():
    measure, ranked = parse_measure("nDCG@10").swap_deltas(DATA), RankedQueries(DATA, None)
    pairs = ChurnGradients(Churn(), measure, ranked, baseline_scores(BASELINE, DATA)[0])
    queries = [slice(0, 20), slice(20, 50), slice(50, 60)]
    expected = [(1 - kendalltau(SCORES[q], BASELINE[q]).statistic) / 2 for q in queries]
    np.testing.assert_allclose(pairs.kendall_distances(SCORES), [*expected, 0.0])
