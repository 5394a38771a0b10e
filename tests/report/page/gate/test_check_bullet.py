from __future__ import annotations

import math

import pytest

from riskrank.report.page.gate.check_bullet import check_bullet
from riskrank.risk import Check

NO_INTERVAL = (math.nan, math.nan)


def bullet(name, value, limit, interval=NO_INTERVAL, *, holds=False):
    return check_bullet(Check(name, limit, value, holds, "", (), interval=interval))


def test_an_upper_limit_is_broken_on_its_right():
    drawn = bullet("risk", 0.4, 0.1, (0.2, 0.5))  # the axis ends at 0.5 + 10 % = 0.55
    assert drawn.value == (0.0, pytest.approx(72.73))
    assert drawn.limit == drawn.beyond.start == pytest.approx(18.18)
    assert drawn.beyond.end == pytest.approx(100)
    assert (drawn.interval.start, drawn.interval.end) == (pytest.approx(36.36), pytest.approx(90.91))
    assert drawn.anchor == "middle"
    assert not drawn.is_zero_named


def test_a_lower_limit_mirrors_it():
    drawn = bullet("urisk", -0.4, -0.1, (-0.5, -0.2))
    assert drawn.value.end == pytest.approx(100)  # zero stands at the right end
    assert drawn.value.width == pytest.approx(72.73)
    assert drawn.beyond.start == 0
    assert drawn.beyond.end == drawn.limit == pytest.approx(81.82)


def test_values_on_both_sides_of_zero():
    drawn = bullet("urisk", 0.2, -0.3, holds=True)  # from −0.35 to 0.25
    assert drawn.limit == pytest.approx(8.33)
    assert (drawn.value.start, drawn.value.end) == (pytest.approx(58.33), pytest.approx(91.67))
    assert drawn.zero == drawn.value.start
    assert drawn.is_zero_named
    assert drawn.interval is None
    assert drawn.anchor == "start"


def test_shares_end_at_one():
    drawn = bullet("hurt", 0.9, 1.0, (0.7, 0.98), holds=True)
    assert (drawn.limit, drawn.beyond.width, drawn.anchor) == (100, 0, "end")


@pytest.mark.parametrize("value", [0.0, 0.3])
def test_a_limit_of_zero(value):
    drawn = bullet("loss", value, 0.0)
    assert (drawn.limit, drawn.beyond) == (0, (0, 100))


@pytest.mark.parametrize(("value", "limit"), [(-1.0, math.nan), (math.nan, -2.0), (math.inf, -2.0)])
def test_nothing_is_drawn_without_a_limit_or_a_value(value, limit):
    assert bullet("trisk", value, limit) is None
