"""The page of a sweep over clicks in a real browser: wide and narrow, light and dark, on paper, without a script."""

from __future__ import annotations

import numpy as np
import pytest

from riskrank.report.findings.words import glued
from riskrank.tradeoff.clicks.click_table import NEAR, PARITY

from ....tradeoff.synthetic_clicks import LOWEST, PREFERENCE, RISK, synthetic_click_sweep
from ....tradeoff.synthetic_sweeps import judged
from ...browsing import needs_browser, saved
from ...clicks.click_sweeps import MODELS, SPECIAL, few, pages_of
from .hand_worked import methods_of

pytestmark = needs_browser

OVERLAPS = """const boxes = [...document.querySelectorAll(arguments[0])]
    .filter((each) => each.getClientRects().length).map((each) => [each.textContent, each.getBoundingClientRect()]);
return boxes.flatMap(([one, a], i) => boxes.slice(i + 1).filter(([, b]) => a.width && b.width &&
    a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 3 && b.top < a.bottom - 3)
    .map(([other]) => [one, other]));"""
OUTSIDE = """return [...document.querySelectorAll('h1, h2, .lede, .sub, dd, .bars b, .click-plot text, .methods td')]
    .filter((each) => each.getClientRects().length)
    .filter((each) => { const box = each.getBoundingClientRect(); return box.left < -1 || box.right > innerWidth + 1; })
    .map((each) => each.textContent)"""
CUT = """return [...document.querySelectorAll('.methods .name, .card dd, .card dt')]
    .filter((each) => each.scrollWidth > each.clientWidth + 1 && getComputedStyle(each).overflowX !== "visible")
    .map((each) => each.textContent)"""
SHOWN = """return [...document.querySelectorAll(arguments[0])].filter((each) => each.getClientRects().length)
    .map((each) => each.textContent.trim())"""
HARM = '<img src=x onerror="window.harmed = true">'


@pytest.fixture(scope="module")
def sweep():
    return synthetic_click_sweep(MODELS, pages_of(0), valid=pages_of(1))


@pytest.fixture(scope="module")
def usual(place, sweep):
    return saved(place / "clicks.html", sweep.to_html())


@pytest.fixture(scope="module")
def single(place):
    return saved(place / "clicks-single.html", few([(RISK, 0)], (0.1, 0.5)).to_html())


@pytest.fixture(scope="module")
def sixty(place):
    """Sixty models: careful ones move less, and one series loses."""
    rng = np.random.default_rng(0)
    models = [(RISK, k / 4) for k in range(28)] + [(PREFERENCE, k / 28) for k in range(28)]
    models += [(LOWEST, k) for k in range(1, 5)]
    share = np.concatenate([np.linspace(0.9, 0.2, 28), np.linspace(0.6, 0.02, 28), np.ones(4)])
    moved = rng.random((60, 2000)) < share[:, None]
    mean = np.concatenate([np.full(28, 0.02), np.full(28, 0.05), np.full(4, -0.04)])
    changes = np.where(moved, rng.normal(mean[:, None], 0.1, moved.shape), 0.0)
    part = judged(changes, is_reranked=moved, distance=np.where(moved, 0.1, 0.0))
    return saved(place / "clicks-sixty.html", synthetic_click_sweep(models, part, valid=part).to_html())


@pytest.fixture(scope="module")
def huge(place):
    """120,000 pages."""
    few, times = pages_of(0), 2000
    part = judged(
        np.tile(few.changes, times), is_reranked=np.tile(few.is_reranked, times), distance=np.tile(few.distance, times)
    )
    return saved(place / "clicks-huge.html", synthetic_click_sweep(MODELS, part).to_html())


@pytest.fixture(scope="module")
def losing(place):
    return saved(place / "clicks-losing.html", SPECIAL["no gain"].to_html())


def test_the_page_works_offline_and_says_nothing_on_the_console(tab, usual):
    tab.open(usual)
    assert (tab.requests(), tab.console()) == ([usual.as_uri()], [])


