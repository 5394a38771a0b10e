from __future__ import annotations

import math

import pytest

from riskrank.report.page.gate.release_plot import MOST_DOTS, drift_plot, use_plot


def test_the_limit_is_a_line_and_what_is_over_it_a_loss():
    plot = use_plot([0.5, 1.25, 1.25], [False, True, False], ["v1", "v2", "v3"])
    assert plot.line == pytest.approx(100 * (1 - 1 / 1.45), abs=0.01)
    assert [(dot.x, dot.kind, dot.title) for dot in plot.dots] == [
        (16.67, "gain", "v1: 50% of the limit"),
        (50.0, "loss", "v2: 1.2 times the limit"),
        (83.33, "open", "v3: 1.2 times the limit, but not surely: it passed"),
    ]
    assert plot.dots[0].y > plot.line > plot.dots[1].y
    assert [tick.text for tick in plot.ticks] == ["0%", "50%"]


def test_what_is_far_over_the_limit_stays_on_the_plot():
    plot = use_plot([0.5, 40.0], [False, True], ["a", "b"])
    assert plot.dots[1].y == 0
    assert plot.dots[1].title == "b: 40 times the limit"
    assert [tick.text for tick in plot.ticks] == ["0%", "200%", "≥300%"]
    assert [tick.text for tick in use_plot([0.5, 2.8], [False, True], ["a", "b"]).ticks] == ["0%", "200%", "300%"]


def test_what_is_over_a_limit_of_zero_is_at_the_edge_and_no_share_of_it():
    plot = use_plot([0.0, math.inf], [False, True], ["a", "b"])
    assert (plot.dots[1].y, plot.dots[1].title) == (0, "b: over the limit")
    assert [tick.text for tick in plot.ticks] == ["0%", "50%"]


def test_lines_have_gaps_where_nothing_is_known():
    plot = use_plot([0.5, math.nan, 0.5, 0.6], [False] * 4, list("abcd"))
    assert [len(curve.split()) for curve in plot.curves] == [1, 2]
    assert len(plot.dots) == 3


def test_many_releases_are_a_line_with_its_end_and_what_is_over():
    uses = [0.5] * (MOST_DOTS + 10)
    uses[7] = 1.5
    plot = use_plot(uses, [use > 1 for use in uses], list(map(str, uses)))
    assert [dot.kind for dot in plot.dots] == ["loss", "gain"]
    assert len(plot.curves[0].split()) == len(uses)


def test_changes_are_added_up_from_0():
    plot = drift_plot([-0.01, -0.01, 0.005])
    assert [dot.title for dot in plot.dots] == [
        "after 0 of 3: 0.000",
        "after 1 of 3: −0.010",
        "after 2 of 3: −0.020",
        "after 3 of 3: −0.015",
    ]
    assert plot.dots[0].y == plot.line
    assert [dot.kind for dot in plot.dots] == ["open", "loss", "loss", "loss"]


def test_no_change_is_a_line_at_0():
    assert {dot.y for dot in drift_plot([0.0, 0.0]).dots} == {50.0}
