"""RankNet as it was published: gradients and cost without going through the pairs, and the same numbers."""

from __future__ import annotations

import numpy as np
import pytest

from riskrank import RankingData
from riskrank.objectives import RankNet
from riskrank.objectives.on_data.bound_objective import BoundObjective


def pair_by_pair(scores, labels, sigma):
    difference = scores[:, None] - scores[None]
    counts = labels[:, None] > labels[None]
    rho = np.exp(-np.logaddexp(0, sigma * difference)) * counts
    bend = rho * (1 - rho) * counts
    gradient = -sigma * (rho.sum(1) - rho.sum(0))
    return gradient, sigma**2 * (bend.sum(1) + bend.sum(0)), (np.logaddexp(0, -sigma * difference) * counts).sum()


@pytest.mark.parametrize(
    ("n", "spread", "levels", "sigma"),
    [
        (2, 1.0, 2, 1.0),
        (60, 1.0, 5, 1.0),
        (900, 1.0, 5, 1.0),
        (900, 1.0, 5, 0.3),
        (900, 0.01, 2, 2.0),
        (900, 20.0, 5, 1.0),
        (900, 500.0, 3, 1.0),
        (900, 1.0, 900, 1.0),
        (900, 0.0, 5, 1.0),
    ],
)
def test_long_and_short_queries_get_what_their_pairs_give(n, spread, levels, sigma):
    rng = np.random.default_rng(n)
    labels, scores = rng.integers(0, levels, n + 3), spread * rng.normal(size=n + 3)
    data = RankingData.from_arrays(np.zeros((n + 3, 1)), labels, group=[3, n])
    bound = BoundObjective(RankNet(truncation=None, normalise=False, sigma=sigma), data, n_threads=1)
    gradient, hessian, values = bound.gradients(scores)
    cost = bound.cost(scores, values.reported)
    expected = [pair_by_pair(scores[part], labels[part], sigma) for part in (slice(0, 3), slice(3, None))]
    gradients, hessians, costs = zip(*expected, strict=True)
    for actual, wanted in ((gradient, np.concatenate(gradients)), (hessian, np.concatenate(hessians))):
        np.testing.assert_allclose(actual, wanted, rtol=1e-9, atol=1e-11 * max(1.0, np.abs(wanted).max()))
    assert cost == pytest.approx(sum(costs) / 2, rel=1e-10)


def test_outliers_are_far_away_and_change_nothing_for_the_others():
    rng = np.random.default_rng(0)
    labels, scores = rng.integers(0, 3, 800), rng.normal(size=800)
    scores[:2] = 1e7, -1e7
    data = RankingData.from_arrays(np.zeros((800, 1)), labels, group=[800])
    gradient, _ = RankNet(truncation=None, normalise=False).gradients(scores, data)
    np.testing.assert_allclose(gradient, pair_by_pair(scores, labels, 1.0)[0], rtol=1e-9, atol=1e-8)
