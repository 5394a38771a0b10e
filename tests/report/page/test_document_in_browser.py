"""A chart saved as a page, in a real browser."""

from __future__ import annotations

import pytest

from riskrank.report.charts.catalogue import save_chart

from ..browsing import needs_browser

pytest.importorskip("altair", reason="needs Altair")
pytest.importorskip("vl_convert", reason="needs vl-convert")
pytestmark = needs_browser


def test_a_chart_saved_as_a_page_draws_itself(tab, place, assessed):
    save_chart(assessed[0].chart("georisk"), place / "georisk.html")
    tab.open(
        place / "georisk.html", until="return document.querySelectorAll('#chart svg .role-mark path').length === 4"
    )
    assert tab.requests() == [(place / "georisk.html").as_uri()]
    assert tab.console() == []
