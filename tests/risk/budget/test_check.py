from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from riskrank.risk.budget.check import keeps, sureness_of

numbers = st.floats(-1, 1).map(lambda x: round(x, 3))


@pytest.mark.parametrize(
    ("value", "interval", "sureness"),
    [
        (0.2, (0.1, 0.29), "surely within"),
        (0.2, (0.1, 0.31), "within, not surely"),
        (0.4, (0.29, 0.5), "over, not surely"),
        (0.4, (0.31, 0.5), "clearly over"),
        (0.4, (math.nan, math.nan), "not known"),
        (0.3, (0.1, 0.3), "surely within"),
    ],
)
def test_what_an_interval_says_of_a_limit_of_03(value, interval, sureness):
    assert sureness_of(value, 0.3, interval, is_upper=True) == sureness
    mirrored = (-interval[1], -interval[0])
    assert sureness_of(-value, -0.3, mirrored, is_upper=False) == sureness


@given(numbers, numbers, st.tuples(numbers, numbers).map(sorted), st.booleans())
def test_a_sure_check_is_also_a_check(value, limit, interval, is_upper):
    sureness = sureness_of(value, limit, tuple(interval), is_upper=is_upper)
    assert (
        sureness.endswith("within") or "within," in sureness
        if keeps(value, limit, is_upper=is_upper)
        else "over" in sureness
    )


def test_the_last_bit_does_not_decide():
    assert keeps(0.1 + 0.2, 0.3, is_upper=True)
    assert keeps(0.3, 0.1 + 0.2, is_upper=False)
    assert not keeps(0.3 + 1e-9, 0.3, is_upper=True)
