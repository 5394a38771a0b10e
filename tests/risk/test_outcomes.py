from __future__ import annotations

import math

import pytest

from riskrank import risk

from .examples import BASELINE, SYSTEM


def test_a_worked_example():
    assert risk.risk(SYSTEM, BASELINE) == pytest.approx(0.24 / 4)
    assert risk.reward(SYSTEM, BASELINE) == pytest.approx(0.1 / 4)
    assert risk.gain(SYSTEM, BASELINE) == pytest.approx(-0.14 / 4)
    # −0.2 of 0.5 is a loss of 40 %; −0.04 of 0.44 one of 9 %
    assert risk.outcomes(SYSTEM, BASELINE) == risk.Outcomes(wins=1, losses=2, ties=1, large_losses=1)


def test_a_loss_of_exactly_a_fifth_is_not_beyond_it():
    assert risk.outcomes([0.8, 0.72, 0.44, 0.36], [1.0, 0.9, 0.55, 0.45]).large_losses == 0
    assert risk.outcomes([0.79], [1.0]).large_losses == 1
    assert risk.outcomes([0.0], [0.0]).large_losses == 0


def test_no_topics_and_nan_are_nan():
    for measure in (risk.risk, risk.reward, risk.gain):
        assert math.isnan(measure([], []))
        assert math.isnan(measure([math.nan, 0.1], [0.1, 0.1]))
