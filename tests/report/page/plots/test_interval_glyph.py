"""Intervals in the cells of a table, by hand."""

from __future__ import annotations

import math

from riskrank.report.page.plots.interval_glyph import interval_glyph
from riskrank.report.page.plots.scale import Scale


def test_a_number_and_its_limits_stand_at_their_share_of_the_column():
    assert interval_glyph(Scale(-1.0, 3.0, 1.0), 1.0, (0.0, 2.0)) == (50.0, 25.0, 75.0, 0)


def test_without_limits_there_is_no_line():
    assert interval_glyph(Scale(0.0, 1.0, 1.0), 0.5, (math.nan, math.nan)) == (50.0, None, None, 0)
