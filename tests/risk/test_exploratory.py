from __future__ import annotations

import numpy as np
import pytest
import scipy.stats
from hypothesis import assume, given

from riskrank import risk
from riskrank.risk.exploratory import LIMIT, limit_at

from .examples import alphas, pairs


def test_a_worked_example():
    # x = 0.1, −0.2, 0.1, 0.1: mean 0.025, s² = (3 · 0.075² + 0.225²)/3 = 0.0225, s = 0.15
    explored = risk.explore([0.6, 0.3, 0.2, 0.5], [0.5, 0.5, 0.1, 0.4], alpha=0)
    assert explored.t_r == pytest.approx([0.1 / 0.15, -0.2 / 0.15, 0.1 / 0.15, 0.1 / 0.15])
    assert explored.t_j == pytest.approx([0.5, -1.5, 0.5, 0.5])
    # without the second topic all others are alike: it is infinitely far from them
    assert explored.p_value[1] == 0


@given(pairs(3), alphas)
def test_p_values_compare_each_topic_with_the_others(pair, alpha):
    explored = risk.explore(*pair, alpha=alpha)
    x, count = explored.tradeoff, len(pair[0])
    assume(not explored.reason)
    assert explored.t_j.sum() == pytest.approx(0, abs=1e-6 * (1 + np.abs(explored.t_j).max()))
    for q in range(count):
        others = np.delete(x, q)
        spread = others.std(ddof=1) * np.sqrt(1 + 1 / (count - 1))
        if spread > 1e-6 * np.abs(x).max():
            t = (x[q] - others.mean()) / spread
            assert explored.p_value[q] == pytest.approx(2 * scipy.stats.t.sf(abs(t), count - 2), rel=1e-4, abs=1e-9)


@pytest.mark.parametrize("count", [3, 10, 50, 5000])
def test_a_p_value_tells_how_far_off_a_topic_is(count):
    rng = np.random.default_rng(count)
    explored = risk.explore(rng.normal(0, 1, count), np.zeros(count), alpha=1)
    for t_j, p in zip(explored.t_j[:20], explored.p_value[:20], strict=False):
        assert limit_at(p, count) == pytest.approx(abs(t_j), rel=1e-6)


def test_few_topics_of_pure_noise_stand_out():
    rng = np.random.default_rng(5)
    flagged, p_values = [], []
    for _ in range(300):
        explored = risk.explore(rng.normal(0, 1, 50), np.zeros(50), alpha=0)
        flagged.append(np.abs(explored.t_j) > LIMIT)
        p_values.append(explored.p_value)
    assert 0.035 < np.mean(flagged) < 0.055
    # exact for normal scores: 15,000 topics, standard deviation 0.0018
    assert np.mean(np.array(p_values) <= 0.05) == pytest.approx(0.05, abs=4 * 0.0018)


def test_two_topics_have_no_others_to_compare_with():
    explored = risk.explore([0.6, 0.3], [0.5, 0.5], alpha=1)
    assert explored.reason == "a topic is compared with at least 2 others, got 2 topics"
    assert np.isnan(explored.t_j).all()
