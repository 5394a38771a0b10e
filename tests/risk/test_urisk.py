from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from riskrank import risk

from .examples import BASELINE, SYSTEM, alphas, pairs, shuffled


def test_a_worked_example():
    assert risk.urisk(SYSTEM, BASELINE, alpha=5) == pytest.approx((0.1 - 6 * 0.24) / 4)


@given(pairs(), alphas)
def test_it_is_reward_minus_weighted_risk_and_linear_in_alpha(pair, alpha):
    value = risk.urisk(*pair, alpha=alpha)
    assert value == pytest.approx(risk.reward(*pair) - (1 + alpha) * risk.risk(*pair), abs=1e-9)
    zero, one = risk.urisk(*pair, alpha=0), risk.urisk(*pair, alpha=1)
    assert value == pytest.approx(zero + alpha * (one - zero), abs=1e-9)


@given(pairs(), alphas, st.randoms(use_true_random=False))
def test_the_order_of_topics_does_not_matter(pair, alpha, random):
    expected = risk.urisk(*pair, alpha=alpha)
    assert risk.urisk(*shuffled(pair, random), alpha=alpha) == pytest.approx(expected, abs=1e-9)


def test_no_topics_are_nan():
    assert math.isnan(risk.urisk([], [], alpha=1))
