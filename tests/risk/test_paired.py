from __future__ import annotations

import math

import pandas as pd
import pytest

from riskrank import risk
from riskrank.errors import ParameterError


def test_system_and_baseline_must_be_equally_long():
    with pytest.raises(ParameterError, match="equally long, got shapes"):
        risk.urisk([0.1], [0.1, 0.2], alpha=1)


def test_labelled_series_must_have_the_same_topics():
    a, b = pd.Series([0.1, 0.4], index=["x", "y"]), pd.Series([0.1, 0.4], index=["y", "x"])
    with pytest.raises(ParameterError, match="different indexes"):
        risk.trisk(a, b, alpha=1)
    assert risk.gain(a, a + 0.1) == pytest.approx(-0.1)


def test_rounding_is_no_win_and_no_loss():
    equal = [0.1, 0.1, 0.3]
    mean = risk.within_topic([equal, equal, equal], "mean")
    assert mean.tolist() != equal
    assert risk.outcomes(equal, mean) == risk.Outcomes(wins=0, losses=0, ties=3, large_losses=0)
    assert risk.urisk(equal, mean, alpha=5) == 0


def test_alpha_is_a_number_from_0():
    for alpha in (-1, math.nan, math.inf, None, "5"):
        with pytest.raises(ParameterError, match="alpha must be a number from 0"):
            risk.urisk([0.1], [0.1], alpha=alpha)
