"""RankNet: every pair of different labels counts the same."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from riskrank import RankingData
from riskrank.objectives import RankNet
from riskrank.objectives.on_data.bound_objective import BoundObjective

from .cases import assert_gradients_are_naive


@pytest.mark.parametrize("measure", ["PairAccuracy", "nDCG@5"])
def test_it_weighs_every_pair_the_same(measure, case):
    for truncation, normalise in product((None, 3), ("none", "all")):
        assert_gradients_are_naive("RankNet", measure, case, truncation=truncation, normalise=normalise)


def test_the_gradient_of_one_pair_by_hand():
    """Scores 1 and 0, the worse document above: it is pushed down by 1 / (1 + e^-1), and the other one up."""
    data = RankingData.from_arrays(np.zeros((2, 1)), [0, 1], group=[2])
    gradient, hessian = RankNet(truncation=None, normalise=False).gradients([1.0, 0.0], data)
    rho = 1 / (1 + np.exp(-1))
    np.testing.assert_allclose(gradient, [rho, -rho])
    np.testing.assert_allclose(hessian, [rho * (1 - rho)] * 2)


def test_pairs_are_gone_through_where_options_ask_for_it():
    rng = np.random.default_rng(0)
    data = RankingData.from_arrays(np.zeros((40, 1)), rng.integers(0, 3, 40), group=[40])
    scores = rng.normal(size=40)
    every = RankNet(truncation=None, normalise=False)
    whole = RankNet(truncation=40, normalise=False)
    assert every.counts_pairs
    assert not whole.counts_pairs
    assert not RankNet("nDCG@10", truncation=None, normalise=False).counts_pairs
    np.testing.assert_allclose(every.gradients(scores, data)[0], whole.gradients(scores, data)[0], atol=1e-12)


def test_the_cost_of_one_pair_by_hand():
    data = RankingData.from_arrays(np.zeros((2, 1)), [1, 0], group=[2])
    bound = BoundObjective(RankNet(truncation=None, normalise=False), data)
    scores = np.array([0.0, np.log(3.0)])
    gradient, hessian, values = bound.gradients(scores)
    np.testing.assert_allclose(gradient, [-0.75, 0.75])  # rho = 3 / (3 + 1)
    np.testing.assert_allclose(hessian, [0.1875, 0.1875])
    assert bound.cost(scores, values.reported) == pytest.approx(np.log(4.0))
