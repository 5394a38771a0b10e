from __future__ import annotations

import numpy as np
import pytest
import scipy.stats
from hypothesis import assume, given

from riskrank import risk

from .examples import alphas, pairs


@given(pairs(1), alphas)
def test_topics_explain_the_whole(pair, alpha):
    explored = risk.explore(*pair, alpha=alpha)
    overall = risk.trisk(*pair, alpha=alpha)
    assert explored.reason == overall.reason
    assume(not explored.reason and abs(overall.statistic) < 1e6)
    count = len(pair[0])
    assert explored.t_r.statistic.mean() == pytest.approx(overall.statistic, abs=1e-6)
    assert explored.t_j.statistic.sum() == pytest.approx(0, abs=1e-5 * (1 + np.abs(explored.t_j.statistic).max()))
    # the definition by leaving out one topic
    x, mean = explored.tradeoff, explored.tradeoff.mean()
    by_definition = [(count - 1) * (mean - np.delete(x, q).mean()) / overall.standard_error for q in range(count)]
    np.testing.assert_allclose(explored.t_j.statistic, by_definition, rtol=1e-5, atol=1e-5)
    p = 2 * scipy.stats.t.sf(np.abs(explored.t_r.statistic), count - 1)
    np.testing.assert_allclose(explored.t_r.p_value, p, rtol=1e-6, atol=1e-12)
