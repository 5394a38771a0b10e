from __future__ import annotations

import math

import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st

from riskrank.risk.inference.shares import clopper_pearson_upper, wilson


@given(st.integers(1, 400).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))), st.floats(0.5, 0.999))
def test_it_agrees_with_scipy(counts, confidence):
    count, total = counts
    theirs = scipy.stats.binomtest(count, total).proportion_ci(confidence, method="wilson")
    assert wilson(count, total, confidence) == pytest.approx((theirs.low, theirs.high), abs=1e-12)


def test_none_of_none_is_no_share():
    assert all(math.isnan(end) for end in wilson(0, 0, 0.95))


@given(st.integers(1, 400).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))), st.floats(0.001, 0.5))
def test_the_upper_limit_of_clopper_and_pearson_against_scipy(counts, level):
    count, total = counts
    theirs = 1.0 if count == total else scipy.stats.beta.ppf(1 - level, count + 1, total - count)
    assert clopper_pearson_upper(count, total, level) == pytest.approx(theirs, abs=1e-9)
