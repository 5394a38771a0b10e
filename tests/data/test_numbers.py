from __future__ import annotations

import math

import pytest

from riskrank.data.numbers import decimal_number, finite_number, whole_number


@pytest.mark.parametrize("form", [str, str.encode], ids=["text", "bytes"])
def test_decimal_numbers_are_read_from_text_and_bytes(form):
    assert decimal_number(form("1e-3")) == 0.001
    assert decimal_number(form("-inf")) == -math.inf
    assert math.isnan(decimal_number(form("nan")))
    assert decimal_number(form("1_000")) is None
    assert decimal_number(form("x")) is None
    assert decimal_number(form("")) is None


def test_finite_numbers_are_neither_nan_nor_infinite():
    assert finite_number(" 2.5 ") == 2.5
    assert finite_number(b"nan") is finite_number("inf") is finite_number("1_0") is None


def test_whole_numbers_fit_64_bits():
    assert whole_number(b"-7") == -7
    assert whole_number(str(2**63 - 1).encode()) == 2**63 - 1
    assert whole_number(str(2**63).encode()) is whole_number(b"1.0") is whole_number(b"1_0") is None
