"""The page of a sweep over clicks in a real browser."""

from __future__ import annotations

import pytest

from riskrank.report.clicks.click_text import click_cells, click_header
from riskrank.tradeoff.clicks.click_table import chosen_models, click_table

from ...tradeoff.synthetic_clicks import synthetic_click_sweep
from ..browsing import needs_browser
from ..clicks.click_sweeps import METHODS, MODELS, pages_of

pytestmark = needs_browser

FIGURES = ["click-models", "click-parameters"]
CELLS = """return [...document.querySelectorAll("table.sweep")].map((table) =>
    [...table.rows].map((row) => [...row.cells].map((cell) => cell.textContent)))"""
LABELS = """return [...document.querySelectorAll("[data-chart=" + arguments[0] + "] svg text")]
    .map((text) => text.textContent)"""
HARM = '<img src=x onerror="window.harmed = true">'


@pytest.fixture(scope="module")
def sweep():
    return synthetic_click_sweep(MODELS, pages_of(0), valid=pages_of(1))


@pytest.fixture(scope="module")
def page(sweep, tmp_path_factory):
    path = tmp_path_factory.mktemp("page") / "report.html"
    sweep.to_html(path)
    return path


def test_the_page_needs_nothing_but_itself_and_has_nothing_to_complain_of(tab, page):
    tab.open(page)
    assert tab.requests() == [page.as_uri()]
    assert tab.console() == []


def test_both_figures_and_all_others_are_drawn(tab, page):
    marks = tab.open(page).charts()
    assert list(marks)[:2] == FIGURES
    assert {"risk-gain", "helped-hurt", "topics", "exploratory"} <= set(marks)
    assert all(marks.values())
    # The coin's line; a point and its text for each chosen model; a line for each series and a point for each model.
    assert marks["click-models"] == 2 * len(METHODS) + 1
    assert marks["click-parameters"] == len(MODELS) + 5 + 1


def test_figures_name_the_methods_and_what_is_on_their_axes(tab, page):
    tab.open(page)
    for figure in FIGURES:
        texts = tab.run(LABELS, figure)
        assert "pages re-ranked" in texts
        assert "gain, of Standard Gain's" in texts
        assert "Weight-Initial-Pref" in texts
        assert "Naive: Standard Gain on some pages, by coin" in texts


def test_the_table_holds_the_numbers_of_python(tab, page, sweep):
    tab.open(page)
    chosen, _ = tab.run(CELLS)
    assert chosen == [click_header("AP"), *(click_cells(row) for row in click_table(sweep))]


def test_the_systems_are_the_order_shown_and_each_chosen_model_once(tab, page, sweep):
    rows = tab.open(page).systems()
    assert rows[0]["system"] == "order shown (baseline)"
    assert len(rows) == 1 + len(set(chosen_models(sweep).values()))


def test_a_page_that_a_model_hurts_can_be_found(tab, page, sweep):
    section = tab.open(page)
    listed = section.topics()
    worst = sweep.test.delta[0].argmin()
    assert listed[0][0] == sweep.test.queries[worst]
    assert float(listed[0][3].replace("−", "-")) == pytest.approx(sweep.test.delta[0][worst], abs=1e-4)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_can_be_read_in_light_and_dark(tab, page, scheme):
    tab.prefer(scheme)
    tab.open(page)
    contrasts = tab.contrasts(".riskrank p, .riskrank td, .riskrank th, .riskrank figcaption, .riskrank .note")
    assert len(contrasts) > 50
    assert min(contrasts, key=lambda each: each[1])[1] > 4.5


def test_on_a_small_screen_nothing_sticks_out(tab, page):
    tab.resize(400)
    tab.open(page)
    assert tab.run("return document.documentElement.scrollWidth <= window.innerWidth")


def test_markup_of_users_stays_text(tab, tmp_path, sweep):
    series = [(f"Preference and Risk, {HARM}" if " α = 1" in name else name, value) for name, value in MODELS]
    hostile = synthetic_click_sweep(series, pages_of(0), valid=pages_of(1))
    hostile.to_html(tmp_path / "page.html", title=HARM)
    section = tab.open(tmp_path / "page.html")
    assert tab.run("return window.harmed") is None
    assert tab.run("return document.querySelector('h1').textContent") == HARM
    assert all(section.charts().values())
    assert tab.console() == []
