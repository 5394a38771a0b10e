from __future__ import annotations

import math

import numpy as np
import pandas as pd
import pytest

from riskrank import risk
from riskrank.errors import ParameterError
from riskrank.risk.paired import difference


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


def test_what_is_small_beside_the_largest_score_is_a_tie():
    assert risk.outcomes([0.0, 0.5], [5.6e-17, 0.5]) == risk.Outcomes(wins=0, losses=0, ties=2, large_losses=0)
    assert risk.outcomes([0.0, 0.5], [1e-9, 0.5]).losses == 1
    assert risk.outcomes([1000 + 1e-10, 1.0], [1000.0, 1.0]).ties == 2


def test_identical_systems_tie_with_their_mean():
    scores = np.random.default_rng(0).random(129)
    mean = risk.within_topic(np.tile(scores, (129, 1)), "mean")
    assert (mean != scores).any()
    assert risk.outcomes(scores, mean) == risk.Outcomes(wins=0, losses=0, ties=129, large_losses=0)


def test_alpha_is_a_number_from_0():
    for alpha in (-1, math.nan, math.inf, None, "5"):
        with pytest.raises(ParameterError, match="alpha must be a number from 0"):
            risk.urisk([0.1], [0.1], alpha=alpha)


def test_scores_whose_squares_overflow_have_no_difference():
    delta = difference(np.array([1e300, np.inf, np.nan, 1e99]), np.zeros(4))
    assert np.isnan(delta).tolist() == [True, True, True, False]
