from __future__ import annotations

import math

import numpy as np
import pytest

from riskrank.report.findings.digits import Digits, digits_of, percent, times_text, weight_text

from .changes import assessed, changes


@pytest.mark.parametrize(
    ("value", "text"), [(0.1234, "+0.123"), (-0.1234, "−0.123"), (4e-4, "0.000"), (-4e-4, "0.000"), (math.nan, "–")]
)
def test_gains_have_a_sign_unless_they_round_to_zero(value, text):
    assert Digits(3).gain(value) == text


def test_an_interval_in_a_sentence():
    assert Digits(3).interval((-0.01, 0.25)) == "−0.010 to +0.250"
    assert Digits(3).interval((math.nan, math.nan)) == ""


@pytest.mark.parametrize(("scale", "n_decimals"), [(1.0, 3), (0.1, 4), (0.01, 5), (0.0001, 5)])
def test_the_usual_standard_error_has_two_digits_within_limits(scale, n_decimals):
    # Half ±0.1: the standard error is about 0.1 / √40 = 0.016, a tenth of it 0.0016, and so on.
    assessment = assessed({"new": scale * changes((20, 0.1), (20, -0.1))})
    assert digits_of(assessment) == Digits(n_decimals)


def test_without_a_standard_error_there_are_three_digits():
    assert digits_of(assessed({"new": np.zeros(40)})) == Digits(3)


def test_confidence_ratios_and_weights_in_words():
    assert [percent(share) for share in (0.95, 0.9, 0.999, 1 - 0.05)] == ["95%", "90%", "99.9%", "95%"]
    assert [times_text(ratio, "risk") for ratio in (0.52, 1.04, 9.94, 1234.5)] == [
        "0.5 times the risk", "the same risk", "9.9 times the risk", "1,234 times the risk",
    ]  # fmt: skip
    assert [weight_text(alpha) for alpha in (0.5, 1, 10)] == ["1.5 times", "double", "11 times"]
