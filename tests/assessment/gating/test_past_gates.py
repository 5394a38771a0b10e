from __future__ import annotations

import math

import pytest

from riskrank.assessment.gating.past_gates import PastCheck


@pytest.mark.parametrize(
    ("name", "value", "limit", "use"),
    [
        ("risk", 0.1, 0.2, 0.5),
        ("risk", 0.4, 0.2, 2.0),
        ("risk", 0.1, 0.0, math.inf),
        ("protected", 2.0, 0.0, math.nan),
        ("risk", 1e-17, 0.0, 0.0),
        ("trisk", math.nan, -2.0, 0.0),
        ("significance", 0.1, math.nan, math.nan),
        ("urisk", -0.005, -0.01, 0.5),
        ("urisk", 0.1, -0.01, 0.0),
        ("gain", 0.05, 0.01, math.nan),
    ],
)
def test_how_much_of_a_limit_was_used(name, value, limit, use):
    assert PastCheck(name, "", value, limit, True).use == pytest.approx(use, nan_ok=True)


def test_a_limit_of_zero_is_not_used_at_all_or_infinitely_over():
    assert [PastCheck("severe", "", value, 0.0, True).use for value in (0.0, 0.02)] == [0.0, math.inf]
    assert [PastCheck("urisk", "", value, 0.0, True).use for value in (0.01, 0.0, -0.01)] == [0.0, 0.0, math.inf]
    assert math.isnan(PastCheck("gain", "", 0.1, 0.05, True).use)  # what must be gained has no use


def test_a_value_that_is_undefined_uses_nothing_or_is_over_as_the_gate_said():
    assert [PastCheck("trisk", "", math.nan, -2.0, holds).use for holds in (True, False)] == [0.0, math.inf]


def test_a_limit_that_is_kept_is_never_used_over():
    assert (0.1 + 0.2) / 0.3 > 1
    assert PastCheck("risk", "", 0.1 + 0.2, 0.3, True).use == 1
