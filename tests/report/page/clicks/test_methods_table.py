"""The table of methods, by hand."""

from __future__ import annotations

import math

from riskrank.report.findings.digits import Digits
from riskrank.report.page.clicks.methods_table import methods_table
from riskrank.tradeoff.clicks.click_table import STANDARD

from ....tradeoff.synthetic_clicks import LOWEST, PREFERENCE, RISK, points, synthetic_click_sweep
from .hand_worked import hand_worked, methods_of


def test_numbers_are_those_of_the_library():
    table = methods_table(methods_of(hand_worked()), Digits(3))
    shown = [
        (row.name, row.parameter, row.gain, row.gain_kept.text, row.reranked.text, row.risk_kept.text,
         row.gain_per_reranked, row.hurt, row.verdict)
        for row in table.rows
    ]  # fmt: skip
    assert shown == [
        (STANDARD, "α = 0", "+0.060", "100%", "50%", "100%", "+0.120", "10 (10.0%) · 40", "gain"),
        (PREFERENCE, "β = 0.5", "+0.034", "57%", "20%", "10%", "+0.170", "2 (2.0%) · 18", "gain"),
        (LOWEST, "β = 1", "−0.050", "−83%", "100%", "500%", "−0.050", "50 (50.0%) · 50", "loss"),
    ]
    assert table.score == "0.500"


def test_bars_share_a_scale_and_what_is_lost_has_none():
    rows = methods_table(methods_of(hand_worked()), Digits(3)).rows
    assert [row.gain_kept.width for row in rows] == [100.0, 56.7, 0.0]
    assert [row.reranked.width for row in rows] == [50.0, 20.0, 100.0]
    assert [row.risk_kept.width for row in rows] == [20.0, 2.0, 100.0]  # of 500 %


def test_intervals_are_drawn_on_the_side_of_zero_where_they_lie():
    table = methods_table(methods_of(hand_worked()), Digits(3))
    first, _, last = (row.glyph for row in table.rows)
    assert table.zero < first.low < first.middle < first.high < 100
    assert 0 < last.low < last.middle < last.high < table.zero


def test_what_is_not_known_is_a_dash():
    nothing = synthetic_click_sweep([(RISK, 0), (PREFERENCE, 1)], points((0.0, 0.0), (0.0, 0.0)))
    for row in methods_table(methods_of(nothing), Digits(3)).rows:
        assert (row.gain_kept.text, row.risk_kept.text, row.gain_per_reranked) == ("–", "–", "–")
        assert row.gain_kept.width == 0
        assert not any(math.isnan(value) for value in row.glyph if value is not None)
