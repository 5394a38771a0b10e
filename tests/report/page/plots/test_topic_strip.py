"""The strip: a bar per topic, worst first, and wider ones where topics are left out."""

from __future__ import annotations

import re

from riskrank.report.page.plots.scale import scale
from riskrank.report.page.plots.topic_strip import StripScale, losing_path, strip_paths


def bars(path):
    """Left, top or bottom, height and width."""
    return [tuple(map(float, each)) for each in re.findall(r"M(\S+) (\S+?)v(\S+?)h(\S+?)v", path)]


def test_bars_stand_on_their_side_of_zero_and_are_as_long_as_the_change():
    strip = StripScale(4, scale(-1, 1, n_ticks=4))
    paths = strip_paths([-0.5, 0.0, 0.25, 1.0], [0, 1, 2, 3], n_hurt=1, n_helped=2, scale=strip)
    ((left, zero, down, width),) = bars(paths.hurt)
    assert (left, zero, down, width) == (0.06, 50, 25, 0.88)
    assert [(start, size) for start, _, size, _ in bars(paths.helped)] == [(2.06, -12.5), (3.06, -50)]
    assert paths.equal.count("M") == 1


def test_topics_that_are_left_out_leave_no_gaps():
    strip = StripScale(1000, scale(-1, 1, n_ticks=4))
    paths = strip_paths([-1.0, -0.5, 0.5], [0, 1, 500], n_hurt=400, n_helped=500, scale=strip)
    assert [(left, width) for left, _, _, width in bars(paths.hurt)] == [(0, 1), (1, 499)]
    assert [(left, width) for left, _, _, width in bars(paths.helped)] == [(500, 500)]


def test_counts_hang_from_the_top():
    strip = StripScale(3, scale(-1, 1, n_ticks=4))
    path = losing_path([4, 0, 1], [0, 1, 2], n_systems=4, scale=strip)
    assert [(left, size) for left, _, size, _ in bars(path)] == [(0.06, 100), (2.06, 25)]
