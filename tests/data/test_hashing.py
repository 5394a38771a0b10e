"""Numbers that look drawn at random and are always the same."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from riskrank.data.hashing import hashed


@given(st.integers(0, 2**62), st.integers(0, 2**62), st.integers(0, 50))
@settings(max_examples=50)
def test_a_number_for_each_pair_is_a_share_and_always_the_same(one, other, salt):
    value = hashed(np.array([one]), other, salt=salt)
    assert 0 <= value[0] < 1
    assert value.tolist() == hashed(np.array([one, one]), np.array([other, other]), salt=salt).tolist()[:1]


def test_numbers_for_pairs_are_spread_evenly_and_differ_by_salt():
    values = hashed(np.arange(10_000), 3, salt=1)
    assert np.histogram(values, bins=10, range=(0, 1))[0].min() > 800
    assert len(set(values.tolist())) == 10_000
    assert abs(np.corrcoef(values, hashed(np.arange(10_000), 3, salt=2))[0, 1]) < 0.05
    assert abs(np.corrcoef(values, hashed(np.arange(10_000), 4, salt=1))[0, 1]) < 0.05
