"""How pages look in a real browser: in the light and in the dark, on paper, on a phone, without a script."""

from __future__ import annotations

import numpy as np
import pytest

import riskrank as rr
from riskrank.report.page.assessment_page import assessment_page

from ..browsing import needs_browser, saved
from .reported import Report

pytestmark = needs_browser


TEXT = (
    "p, td, th, label, h1, h2, h3, h4, summary, button, select, dt, dd, .lane-name, .note, .context span, .ticks span, "
    ".rank, .grade, .document, .move, .topic-name, .bars b, footer span"
)
MARKS = "figure svg text, .axes text"
LIGHT, DARK = "rgb(255, 255, 255)", "rgb(19, 22, 25)"
OVERLAPS = """const boxes = [...document.querySelectorAll(arguments[0])]
    .filter((each) => each.getClientRects().length && getComputedStyle(each).visibility !== "hidden")
    .map((each) => [each.textContent, each.getBoundingClientRect()]);
return boxes.flatMap(([name, one], i) => boxes.slice(i + 1).filter(([, other]) => one.width && other.width &&
    one.left < other.right - 1 && other.left < one.right - 1 &&
    one.top < other.bottom - 3 && other.top < one.bottom - 3)
    .map(([other]) => [name, other]))"""
CUT = """return [...document.querySelectorAll(
        ".context span, h1, h2, .lede, .sub, dd, .counts span, .label text, .even-label")]
    .filter((each) => each.getClientRects().length).filter((each) => {
        const box = each.getBoundingClientRect();
        return box.left < -1 || box.right > document.documentElement.clientWidth + 1;
    }).map((each) => each.textContent)"""


@pytest.fixture(scope="module")
def many(place):
    """Sixty systems with long names."""
    rng = np.random.default_rng(2)
    base = rng.beta(2, 3, 60)
    rows = {"bm25_default_parameters": base}
    for i in range(60):
        name = f"{['neural', 'sparse_expansion', 'dense'][i % 3]}_{'x' * (i % 9)}-{i}"
        rows[name] = np.clip(base + rng.normal(0.02 * (i % 9 - 3), 0.02 * (i % 5 + 1), 60), 0, 1)
    scores = rr.Effectiveness.from_rows(rows, measure="nDCG@10")
    return saved(place / "sixty.html", rr.assess(scores, "bm25_default_parameters", alphas=(0, 1, 5)).to_html())


def background(tab):
    return tab.run("return getComputedStyle(document.body).backgroundColor")


def test_text_can_be_read_in_the_light_and_in_the_dark(tab, trec):
    tab.prefer("light")
    Report.open(tab, trec)
    tab.run("for (const each of document.querySelectorAll('details')) each.open = true")
    button = tab.driver.find_element("css selector", "[data-theme-button]")

    def looks():
        for selector in (TEXT, MARKS):
            contrasts = tab.contrasts(selector)
            assert len(contrasts) > 10
            assert min(ratio for _, ratio in contrasts) >= 4.5, min(contrasts, key=lambda each: each[1])
        return background(tab)

    assert looks() == LIGHT
    tab.prefer("dark")
    assert looks() == DARK
    button.click()
    assert looks() == LIGHT
    tab.prefer("light")
    assert background(tab) == LIGHT
    button.click()
    assert looks() == DARK


def test_marks_stand_out_from_the_page_and_from_the_card(tab, trec):
    """At least 3 to 1, as WCAG asks of graphics."""
    Report.open(tab, trec)
    for theme in ("light", "dark"):
        ratios = tab.run(
            """document.documentElement.dataset.theme = arguments[0];
            const style = getComputedStyle(document.body), value = (name) => style.getPropertyValue(name).trim();
            const light = (hex) => [1, 3, 5].map((k) => parseInt(hex.slice(k, k + 2), 16) / 255)
                .map((v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4))
                .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
            const ratio = (a, b) => (Math.max(light(a), light(b)) + 0.05) / (Math.min(light(a), light(b)) + 0.05);
            return ["--gain", "--loss", "--mute", "--ink"].flatMap((mark) => ["--bg", "--surface"].map((ground) =>
                ratio(value(mark), value(ground))))""",
            theme,
        )
        assert min(ratios) >= 3


