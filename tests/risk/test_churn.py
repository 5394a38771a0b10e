from __future__ import annotations

import math

import numpy as np
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st

from riskrank import risk
from riskrank.risk.churn import kendall_taus


@given(st.lists(st.permutations(list(range(6))), min_size=1, max_size=5), st.integers(2, 6))
def test_kendall_agrees_with_scipy(permutations, size):
    rankings = [[v for v in p if v < size] for p in permutations]
    topic = np.repeat(np.arange(len(rankings)), size)
    own = np.tile(np.arange(size), len(rankings))
    taus = kendall_taus(topic, np.concatenate(rankings), own, n_topics=len(rankings))
    expected = [scipy.stats.kendalltau(r, np.arange(size)).statistic for r in rankings]
    np.testing.assert_allclose(taus, expected, atol=1e-12)


def test_kendall_of_long_rankings_agrees_with_scipy():
    rng = np.random.default_rng(0)
    a, b = rng.permutation(3000), rng.permutation(3000)
    assert risk.kendall_tau(a, b) == pytest.approx(scipy.stats.kendalltau(a, b).statistic, abs=1e-12)


def test_one_document_has_no_order():
    assert math.isnan(risk.kendall_tau([1], [1]))
