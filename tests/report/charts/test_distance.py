"""How far rankings moved."""

from __future__ import annotations

import numpy as np
import pytest

from ...tradeoff.synthetic_sweeps import judged, synthetic_sweep
from .specs import values


def test_distances_are_shares_and_rewards_in_bins(sweep):
    rows = values(sweep.chart("distance"))[0]
    assert [row["bin"] for row in rows[:10]] == [f"{k / 10:.1f}–{(k + 1) / 10:.1f}" for k in range(10)]
    assert [row["share"] for row in rows[:10]] == [0.5, 0.25, 0, 0, 0, 0, 0, 0, 0, 0.25]
    rewards = [row["reward"] for row in values(sweep.chart("distance-reward"))[0][:10]]
    assert rewards[:2] == [pytest.approx(0.2), pytest.approx(0.2)]
    assert (rewards[2], rewards[9]) == (None, 0.0)


def test_queries_whose_distance_is_not_known_are_left_out():
    sweep = synthetic_sweep(judged([[0.1, 0.2]], distance=[[np.nan, np.nan]]))
    assert {row["queries"] for row in values(sweep.chart("distance"))[0]} == {0}