def test_verdicts_differ_by_more_than_their_colour(tab, many):
    report = Report.open(tab, many)
    tab.run("arguments[0].click()", report.find("[data-more]"))
    marks = tab.run("""return Object.fromEntries([...document.querySelectorAll("[data-rows] .verdict")].map((each) =>
        [each.textContent, getComputedStyle(each, "::before").content.slice(0, 3)]))""")
    assert marks == {"significant gain": '"▲"', "inconclusive": '"○"', "significant loss": '"▼"'}
    assert report.all(".dot.open")


@pytest.mark.parametrize("width", [1280, 1000, 768, 390])
@pytest.mark.parametrize("name", ["trec", "many"])
def test_nothing_is_cut_or_overlaps_at_any_width(tab, request, name, width):
    tab.resize(width)
    report = Report.open(tab, request.getfixturevalue(name))
    for alpha in (0, 1, 5, 10):
        report.slide(alpha)
        assert tab.run("return document.documentElement.scrollWidth") == width
        assert tab.run(CUT) == []
        assert tab.run(OVERLAPS, "[data-plot=main] .label text, [data-plot=main] .baseline") == []
        assert tab.run(OVERLAPS, ".ticks span, .counts span, .lane-name, .lane .note") == []
        assert tab.run(OVERLAPS, ".bar-edges span") == []


def test_a_system_that_is_chosen_has_its_name_and_no_other_lies_on_it(tab, many):
    report = Report.open(tab, many)
    for name in report.names()[:12]:
        report.choose(name)
        labels = tab.run("""return [...document.querySelectorAll("[data-plot=main] .label.chosen text")]
            .filter((each) => each.getClientRects().length).map((each) => each.textContent)""")
        assert labels == [name]
        assert tab.run(OVERLAPS, "[data-plot=main] .label text") == []


def test_text_is_never_smaller_than_twelve_pixels(tab, trec):
    for width in (1280, 390):
        tab.resize(width)
        Report.open(tab, trec)
        sizes = tab.run("""return [...document.querySelectorAll("body *")].filter((each) =>
            each.getClientRects().length && [...each.childNodes].some((node) => node.nodeType === 3 &&
            node.textContent.trim())).map((each) => parseFloat(getComputedStyle(each).fontSize))""")
        assert min(sizes) >= 12


def test_long_names_do_not_push_the_page_sideways(tab, place):
    for name in ("cross-encoder-ms-marco-MiniLM-L-12-v2-on-bm25-top-1000", "a_run_with_parameters_" * 3):
        for n_systems in (1, 12):  # many have a list to choose from
            rows = {f"{name}{i}": [0.3, 0.5, 0.2, 0.1 + 0.01 * i] for i in range(n_systems)}
            scores = rr.Effectiveness.from_rows({"old" * 20: [0.1, 0.2, 0.3, 0.4], **rows})
            tab.resize(390)
            Report.open(tab, saved(place / "long.html", rr.assess(scores, baseline="old" * 20).to_html()))
            assert tab.run("return document.documentElement.scrollWidth") == 390


# On paper.


def test_a_dark_page_is_printed_in_dark_ink_with_all_rows_and_no_controls(tab, many):
    tab.prefer("dark", media="print")
    report = Report.open(tab, many)
    tab.run("document.documentElement.dataset.theme = 'dark'")
    inks = tab.run("""return [...document.querySelectorAll("p, td, h1, figure svg text")].map((each) =>
        getComputedStyle(each)[each instanceof SVGElement ? "fill" : "color"])""")
    assert all(sum(map(float, ink.strip("rgb()").split(","))) < 3 * 160 for ink in inks)
    assert background(tab) == LIGHT
    assert len(report.names(shown=True)) == 60
    for selector in ("[data-alpha]", ".tools", "[data-more]", "[data-theme-button]"):
        assert not report.tab.run("return document.querySelector(arguments[0]).getClientRects().length", selector), (
            selector
        )
    assert report.find(".weight").is_displayed()


