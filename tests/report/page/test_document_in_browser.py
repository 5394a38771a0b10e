"""A page inside a notebook, and a chart saved as a page, in a real browser."""

from __future__ import annotations

from riskrank.report.charts.catalogue import save_chart

from ..browsing import needs_browser, saved
from .shown_numbers import expected, shown

pytestmark = needs_browser


def test_a_notebook_shows_the_page_in_a_frame(tab, place, assessed):
    frame = saved(place / "notebook.html", f"<!doctype html><p>before</p>{assessed[0]._repr_html_()}<p>after</p>")
    tab.open(frame, until="return document.querySelector('iframe').contentWindow.riskrank !== undefined")
    tab.driver.switch_to.frame(0)
    tab.wait("return document.querySelectorAll('[data-chart] svg.marks').length === 5")
    assert shown(tab.section(0)) == expected(assessed[0], 1)
    tab.driver.switch_to.default_content()
    assert tab.console() == []


def test_a_chart_saved_as_a_page_draws_itself(tab, place, assessed):
    save_chart(assessed[0].chart("georisk"), place / "georisk.html")
    tab.open(
        place / "georisk.html", until="return document.querySelectorAll('#chart svg .role-mark path').length === 4"
    )
    assert tab.requests() == [(place / "georisk.html").as_uri()]
    assert tab.console() == []
