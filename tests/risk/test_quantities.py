"""Gain, reward, risk and URisk in one place; the larger, the better."""

from __future__ import annotations

import pytest

from riskrank.risk.quantities import quantities


def test_three_queries_by_hand():
    """d = +0.2, −0.1, 0: gain 0.1/3, reward 0.2/3, risk 0.1/3, URisk with α = 5 (0.2 − 0.6)/3."""
    found = quantities([0.7, 0.4, 0.3], [0.5, 0.5, 0.3], alpha=5)
    assert found == pytest.approx({"gain": 0.1 / 3, "reward": 0.2 / 3, "risk": -0.1 / 3, "urisk": -0.4 / 3})
    weighted = quantities([0.7, 0.4, 0.3], [0.5, 0.5, 0.3], alpha=5, weights=[1, 2, 1])
    assert weighted == pytest.approx({"gain": 0.0, "reward": 0.05, "risk": -0.05, "urisk": -0.25})
