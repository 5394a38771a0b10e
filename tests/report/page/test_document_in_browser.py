"""A result inside a notebook, and a chart saved as a page, in a real browser."""

from __future__ import annotations

from riskrank.report.charts.catalogue import save_chart
from riskrank.report.page.document import in_frame

from ..browsing import needs_browser, saved

pytestmark = needs_browser


def test_a_notebook_shows_a_page_in_a_frame(tab, place, sections):
    inside = in_frame(sections[0].read_text(encoding="utf-8"))
    frame = saved(place / "frame.html", f"<!doctype html><p>before</p>{inside}<p>after</p>")
    tab.open(frame, until="return document.querySelector('iframe').contentWindow.riskrank !== undefined")
    tab.driver.switch_to.frame(0)
    tab.wait("return document.querySelectorAll('[data-chart] svg.marks').length === 3")
    tab.driver.switch_to.default_content()
    assert tab.console() == []


def test_a_chart_saved_as_a_page_draws_itself(tab, place, assessed):
    save_chart(assessed[0].chart("georisk"), place / "georisk.html")
    tab.open(
        place / "georisk.html", until="return document.querySelectorAll('#chart svg .role-mark path').length === 4"
    )
    assert tab.requests() == [(place / "georisk.html").as_uri()]
    assert tab.console() == []
