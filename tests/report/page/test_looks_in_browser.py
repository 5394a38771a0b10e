"""How pages look in a real browser: in the light and in the dark, on paper, on a phone."""

from __future__ import annotations

import numpy as np
import pytest

import riskrank as rr

from ..browsing import needs_browser, saved

pytestmark = needs_browser


TEXT = (
    ".riskrank p, .riskrank li, .riskrank td, .riskrank th, .riskrank label, .riskrank h1, .riskrank h2, .riskrank h3, "
    ".riskrank figcaption, .riskrank summary, .riskrank button, .riskrank select, .riskrank .note"
)
LIGHT, DARK = "rgb(255, 255, 255)", "rgb(20, 24, 27)"


def background(tab):
    return tab.run("return getComputedStyle(document.querySelector('.riskrank')).backgroundColor")


def test_text_can_be_read_in_the_light_and_in_the_dark(tab, trec):
    tab.prefer("light")
    section = tab.open(trec)
    button = tab.driver.find_element("css selector", "[data-theme-button]")

    def looks():
        section.show(section.listed()[0])
        for selector in (TEXT, "dialog td, dialog h4, dialog p", ".chart .role-axis text, .chart .role-legend text"):
            contrasts = tab.contrasts(selector)
            assert len(contrasts) > 10
            assert min(ratio for _, ratio in contrasts) >= 4.5
        section.close()
        return background(tab)

    assert looks() == LIGHT
    tab.prefer("dark")
    assert looks() == DARK
    assert tab.run("return getComputedStyle(document.body).backgroundColor") == DARK
    button.click()
    assert looks() == LIGHT
    tab.prefer("light")
    assert background(tab) == LIGHT
    button.click()
    assert looks() == DARK
    assert tab.run("return getComputedStyle(document.body).backgroundColor") == DARK


def test_names_in_charts_can_be_read(tab, place):
    rng = np.random.default_rng(0)
    scores = rr.Effectiveness.from_rows({name: rng.random(20) for name in "abcdefg"})
    tab.open(saved(place / "names.html", rr.assess(scores, baseline="a").to_html()))
    assert min(ratio for _, ratio in tab.contrasts("[data-chart=risk-gain] .mark-text.role-mark text")) >= 4.5


def test_a_dark_page_is_printed_in_dark_ink(tab, trec):
    tab.prefer("light", media="print")
    tab.open(trec)
    tab.run("document.documentElement.dataset.theme = 'dark'")
    inks = tab.run("""return [...document.querySelectorAll(".riskrank p, .riskrank td, .chart .role-axis text")].map(
        (each) => getComputedStyle(each)[each instanceof SVGElement ? "fill" : "color"])""")
    assert all(sum(map(float, ink.strip("rgb()").split(","))) < 3 * 128 for ink in inks)


def test_charts_fit_on_paper(tab, trec):
    tab.prefer("light", media="print")
    tab.open(trec)
    tab.run("document.querySelector('.riskrank').style.width = '700px'")  # paper is narrower, and no event tells
    beyond = tab.run("""return [...document.querySelectorAll("figure")].map((figure) =>
        figure.querySelector("svg.marks").getBoundingClientRect().right - figure.getBoundingClientRect().right)""")
    assert max(beyond) <= 1


@pytest.mark.parametrize("name", ["trec", "risks"])
def test_on_a_phone_the_page_does_not_move_sideways(tab, request, name):
    tab.resize(390)
    page = request.getfixturevalue(name)
    section = tab.open(page if name == "trec" else page[0])
    assert tab.run("return [window.innerWidth, document.documentElement.scrollWidth]") == [390, 390]
    section.slide(5)
    section.show(section.listed()[0])
    assert tab.run("return document.documentElement.scrollWidth") == 390
    box = tab.run(
        "const box = arguments[0].getBoundingClientRect(); return [box.left, box.right]", section.find("dialog")
    )
    assert 0 <= box[0] < box[1] <= 390


@pytest.mark.parametrize(
    "name", ["cross-encoder-ms-marco-MiniLM-L-12-v2-on-bm25-top-1000", "a_run_with_parameters_" * 3]
)
def test_long_names_do_not_push_the_page_sideways(tab, place, name):
    scores = rr.Effectiveness.from_rows({"old": [0.1, 0.2, 0.3], name: [0.3, 0.5, 0.2]})
    tab.resize(390)
    tab.open(saved(place / "long.html", rr.assess(scores, baseline="old").to_html()))
    assert tab.run("return document.documentElement.scrollWidth") == 390
