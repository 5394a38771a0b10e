"""The page of a sweep in a real browser, wide and narrow, light and dark."""

from __future__ import annotations

import pytest

from riskrank.report.findings.words import glued
from riskrank.report.page.plots.verdict_marks import verdict_classes
from riskrank.report.page.sweeps.model_significance import model_significance
from riskrank.report.text.sweep_text import summary_table

from ...browsing import needs_browser, saved

pytestmark = needs_browser

OVERLAPS = """const boxes = [...document.querySelectorAll('.sweep-plot .label text, .sweep-plot .budget-label')]
    .filter((each) => each.getClientRects().length).map((each) => [each.textContent, each.getBoundingClientRect()]);
return boxes.flatMap(([one, a], i) => boxes.slice(i + 1).filter(([, b]) =>
    a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 3 && b.top < a.bottom - 3)
    .map(([other]) => [one, other]));"""
OUTSIDE = """return [...document.querySelectorAll('.sweep-plot text')].filter((each) => each.getClientRects().length)
    .filter((each) => { const box = each.getBoundingClientRect(); return box.left < 0 || box.right > innerWidth; })
    .map((each) => each.textContent)"""


def test_the_page_works_offline_and_says_nothing_on_the_console(tab, risks):
    page, sweep, point = risks
    tab.open(page)
    assert (tab.requests(), tab.console()) == ([page.as_uri()], [])
    table = summary_table(sweep)
    cells = tab.run("return [...document.querySelectorAll('table.sweep td')].map((each) => each.textContent)")
    assert cells == [cell for row in table.rows for cell in row]
    assert glued(point.label) in tab.run("return document.querySelector('.card').textContent")


@pytest.mark.parametrize("width", [1280, 390])
def test_nothing_moves_sideways_and_no_names_overlap(tab, risks, width):
    tab.resize(width)
    tab.open(risks[0])
    assert tab.run("return document.documentElement.scrollWidth") == width
    assert tab.run(OVERLAPS) == []
    assert tab.run(OUTSIDE) == []


def test_the_finding_and_the_picture_fit_the_first_screen(tab, risks):
    tab.resize(1280)
    tab.open(risks[0])
    assert tab.run("return document.querySelector('.hero').getBoundingClientRect().bottom") <= 800


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_can_be_read_in_both_themes(tab, risks, scheme):
    tab.prefer(scheme)
    tab.open(risks[0])
    contrasts = tab.contrasts(".riskrank :is(h1, h2, h3, p, th, td, dt, dd, b, text, summary, code)")
    assert len(contrasts) > 100
    assert [each for each in contrasts if each[1] < 4.5] == []


def test_the_theme_button_changes_the_theme(tab, risks):
    tab.prefer("light")
    tab.open(risks[0])
    tab.driver.find_element("css selector", "[data-theme-button]").click()
    assert tab.run("return document.documentElement.dataset.theme") == "dark"


def test_dots_follow_the_weight_of_losses(tab, risks):
    page, sweep, _ = risks
    tab.open(page)
    significance = model_significance(sweep)
    slider = tab.driver.find_element("css selector", "[data-alpha]")
    seen = set()
    for stop, alpha in enumerate(significance.alphas):
        tab.run("arguments[0].value = arguments[1]; arguments[0].dispatchEvent(new Event('input'))", slider, stop)
        shown = dict(
            tab.run("""return [...document.querySelectorAll(".sweep-plot .dot")].map((dot) =>
            [dot.dataset.model, ["gain", "open", "loss"].find((each) => dot.classList.contains(each))])""")
        )
        assert shown == {str(i): kind for i, kind in enumerate(verdict_classes(significance, alpha))}
        assert tab.run("return document.querySelector('[data-weight]').textContent") == f"{1 + alpha:g}×"
        seen |= set(shown.values())
    assert len(seen) > 1


def test_a_notebook_shows_a_sweep_in_little_height(tab, place, risks):
    view = risks[1]._repr_html_()
    tab.open(saved(place / "notebook.html", f"<!doctype html><meta charset='utf-8'>{view}"))
    assert tab.console() == []
    assert tab.run("return document.querySelector('.notebook').getBoundingClientRect().height") <= 420