@pytest.mark.parametrize("width", [1280, 768, 390])
@pytest.mark.parametrize("name", ["usual", "single", "sixty", "losing", "huge"])
def test_nothing_is_cut_and_no_names_overlap_whichever_method_is_chosen(tab, request, name, width):
    tab.resize(width)
    tab.open(request.getfixturevalue(name))
    for k in range(tab.run("return document.querySelectorAll('tr[data-choice]').length")):
        tab.run("document.querySelectorAll('tr[data-choice]')[arguments[0]].click()", k)
        assert tab.run("return document.documentElement.scrollWidth") == width
        assert tab.run(OVERLAPS, ".click-plot .label text, .click-plot .baseline, .click-plot .off") == []
        assert tab.run(OVERLAPS, ".bar-edges span, .bar-ends span") == []
        assert tab.run(OVERLAPS, ".bars b") == []
        assert tab.run(OUTSIDE) == []
        assert tab.run(CUT) == []


def test_the_finding_and_the_picture_fit_the_first_screen(tab, usual):
    tab.resize(1280)
    tab.open(usual)
    assert tab.run("return document.querySelector('.hero').getBoundingClientRect().bottom") <= 800


def test_every_method_is_named_on_the_wide_plot(tab, usual, sweep):
    tab.resize(1280)
    tab.open(usual)
    assert sorted(tab.run(SHOWN, ".click-plot .label.method text")) == sorted(
        glued(f"RS, {method.row.parameter}") if method.name in (PARITY, NEAR) else method.name
        for method in methods_of(sweep)
    )


def chosen(tab):
    return (
        tab.run(SHOWN, ".card-title"),
        tab.run(SHOWN, "tr.chosen .name"),
        tab.run("return document.querySelectorAll('.click-plot .dot.chosen').length"),
        [heading.split(" hurts ")[0] for heading in tab.run(SHOWN, ".facts > div:first-child h2")],
        tab.run("return [...document.querySelectorAll('[data-row][aria-current]')].map((e) => e.ariaCurrent)"),
    )


def test_a_row_or_a_dot_chooses_what_the_page_shows(tab, usual, sweep):
    tab.resize(1280)
    tab.open(usual)
    methods = methods_of(sweep)
    for method in methods:
        tab.run("document.querySelector(`tr[data-choice='${arguments[0]}'] td`).click()", method.number)
        assert chosen(tab) == ([method.name], [method.name], 1, [method.name], ["true"])
    for method in (methods[0], methods[2]):
        dot = tab.driver.find_element("css selector", f".dot[data-choice='{method.number}'] circle")
        tab.hover(dot)
        assert tab.run("return document.querySelector('[data-plot]').classList.contains('near')")
        dot.click()
        assert chosen(tab) == ([method.name], [method.name], 1, [method.name], ["true"])


def test_rows_are_chosen_by_the_keyboard_alone(tab, usual, sweep):
    tab.resize(1280)
    tab.open(usual)
    last = methods_of(sweep)[-1]
    tab.run("document.querySelector(`tr[data-choice='${arguments[0]}'] [data-row]`).focus()", last.number)
    tab.press("\ue007")
    assert chosen(tab)[0] == [last.name]
    outline = tab.run("return getComputedStyle(document.activeElement).outlineStyle")
    assert outline == "solid"


def test_the_distance_to_the_coin_is_that_of_the_method_chosen(tab, sixty):
    tab.resize(1280)
    tab.open(sixty)
    for k in range(tab.run("return document.querySelectorAll('tr[data-choice]').length")):
        tab.run("document.querySelectorAll('tr[data-choice]')[arguments[0]].click()", k)
        drops = tab.run("""return [...document.querySelectorAll('.drop')].filter((each) =>
            getComputedStyle(each).display !== "none").length""")
        kept = tab.run("""return [...document.querySelectorAll('.card:not([hidden]) dt')].filter((each) =>
            each.textContent === "Gain kept").map((each) => each.nextElementSibling.textContent.trim())""")
        said = [text.partition(" ")[2] for text in kept if text.endswith("at random")]
        assert drops == len(said) <= 1
        labels = tab.run(SHOWN, ".click-plot .label:is(.gain, .loss) text")
        assert labels in (said, [])


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_can_be_read_in_both_themes(tab, usual, scheme):
    tab.prefer(scheme)
    tab.open(usual)
    tab.run("for (const each of document.querySelectorAll('details')) each.open = true")
    contrasts = tab.contrasts(".riskrank :is(h1, h2, h3, p, th, td, dt, dd, b, text, summary, code)")
    assert len(contrasts) > 100
    assert [each for each in contrasts if each[1] < 4.5] == []


