"""The page of a history of gates in a real browser."""

from __future__ import annotations

import pytest

from ....assessment.gating.past_gates import creeping
from ...browsing import needs_browser

pytestmark = needs_browser

LOADED = "return document.readyState === 'complete'"
TEXT = "h1, h2, h3, .lede, .sub, .note, .releases text, .strip-ends span, td, th, footer span, summary"


@pytest.fixture(scope="module", params=[1, 12, 200])
def page(place, request):
    path = place / f"gates-{request.param}.html"
    creeping(request.param, pinned=request.param == 12).to_html(path)
    return path


@pytest.mark.parametrize("width", [1280, 390])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_it_fits_and_can_be_read(tab, page, width, scheme):
    tab.resize(width)
    tab.prefer(scheme)
    tab.open(page, until=LOADED)
    assert tab.run("return document.documentElement.scrollWidth") <= width
    contrasts = tab.contrasts(TEXT)
    assert len(contrasts) > 15
    assert min(ratio for _, ratio in contrasts) >= 4.5, min(contrasts, key=lambda each: each[1])
    assert tab.console() == []
    assert tab.requests() == [page.as_uri()]


def test_dots_are_on_their_plot(tab, page):
    tab.open(page, until=LOADED)
    outside = tab.run("""return [...document.querySelectorAll(".releases > svg")].flatMap((plot) => {
        const frame = plot.getBoundingClientRect();
        return [...plot.querySelectorAll("circle")].map((dot) => dot.getBoundingClientRect()).filter((dot) =>
            dot.left < frame.left - 5 || dot.right > frame.right + 5 || dot.top < frame.top - 5 ||
            dot.bottom > frame.bottom + 5).map((dot) => [dot.left, dot.top]);
    })""")
    assert outside == []


def test_dark_pages_are_printed_light(tab, page):
    tab.prefer("dark", media="print")
    tab.open(page, until=LOADED)
    assert tab.run("return getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    assert not tab.run("return document.querySelector('[data-theme-button]').getClientRects().length")
