from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from riskrank import risk
from riskrank.errors import ParameterError

from .examples import BASELINE, SYSTEM, pairs, shuffled


def test_a_worked_example():
    assert risk.cvar(SYSTEM, BASELINE, share=0.25) == pytest.approx(0.2)
    assert risk.cvar(SYSTEM, BASELINE, share=0.5) == pytest.approx(0.24 / 2)
    # 1.5 topics: all of the worst, half of the next
    assert risk.cvar(SYSTEM, BASELINE, share=0.375) == pytest.approx((0.2 + 0.5 * 0.04) / 1.5)
    assert risk.cvar(SYSTEM, BASELINE, share=1) == pytest.approx(risk.risk(SYSTEM, BASELINE))


@given(pairs(), st.randoms(use_true_random=False))
def test_the_order_of_topics_does_not_matter(pair, random):
    assert risk.cvar(*shuffled(pair, random)) == pytest.approx(risk.cvar(*pair), abs=1e-9)


def test_no_topics_and_nan_are_nan():
    assert math.isnan(risk.cvar([], []))
    assert math.isnan(risk.cvar([math.nan, 0.1], [0.1, 0.1]))


def test_a_share_must_take_some_topics():
    for share in (0, -0.1, 1.1, math.nan):
        with pytest.raises(ParameterError, match="share must be a number above 0, up to 1"):
            risk.cvar([0.1], [0.1], share=share)
