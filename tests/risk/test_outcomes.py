from __future__ import annotations

import math

import numpy as np
import pytest

from riskrank import risk
from riskrank.errors import ParameterError

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


def test_one_baseline_gives_its_numbers_and_their_ratios():
    # Differences 0.1, −0.2, 0, 0.3: reward 0.4/4, risk 0.2/4; 0.3 of 0.5 is a loss beyond 20 %.
    profile = risk.risk_profile([0.6, 0.3, 0.5, 0.9], [0.5, 0.5, 0.5, 0.6])
    assert profile.effectiveness == pytest.approx(0.575)
    assert (profile.reward, profile.risk) == (pytest.approx(0.1), pytest.approx(0.05))
    assert profile.reward_per_risk == pytest.approx(2.0)
    assert (profile.wins, profile.losses, profile.ties, profile.large_losses) == (2, 1, 1, 1)
    assert profile.wins_per_loss == 2


def test_several_baselines_are_averaged_number_by_number_and_not_before():
    rng = np.random.default_rng(0)
    system, baselines = rng.random(40), rng.random((4, 40))
    together = risk.risk_profile(system, baselines)
    each = [risk.risk_profile(system, row) for row in baselines]
    for name in vars(together):
        assert getattr(together, name) == pytest.approx(np.mean([getattr(one, name) for one in each])), name
    assert together.wins_per_loss != pytest.approx(together.wins / together.losses)
    assert together.risk != pytest.approx(risk.risk(system, baselines.mean(axis=0)))


def test_nothing_lost_has_no_ratio():
    profile = risk.risk_profile([0.6, 0.5], [0.5, 0.5])
    assert math.isnan(profile.reward_per_risk)
    assert math.isnan(profile.wins_per_loss)


def test_no_baseline_is_refused():
    with pytest.raises(ParameterError, match="at least one baseline"):
        risk.risk_profile([0.6, 0.5], np.empty((0, 2)))
