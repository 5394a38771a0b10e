from __future__ import annotations

import math

import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st

from riskrank.risk.inference.shares import wilson


@given(st.integers(1, 400).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))), st.floats(0.5, 0.999))
def test_it_agrees_with_scipy(counts, confidence):
    count, total = counts
    theirs = scipy.stats.binomtest(count, total).proportion_ci(confidence, method="wilson")
    assert wilson(count, total, confidence) == pytest.approx((theirs.low, theirs.high), abs=1e-12)


def test_none_of_none_is_no_share():
    assert all(math.isnan(end) for end in wilson(0, 0, 0.95))
