"""Points are the difference of the shares that are written."""

from __future__ import annotations

import math

from riskrank.report.findings.digits import share_text
from riskrank.report.findings.points import points_between, points_text


def test_points_are_the_difference_of_the_shares_as_they_are_written():
    assert (share_text(0.7351), share_text(0.1949), points_between(0.7351, 0.1949)) == ("74%", "19%", 55)
    assert points_between(-0.004, 0.004) == 0


def test_without_a_coin_there_are_no_points():
    assert points_between(0.5, math.nan) is None
    assert points_text(None) == ""


def test_points_are_counted():
    assert [points_text(points) for points in (56, 1, -1230, 0)] == [
        "56 points more than at random",
        "1 point more than at random",
        "1,230 points less than at random",
        "as much as at random",
    ]
