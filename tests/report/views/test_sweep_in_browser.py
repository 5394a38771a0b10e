"""The page of a sweep in a real browser."""

from __future__ import annotations

import riskrank as rr
from riskrank.report.text.sweep_text import point_text, summary_table, sweep_words

from ..browsing import needs_browser
from ..page.shown_numbers import assert_lines, expected, shown, topic_lines

pytestmark = needs_browser


def test_the_page_of_a_sweep_has_its_table_its_point_and_its_charts(tab, risks):
    page, sweep, point = risks
    section = tab.open(page)
    assert (tab.requests(), tab.console()) == ([page.as_uri()], [])
    table = summary_table(sweep)
    assert section.texts("table.sweep th") == table.header
    assert section.texts("table.sweep td") == [cell for row in table.rows for cell in row]
    assert len(table.rows) == 6
    assert section.texts(".verdict p") == [point_text(point), *sweep_words(sweep)]
    marks = section.charts()
    assert list(marks) == [
        "risk-gain", "reranked", "helped-hurt", "convergence", "distance", "distance-reward", "topics", "exploratory",
    ]  # fmt: skip
    assert all(marks.values())
    assert "chosen" in section.texts("[data-chart=risk-gain] .role-mark text")
    tags = section.texts("[data-chart=risk-gain] .mark-text.role-mark text")
    assert sorted(tags) == sorted(["0", "1", "5", "0", "5", "chosen"])


def test_models_of_a_sweep_are_tested_at_any_alpha(tab, risks):
    page, sweep, _ = risks
    section = tab.open(page)
    assessment = rr.assess(sweep.effectiveness(), baseline="feature:1")
    assert [row["system"] for row in section.systems()][1:] == [setting.label for setting in sweep.settings]
    for alpha in (0, 7.5):
        section.slide(alpha)
        assert shown(section) == expected(assessment, alpha)
    section.pick("SARO, α = 5")
    assert_lines(section.topics(), topic_lines(assessment, "SARO, α = 5", 7.5)[:20])
