"""Effectiveness as training goes on."""

from __future__ import annotations

from .specs import values


def test_convergence_marks_where_95_percent_are_reached(sweep):
    lines, marks = values(sweep.chart("convergence"))
    assert [row["effectiveness"] for row in lines[:3]] == [0.2, 0.38, 0.4]
    # 0.38 is 95 % of the way from 0 to 0.4; 0.3 takes all three steps, and is there from the first (the baseline: 0.2)
    assert [(row["step"], row["effectiveness"]) for row in marks] == [(2, 0.38), (3, 0.3), (1, 0.3)]
