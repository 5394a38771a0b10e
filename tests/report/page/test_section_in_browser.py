"""A page of sections in a real browser: systems at any alpha, and their topics."""

from __future__ import annotations

from ..browsing import needs_browser
from .shown_numbers import assert_lines, expected, shown, topic_lines

pytestmark = needs_browser


def test_systems_are_tested_at_any_alpha(tab, sections):
    page, assessment = sections
    section = tab.open(page)
    assert (tab.requests(), tab.console()) == ([page.as_uri()], [])
    marks = section.charts()
    assert list(marks) == ["helped-hurt", "topics", "exploratory"]
    assert all(marks.values())
    assert [row["system"] for row in section.systems()][1:] == list(assessment.scores.systems[1:])
    for alpha in (0, 7.5):
        section.slide(alpha)
        assert shown(section) == expected(assessment, alpha)
    section.pick("SARO, α = 5")
    assert_lines(section.topics(), topic_lines(assessment, "SARO, α = 5", 7.5)[:20])
