from __future__ import annotations

from statistics import NormalDist

import pytest

from riskrank.risk.inference.interval_ends import interval_end


def tail(shift: float) -> float:
    return NormalDist(0.2, 0.5).cdf(shift)


@pytest.mark.parametrize("near", [None, -1.0, -0.7, 5.0])
def test_the_end_is_where_the_tail_falls_to_its_limit(near):
    end = interval_end(tail, 1.0, -3.0, 0.025, near=near)
    assert end == pytest.approx(0.2 - 1.96 * 0.5, abs=0.006)


@pytest.mark.parametrize("beyond", [1e-9, 1e-4])
def test_a_known_shift_lies_on_its_own_side(beyond):
    exact = 0.2 + NormalDist().inv_cdf(0.025) * 0.5
    assert interval_end(tail, 1.0, -3.0, 0.025, known=exact + beyond) <= exact + beyond
    assert interval_end(tail, 1.0, -3.0, 0.025, known=exact - beyond) > exact - beyond


def test_a_tail_that_never_falls_has_its_end_farthest_away():
    assert interval_end(lambda shift: 0.5, 0.0, 3.0, 0.025) == 3.0


def test_a_known_shift_counts_also_where_the_tail_rises_again_far_out():
    def rising(shift: float) -> float:
        return tail(-shift) if shift < 2 else 0.5

    assert interval_end(rising, -1.0, 3.0, 0.025) == 3.0
    assert interval_end(rising, -1.0, 3.0, 0.025, known=1.5) < 1.5
