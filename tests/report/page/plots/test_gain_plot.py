"""Dots with their intervals, and who is too far off to be drawn."""

from __future__ import annotations

import math

import numpy as np

from riskrank.report.page.plots.gain_plot import are_near, placed_dot
from riskrank.report.page.plots.plot_names import Box, Size
from riskrank.report.page.plots.scale import Scale

X, Y = Scale(0, 0.1, 0.01), Scale(-0.1, 0.3, 0.1)


def dot(**options):
    return placed_dot(X, Y, number=3, name="new", verdict="gain", cost=0.05, gain=0.1, **options)


def test_a_dot_stands_at_its_cost_and_gain():
    placed = dot()
    assert (placed.x, placed.y) == (50, 50)
    assert (placed.up, placed.down, placed.left, placed.right) == (None,) * 4
    assert placed.crosses(Size(200, 100)) == []


def test_intervals_reach_from_the_dot_and_end_with_the_axes():
    placed = dot(costs=(0.03, 0.2), gains=(0.0, 0.2))
    assert (placed.left, placed.right) == (-20, 50)  # the axis ends at 0.1
    assert (placed.up, placed.down) == (-25, 25)
    assert placed.crosses(Size(200, 100)) == [Box(97, 25, 103, 75), Box(60, 47, 200, 53)]


def test_an_unknown_interval_is_not_drawn():
    placed = dot(costs=(math.nan, math.nan), gains=(0.0, 0.2))
    assert placed.left is None
    assert len(placed.crosses(Size(200, 100))) == 1


def test_few_are_all_near_and_of_many_those_with_a_usual_risk():
    assert all(are_near(np.array([0.01] * 7 + [5.0])))
    assert are_near(np.array([0.01] * 11 + [5.0])) == [True] * 11 + [False]
