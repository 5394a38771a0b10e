"""Topics that stand out: what the script divides is what the library divides."""

from __future__ import annotations

import numpy as np
import pytest

import riskrank as rr
from riskrank.report.page.explorer.topic_tests import p_limits, short_p, topic_tests

ALPHAS = (0.0, 1.0, 10.0)


@pytest.mark.parametrize("n_topics", [3, 10, 200])
def test_means_and_deviations_give_the_librarys_numbers(n_topics):
    rng = np.random.default_rng(n_topics)
    base, system = rng.random(n_topics), rng.random(n_topics)
    tests = topic_tests(system, base, ALPHAS)
    for k, alpha in enumerate(ALPHAS):
        explored = rr.risk.explore(system, base, alpha=alpha)
        x, mean, deviation = explored.tradeoff, tests.means[k], tests.deviations[k]
        np.testing.assert_allclose(x / deviation, explored.t_r, rtol=1e-10)
        np.testing.assert_allclose((x - mean) / deviation, explored.t_j, rtol=1e-8, atol=1e-10)
        worst_first = explored.t_j[np.argsort(system - base, kind="stable")]
        beyond = [int((worst_first < -2).sum()), int((worst_first > 2).sum())]
        assert [tests.n_low[k], tests.n_high[k]] == beyond
        assert (worst_first[: beyond[0]] < -2).all()
        limits = p_limits(n_topics)
        for t_j, p in zip(explored.t_j, explored.p_value, strict=True):
            assert next(text for limit, text in limits if abs(t_j) >= limit) == short_p(p)


@pytest.mark.parametrize(
    "system", [[0.5, 0.2, 0.3], [0.6, 0.3, 0.4], [0.5, 0.1]], ids=["equal", "all the same", "two topics"]
)
def test_where_topics_cannot_be_told_apart_nothing_stands_out(system):
    tests = topic_tests(np.array(system), np.array([0.5, 0.2, 0.3])[: len(system)], ALPHAS)
    assert (tests.means, tests.deviations) == ([None] * 3, [None] * 3)
    assert (tests.n_low, tests.n_high) == ([0] * 3, [0] * 3)
    assert p_limits(2) == []


def test_p_values_are_written_short():
    assert [short_p(p) for p in (1.0, 0.9949, 0.015001, 0.0096, 0.0094, 0.0005, 0.0004, 0, float("nan"))] == [
        "1.00", "0.99", "0.02", "0.01", "0.009", "0.001", "<0.001", "<0.001", "–",
    ]  # fmt: skip
