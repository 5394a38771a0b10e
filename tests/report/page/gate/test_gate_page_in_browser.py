"""The page of a gate in a real browser."""

from __future__ import annotations

import json

import pytest

import riskrank as rr
from riskrank.data.example import example_files

from ...browsing import needs_browser
from ..reported import Report

pytestmark = needs_browser

TEXT = ".badge, .state, .checks b, .said, .soft, .lede, .prose p, .bullet text, .strip-area text, summary, footer span"


@pytest.fixture(scope="module")
def page(place):
    qrels, runs = example_files()
    result = rr.gate(qrels, runs["neural"], runs["bm25"], max_risk=0.01, max_loss=0.3, max_hurt=0.3)
    result.to_html(place / "gate.html")
    return place / "gate.html"


def test_topics_open_with_both_rankings_and_nothing_is_asked_for(tab, page):
    report = Report.open(tab, page)
    assert report.detail()["topic"] == "133"
    shown = report.show("118")
    assert (shown["old"], shown["new"], shown["change"]) == ("0.799", "0.202", "−0.598")
    assert len(shown["baseline"]) == len(shown["system"]) == 10
    tab.run("arguments[0].focus()", report.find("[data-strip]"))
    tab.press("\ue014")  # right
    assert report.detail()["topic"] == "113"
    assert tab.console() == []
    assert tab.requests() == [page.as_uri()]


def test_files_are_handed_out(tab, page, tmp_path):
    Report.open(tab, page)
    assert json.loads(tab.saved("json", tmp_path).read_text(encoding="utf-8"))["passed"] is False
    assert "<testsuite" in tab.saved("xml", tmp_path).read_text(encoding="utf-8")
    assert tab.console() == []


@pytest.mark.parametrize("width", [1280, 390])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_it_fits_and_can_be_read(tab, page, width, scheme):
    tab.resize(width)
    tab.prefer(scheme)
    Report.open(tab, page)
    assert tab.run("return document.documentElement.scrollWidth") <= width
    contrasts = tab.contrasts(TEXT)
    assert len(contrasts) > 15
    assert min(ratio for _, ratio in contrasts) >= 4.5, min(contrasts, key=lambda each: each[1])
    assert tab.run("return document.querySelector('.checks').getBoundingClientRect().bottom") < (
        800 if width > 900 else 1200
    )


def test_bars_and_regions_have_the_height_that_they_are_drawn_with(tab, page):
    Report.open(tab, page)
    sizes = tab.run("""return [...document.querySelectorAll(".bullet rect")].map((each) =>
        [each.getBoundingClientRect().height, +each.getAttribute("height")])""")
    assert len(sizes) == 9
    assert all(abs(seen - drawn) < 0.5 for seen, drawn in sizes)