def test_all_rows_of_the_table_go_to_paper_and_all_that_comes_after_it(tab, many):
    report = Report.open(tab, many)
    n_pages = tab.n_sheets()
    tab.run("arguments[0].click()", report.find("[data-more]"))
    assert tab.n_sheets() == n_pages
    assert len(report.names()) == 60


def test_the_head_of_the_table_is_on_every_page_of_paper(tab, many):
    tab.prefer(media="print")
    Report.open(tab, many)
    shown = tab.run("""return [".systems thead", ".systems thead button", ".systems thead th"]
        .map((each) => getComputedStyle(document.querySelector(each)))
        .map((style) => [style.display, style.position])""")
    # Chromium repeats no head with buttons that have boxes of their own
    assert shown == [["table-header-group", "static"], ["contents", "static"], ["table-cell", "static"]]


def test_nothing_lies_below_the_footer(tab, many, trec):
    for page in (many, trec):
        Report.open(tab, page)
        assert (
            tab.run("""return document.documentElement.scrollHeight -
            document.querySelector("footer").getBoundingClientRect().bottom""")
            < 100
        )  # px: the margin of the page


def test_all_fits_on_paper_and_can_be_read_there(tab, many, trec, risks):
    for page in (many, trec, risks[0]):
        tab.open(page)
        tab.run("for (const each of document.querySelectorAll('details')) each.open = true")
        assert tab.unfit_for_paper() == []


def test_each_measure_begins_on_a_sheet_of_its_own_that_names_it(tab, place, assessed):
    tab.prefer(media="print")
    Report.open(tab, saved(place / "measures.html", assessment_page(assessed)))
    shown = tab.run("""return [...document.querySelectorAll("article")].map((each) =>
        [getComputedStyle(each).breakBefore, each.firstElementChild.innerText])""")
    assert shown == [["auto", "nDCG@10"], ["page", "P@5"]]
    assert not tab.run("return document.querySelector('.measures').getClientRects().length")


def test_on_paper_thirty_topics_are_listed_and_counted(tab, trec):
    tab.prefer(media="print")
    Report.open(tab, trec)
    shown = tab.run("""return [...document.querySelectorAll("[data-topics] li")]
        .filter((each) => each.getClientRects().length).length""")
    assert shown == 30
    (note,) = [each for each in tab.driver.find_elements("css selector", ".topic-list .note") if each.is_displayed()]
    assert note.text.endswith("of 50 topics, worst first")


def test_the_page_prints(tab, trec):
    Report.open(tab, trec)
    assert 2 <= tab.n_sheets() <= 8


# Without a script.


def test_without_a_script_all_is_there_at_the_first_alpha(tab, many, trec):
    tab.driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
    try:
        tab.driver.get(many.as_uri())
        tab.driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})
        rows = tab.run("""return [...document.querySelectorAll("[data-rows] > tr")].map((row) =>
            [row.getClientRects().length > 0, row.querySelector(".verdict").textContent])""")
        assert len(rows) == 60
        assert all(is_shown for is_shown, _ in rows)
        assert tab.run("return document.querySelectorAll('[data-plot=main] .dot.gain').length") > 0
        assert tab.run("""return [...document.querySelectorAll(".needs-script")].every((each) =>
            !each.getClientRects().length)""")
        assert tab.run("return document.querySelector('[data-strip] .hurt').getAttribute('d').length") > 0
        assert tab.run("return document.documentElement.className") == ""
    finally:
        tab.driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})
