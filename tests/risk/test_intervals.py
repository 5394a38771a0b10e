from __future__ import annotations

import numpy as np
import pytest

from riskrank import risk
from riskrank.errors import ParameterError
from riskrank.risk.inference.shares import wilson

rng = np.random.default_rng(8)
OLD = rng.uniform(0.2, 0.6, 40)
NEW = OLD + np.where(rng.random(40) < 0.2, 0.0, rng.laplace(0.03, 0.08, 40))


def test_each_number_lies_in_its_interval():
    named = risk.intervals(NEW, OLD, alphas=[0, 5])
    counted = risk.outcomes(NEW, OLD)
    values = {
        "gain": risk.gain(NEW, OLD), "risk": risk.risk(NEW, OLD), "reward": risk.reward(NEW, OLD),
        "urisk_0": risk.gain(NEW, OLD), "urisk_5": risk.urisk(NEW, OLD, alpha=5),
        "wins": counted.wins, "losses": counted.losses, "ties": counted.ties, "large_losses": counted.large_losses,
    }  # fmt: skip
    assert set(named) == {*values, "cvar"}
    for name, value in values.items():
        low, high = named[name]
        assert low < value < high, name
    assert np.isnan(named["cvar"]).all()
    assert named["losses"] == pytest.approx(tuple(40 * share for share in wilson(counted.losses, 40, 0.95)))


def test_urisk_excludes_0_when_its_verdict_is_significant():
    for shift in np.linspace(-0.1, 0.1, 21):
        for alpha in (0, 1, 5):
            low, high = risk.intervals(NEW + shift, OLD, alphas=[alpha])[f"urisk_{alpha}"]
            excludes = "significant gain" if low > 0 else "significant loss" if high < 0 else "inconclusive"
            assert risk.trisk(NEW + shift, OLD, alpha=alpha).verdict == excludes


def test_senseless_options_are_refused():
    with pytest.raises(ParameterError, match="confidence must lie between 0 and 1, got 95"):
        risk.intervals(NEW, OLD, confidence=95)
    with pytest.raises(ParameterError, match="cvar_share"):
        risk.intervals(NEW, OLD, cvar_share=0)