def test_the_theme_button_changes_the_theme(tab, usual):
    tab.prefer("light")
    tab.open(usual)
    tab.driver.find_element("css selector", "[data-theme-button]").click()
    assert tab.run("return document.documentElement.dataset.theme") == "dark"


def test_text_is_never_smaller_than_twelve_pixels(tab, usual):
    for width in (1280, 390):
        tab.resize(width)
        tab.open(usual)
        sizes = tab.run("""return [...document.querySelectorAll("body *")].filter((each) =>
            each.getClientRects().length && [...each.childNodes].some((node) => node.nodeType === 3 &&
            node.textContent.trim())).map((each) => parseFloat(getComputedStyle(each).fontSize))""")
        assert min(sizes) >= 12


def test_on_paper_it_is_light_without_controls_and_with_the_method_open(tab, usual):
    tab.resize(720)
    tab.prefer("dark", media="print")
    tab.open(usual)
    tab.run("document.documentElement.dataset.theme = 'dark'; dispatchEvent(new Event('beforeprint'))")
    assert tab.run("return getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    for selector in (".actions", ".hint"):
        assert tab.run(SHOWN, selector) == []
    assert tab.run("return document.querySelector('[data-method] > summary').parentNode.open")
    assert tab.run("""return [...document.querySelectorAll('.scroll')].filter((each) =>
        each.scrollWidth > each.clientWidth + 1).length""") == 0  # fmt: skip
    assert 2 <= tab.n_sheets() <= 8


def test_all_fits_on_paper_and_can_be_read_there(tab, usual):
    tab.open(usual)
    tab.run("for (const each of document.querySelectorAll('details')) each.open = true")
    assert tab.unfit_for_paper() == []


def test_where_it_is_narrow_all_methods_are_told_from_left_to_right(tab, usual, sweep):
    tab.resize(390)
    tab.open(usual)
    (line,) = tab.run("""return [...document.querySelectorAll("p.narrow-only")]
        .filter((each) => each.getClientRects().length).map((each) => each.textContent)""")
    assert all(line.count(method.name) for method in methods_of(sweep) if method.name not in (PARITY, NEAR))
    assert line.count(",") >= len(methods_of(sweep)) - 1


def test_without_a_script_the_leader_is_shown_and_nothing_asks_to_be_clicked(tab, usual, sweep):
    tab.resize(1280)
    tab.driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
    try:
        tab.driver.get(usual.as_uri())
        tab.driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})
        assert len(tab.run(SHOWN, ".card")) == len(tab.run(SHOWN, ".facts")) == 1
        assert len(tab.run(SHOWN, "tr[data-choice]")) == len(methods_of(sweep))
        assert tab.run(SHOWN, ".needs-script") == []
    finally:
        tab.driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})


def test_markup_of_users_stays_text(tab, place):
    series = [(f"Preference and Risk, {HARM}" if " α = 1" in name else name, value) for name, value in MODELS]
    hostile = synthetic_click_sweep(series, pages_of(0), valid=pages_of(1), measure=HARM)
    tab.open(saved(place / "clicks-hostile.html", hostile.to_html(title=HARM)))
    assert tab.run("return window.harmed") is None
    assert tab.driver.title == HARM
    assert tab.run("return document.querySelectorAll('img').length") == 0
    assert tab.console() == []


def test_a_notebook_shows_clicks_in_little_height_and_cuts_nothing(tab, place, sweep):
    view = sweep._repr_html_()
    tab.open(saved(place / "clicks-notebook.html", f"<!doctype html><meta charset='utf-8'>{view}"))
    assert tab.console() == []
    assert tab.run("return document.querySelector('.notebook').getBoundingClientRect().height") <= 420
    assert tab.run("const each = document.querySelector('.listing'); return each.scrollWidth - each.clientWidth") <= 0
    assert tab.run(OVERLAPS, ".click-plot .label text, .click-plot .baseline") == []
