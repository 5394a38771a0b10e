"""Axes: they hold what they must, end at round numbers, and say so."""

from __future__ import annotations

import math

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from riskrank.report.page.plots.scale import scale, scale_around

NUMBERS = st.floats(-1e6, 1e6, allow_nan=False)


@given(NUMBERS, NUMBERS)
def test_an_axis_holds_both_numbers_and_has_ticks_at_its_ends(one, other):
    low, high = sorted((one, other))
    assume(high - low > 1e-9 or high == low)
    axis = scale(low, high)
    least = 1e-8 * (axis.high - axis.low)  # far less than a pixel
    assert axis.low <= low + least
    assert axis.high >= high - least
    assert 2 <= len(axis.values) <= 12
    assert axis.values[0] == pytest.approx(axis.low, abs=1e-6)
    assert axis.values[-1] == pytest.approx(axis.high, abs=1e-6)


def test_places_are_percent_and_heights_start_at_the_top():
    axis = scale(0, 10)
    assert (axis.place(0), axis.place(2.5), axis.place(10)) == (0, 25, 100)
    assert (axis.height(0), axis.height(10)) == (100, 0)
    assert (axis.within(-3), axis.within(4), axis.within(30)) == (0, 4, 10)


@pytest.mark.parametrize(
    ("low", "high", "texts"),
    [(0, 0.1, ["0", "0.02", "0.04", "0.06", "0.08", "0.10"]), (-1, 1, ["−1.0", "−0.5", "0", "0.5", "1.0"]),
     (0, 5, ["0", "1", "2", "3", "4", "5"]), (0, 0.12, ["0", "0.025", "0.050", "0.075", "0.100", "0.125"])],
)  # fmt: skip
def test_ticks_have_the_decimals_that_their_step_needs(low, high, texts):
    axis = scale(low, high, n_ticks=5 if low == 0 else 4)
    assert [axis.text(tick) for tick in axis.values] == texts


def test_signs_are_written_where_they_matter():
    axis = scale(-0.1, 0.1)
    assert axis.text(0.1, signed=True) == "+0.10"
    assert axis.text(0.0, signed=True) == "0"
    assert axis.text(-0.1, signed=True) == "−0.10"


def test_ticks_stand_along_the_bottom_and_along_the_side():
    axis = scale(-1, 1, n_ticks=2)
    assert axis.x_ticks == [(0, "−1"), (50, "0"), (100, "1")]
    assert axis.y_ticks == [(100, "−1"), (50, "0"), (0, "+1")]


def test_a_scale_around_numbers_leaves_a_margin_and_needs_no_spread():
    axis = scale_around([0.2, math.nan, 0.1])
    assert (axis.place(0.1), axis.place(0.2)) == pytest.approx((100 * 0.05 / 1.1, 100 * 1.05 / 1.1), abs=0.01)
    assert scale_around([0.0, 0.0]).place(0) == 50
