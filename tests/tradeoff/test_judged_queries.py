"""Judged queries: what models gain and cost, by hand, and folds joined_folds into one set."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from riskrank.errors import ParameterError
from riskrank.tradeoff.judged_queries import joined_folds

from .synthetic_sweeps import judged


def test_gain_is_reward_minus_risk():
    queries = judged([[0.3, -0.1, 0.0, 0.2]])
    assert (queries.reward[0], queries.risk[0], queries.gain[0]) == pytest.approx((0.125, 0.025, 0.1))
    assert [int(count[0]) for count in queries.outcomes] == [2, 1, 1, 0]


def test_a_cost_is_the_risk_or_the_share_re_ranked():
    queries = judged([[0.3, -0.1, 0.0, 0.2]])
    assert queries.cost("risk").tolist() == queries.risk.tolist()
    assert queries.cost("reranked").tolist() == [0.75]
    with pytest.raises(ParameterError, match="cost must be one of risk, reranked, got 'money'"):
        queries.cost("money")


def test_a_query_is_hurt_where_it_loses_more_than_the_limit():
    queries = judged([[0.3, -0.1, -0.2]])
    np.testing.assert_allclose(queries.losses()[0], [0, 0.1, 0.2])
    assert queries.losses(0.1).tolist() == [[0, 0, 1]]


def test_folds_are_joined_query_by_query_and_their_means_by_size():
    one = judged([[0.1, 0.2], [0.0, 0.1]], fold=[1, 1], predictors={"x": np.array([1.0, 2.0])})
    two = judged([[0.3], [-0.1]], fold=[2], queries=["2"], predictors={"x": np.array([3.0])})
    parts = [
        dataclasses.replace(part, others={"AP": np.array(means)})
        for part, means in ((one, [0.3, 0.6, 0.9]), (two, [0.6, 0.9, 0.0]))
    ]
    both = joined_folds(parts)
    assert both.queries == ("0", "1", "2")
    assert both.fold.tolist() == [1, 1, 2]
    np.testing.assert_allclose(both.changes, [[0.1, 0.2, 0.3], [0.0, 0.1, -0.1]])
    assert both.predictors["x"].tolist() == [1, 2, 3]
    np.testing.assert_allclose(both.others["AP"], [0.4, 0.7, 0.6])  # (2 · 0.3 + 0.6) / 3, …
