"""The report of assessments in a real browser: what it shows, against what Python computes."""

from __future__ import annotations

import csv
import itertools
import json
import math

import numpy as np
import pytest

import riskrank as rr
from riskrank.data.example import example_files
from riskrank.errors import p_text
from riskrank.report.findings.assessment_findings import live_sentence
from riskrank.report.findings.digits import digits_of, risk_text
from riskrank.report.findings.words import glued
from riskrank.report.page.assessment_page import assessment_page
from riskrank.report.page.explorer.top_documents import TopDocuments
from riskrank.report.page.plots.tradeoff_plot import tradeoff_plot
from riskrank.report.text.formatting import signed
from riskrank.risk.trisk import verdict

from ..browsing import needs_browser, saved
from .reported import Report

pytestmark = needs_browser

TAB, ENTER, ESCAPE, RIGHT, DOWN = "\ue004", "\ue007", "\ue00c", "\ue014", "\ue015"


@pytest.fixture(scope="module")
def both(place, assessed):
    qrels, runs = example_files()
    rankings = TopDocuments(qrels, runs, assessed[0].scores.topics)
    return saved(place / "both.html", assessment_page(assessed, rankings=rankings))


@pytest.fixture(scope="module")
def many(place):
    """Thirty systems, of all verdicts, one of them far off."""
    rng = np.random.default_rng(1)
    base = np.round(rng.beta(2, 3, 40), 3)
    rows = {"bm25": base}
    for i in range(1, 30):
        rows[f"run_{i}"] = np.round(np.clip(base + rng.normal(0.03 * (i % 7 - 2), 0.02 * (i % 4 + 1), 40), 0, 1), 3)
    rows["far"] = np.zeros(40)
    assessment = rr.assess(rr.Effectiveness.from_rows(rows, measure="AP"), "bm25", alphas=(0, 1, 5))
    assessment.to_html(place / "many.html")
    return place / "many.html", assessment


def test_a_page_needs_nothing_but_itself_and_has_nothing_to_complain_of(tab, trec):
    Report.open(tab, trec)
    assert tab.requests() == [trec.as_uri()]
    assert tab.console() == []
    policy = tab.run("return document.querySelector('meta[http-equiv=Content-Security-Policy]').content")
    assert policy.startswith("default-src 'none';")
    assert "http" not in policy
    assert "script-src 'sha256-" in policy


def test_the_policy_keeps_the_page_from_asking_the_network_and_from_running_other_scripts(tab, trec):
    Report.open(tab, trec)
    tab.run("""window.refused = [];
        document.addEventListener("securitypolicyviolation", (event) => refused.push(event.effectiveDirective));
        fetch("https://example.org/").catch(() => {});
        document.body.append(Object.assign(new Image(), {src: "https://example.org/x.png"}));
        document.body.append(Object.assign(document.createElement("script"), {textContent: "window.ran = true"}))""")
    refused = tab.wait("return window.refused.length === 3 && window.refused")
    assert sorted(refused) == ["connect-src", "img-src", "script-src-elem"]
    assert tab.run("return window.ran") is None


# Numbers, at each stop of the slider.


def unsigned_zero(text):
    return text if text.strip("+−0.") else text.lstrip("+−")


def expected(assessment, alpha):
    """What the library says at an alpha, written as the text does."""
    again = rr.assess(
        assessment.scores, assessment.baseline, alphas=[alpha], level=assessment.level, correction=assessment.correction
    )
    digits = digits_of(assessment)
    rows = {}
    for system in again.systems:
        if system.is_baseline:
            continue
        at = system.at[0]
        rows[system.system] = {
            "score": digits.score(system.effectiveness), "gain": digits.gain(system.gain), "hurt": str(system.losses),
            "helped": str(system.wins), "risk": risk_text(system.risk), "verdict": at.verdict,
            "urisk": unsigned_zero(signed(at.urisk)), "trisk": unsigned_zero(signed(at.trisk, 3)),
            "p": p_text(at.p_mirror),
            "holm": p_text(at.p_holm), "bh": p_text(at.p_bh), "georisk": f"{at.georisk:.4f}",
            "large": str(system.large_losses), "cvar": f"{system.cvar:.4f}",
        }  # fmt: skip
    return rows


COLUMNS = ("urisk", "trisk", "p", "holm", "bh", "georisk", "large", "cvar")


@pytest.mark.parametrize("number", [0, 1])
def test_the_slider_gives_the_numbers_that_python_gives(tab, both, assessed, number):
    Report.open(tab, both)
    tab.run("document.querySelector(`[data-measure='${arguments[0]}']`).click()", number)
    report, assessment = Report(tab, number), assessed[number]
    report.columns(*COLUMNS)
    for alpha in assessment.grid:
        report.slide(alpha)
        wanted = expected(assessment, alpha)
        rows = {row["name"]: row for row in report.rows()}
        assert {name: {key: rows[name][key] for key in cells} for name, cells in wanted.items()} == wanted
        assert report.text("[data-live]") == glued(live_sentence(assessment, alpha))
        assert dict(report.dots()) == {
            i: {"significant gain": "gain", "inconclusive": "open", "significant loss": "loss"}[
                wanted[each.system]["verdict"]
            ]
            for i, each in enumerate(assessment.systems)
            if not each.is_baseline
        }


def test_counts_and_verdicts_of_many_systems_follow_the_slider(tab, many):
    page, assessment = many
    report = Report.open(tab, page)
    for alpha in assessment.grid:
        report.slide(alpha)
        tally = assessment.significance.tally(alpha)
        shown = {kind: report.text(f".counts [data-count={kind}]") for kind in ("gain", "open", "loss")}
        assert shown == {"gain": str(tally.gains), "open": str(tally.inconclusive), "loss": str(tally.losses)}
        verdicts = dict(zip((s.system for s in assessment), assessment.significance.verdicts.T[
            assessment.significance.alphas.index(alpha)], strict=True))  # fmt: skip
        words = {1.0: "significant gain", 0.0: "inconclusive", -1.0: "significant loss"}
        assert {row["name"]: row["verdict"] for row in report.rows()} == {
            name: words[value] for name, value in verdicts.items() if not math.isnan(value)
        }


@pytest.mark.parametrize("correction", ["bh", "none"])
def test_verdicts_follow_the_correction_that_was_asked_for(tab, place, assessed, correction):
    assessment = rr.assess(assessed[0].scores, "bm25", correction=correction)
    report = Report.open(tab, saved(place / "corrected.html", assessment.to_html()))
    for alpha in assessment.alphas:
        report.slide(alpha)
        wanted = {each.system: each.at_alpha(alpha).verdict for each in assessment if not each.is_baseline}
        assert {row["name"]: row["verdict"] for row in report.rows()} == wanted
        for each in assessment:
            if not each.is_baseline:
                at = each.at_alpha(alpha)
                assert wanted[each.system] == verdict(at.p_corrected(correction), at.urisk, assessment.level)


def test_the_break_even_line_turns_with_the_slider(tab, trec, assessed):
    report, plot = Report.open(tab, trec), tradeoff_plot(assessed[0], "hybrid", 1.0)
    for alpha in assessed[0].grid:
        report.slide(alpha)
        end = plot.break_even(alpha)
        start, drawn = (
            tuple(map(float, point.split(","))) for point in report.find("[data-even]").get_attribute("points").split()
        )
        assert (start, drawn) == ((0, plot.zero), (end.x, end.y))
        below = report.find("[data-region]").get_attribute("points").split()
        assert [tuple(map(float, point.split(","))) for point in below] == [
            tuple(map(float, point.split(","))) for point in plot.region(alpha).split()
        ]


def test_what_the_slider_does_not_change(tab, many):
    report = Report.open(tab, many[0])
    finding, hurt = report.text("h1"), [row["hurt"] for row in report.rows()]
    report.slide(10)
    assert report.text("h1") == finding
    assert [row["hurt"] for row in report.rows()] == hurt
    assert report.find("[data-alpha]").get_attribute("aria-valuetext") == "α = 10, losses weigh 11 times"
    assert report.text(".weight") == "α = 10 · losses weigh 11×"


# The table.


def test_columns_sort_both_ways_and_say_so(tab, many):
    page, assessment = many
    report = Report.open(tab, page)
    digits = digits_of(assessment).n_decimals
    by = {  # as they are written
        "name": lambda s: s.system.lower(), "score": lambda s: float(f"{s.effectiveness:.{digits}f}"),
        "gain": lambda s: float(f"{s.gain:.{digits}f}"), "hurt": lambda s: s.losses,
        "risk": lambda s: float(f"{s.risk:.4f}"),
    }  # fmt: skip
    systems = [each for each in assessment if not each.is_baseline]
    values = {each.system: each for each in systems}
    for key, value in by.items():
        for expected_sort in ("ascending", "descending") if key == "name" else ("descending", "ascending"):
            if (
                key == "gain"
                and expected_sort == "descending"
                and report.find("thead [data-key=gain]").get_attribute("aria-sort")
            ):
                report.sort("score")
            report.sort(key)
            heading = report.find(f"thead [data-key={key}]")
            assert heading.get_attribute("aria-sort") == expected_sort
            assert len(report.all("thead [aria-sort]")) == 1
            shown = [value(values[name]) for name in report.names(shown=False)]
            assert shown == sorted(shown, reverse=expected_sort == "descending")


def test_the_order_follows_the_slider_where_it_is_sorted_by_what_the_slider_changes(tab, many):
    page, assessment = many
    report = Report.open(tab, page)
    report.columns("urisk")
    report.sort("urisk")
    for alpha in (0, 1, 10):
        report.slide(alpha)
        urisk = {s.system: s.reward - (1 + alpha) * s.risk for s in assessment if not s.is_baseline}
        shown = [urisk[name] for name in report.names(shown=False)]
        assert shown == pytest.approx(sorted(shown, reverse=True), abs=1.1e-4)


def test_the_baseline_stays_on_top(tab, many):
    report = Report.open(tab, many[0])
    for key in ("name", "risk", "gain"):
        report.sort(key)
        assert report.text(".systems .pinned th").startswith("bm25")
    assert "bm25" not in report.names(shown=False)
    tab.run("arguments[0].click()", report.find("[data-more]"))
    tab.run("arguments[0].scrollIntoView({block: 'end'})", report.all("[data-rows] > tr")[-1])
    top = tab.run("return arguments[0].getBoundingClientRect().top", report.find(".systems .pinned th"))
    assert 0 <= top < 60


def test_search_and_verdicts_filter_the_rows(tab, many):
    page, assessment = many
    report = Report.open(tab, page)
    assert len(report.names()) == 12
    tab.run("arguments[0].click()", report.find("[data-more]"))
    assert len(report.names()) == 30
    report.search("RUN_2")
    wanted = {s.system for s in assessment if "run_2" in s.system}
    assert set(report.names()) == wanted
    report.search("")
    for alpha, kind, words in ((0, "loss", "significant loss"), (5, "gain", "significant gain")):
        report.slide(alpha)
        report.filter(kind)
        assert report.names()
        assert {row["verdict"] for row in report.rows(shown=True)} == {words}
        assert report.find(f"[data-filter={kind}]").get_attribute("aria-pressed") == "true"
    report.search("nothing of the kind")
    assert report.names() == []
    assert report.find("[data-none]").text == "No system matches ‹nothing of the kind›. Clear"
    report.find("[data-clear]").click()
    assert len(report.names()) == 30


def test_a_row_a_dot_a_menu_or_a_tab_chooses_a_system_everywhere(tab, trec, assessed):
    report = Report.open(tab, trec)
    digits = digits_of(assessed[0])

    def assert_chosen(name):
        system = assessed[0][name]
        assert report.card()["gain"] == digits.gain(system.gain)
        assert report.card()["interval"] == digits.interval(system.gain_interval)
        assert report.text("tr.chosen .name") == name
        assert report.text("[data-topics-title]").startswith(f"{name} hurts {system.losses} of 50 topics; ")
        assert report.detail()["topic"] == system.worst_topic
        assert report.text("[data-tab][aria-pressed=true] b") == name
        assert len(report.all("[data-plot=main] .dot.chosen")) == 1

    assert_chosen("hybrid")
    report.choose("neural")
    assert_chosen("neural")
    tab.run("arguments[0].click()", report.all("[data-tab]")[2])
    assert_chosen("expansion")
    dot = report.find("[data-plot=main] .dot[data-system='3'] circle")
    tab.hover(dot)
    dot.click()
    assert_chosen(assessed[0].systems[3].system)
    tab.run(
        "arguments[0].value = '1'; arguments[0].dispatchEvent(new Event('change'))", report.find("[data-card] select")
    )
    assert_chosen(assessed[0].systems[1].system)


def test_measures_are_tabs_that_share_the_slider_and_the_system(tab, both, assessed):
    report = Report.open(tab, both)
    assert [a.text for a in tab.driver.find_elements("css selector", "[data-measure]")] == ["nDCG@10", "P@5"]
    report.slide(5)
    report.choose("neural")
    assert [each.is_displayed() for each in tab.driver.find_elements("css selector", "[data-part]")] == [True, False]
    tab.driver.find_elements("css selector", "[data-measure]")[1].click()
    other = Report(tab, 1)
    assert [each.is_displayed() for each in tab.driver.find_elements("css selector", "[data-part]")] == [False, True]
    assert other.text(".weight") == "α = 5 · losses weigh 6×"
    assert other.text("tr.chosen .name") == "neural"
    assert other.card()["gain"] == digits_of(assessed[1]).gain(assessed[1]["neural"].gain)


def test_far_systems_are_counted_named_and_shown_on_demand(tab, many):
    report = Report.open(tab, many[0])
    assert report.text(".off") == "1 off the chart"
    assert "far" in report.text("figure .note")
    far = next(i for i, each in enumerate(many[1].systems) if each.system == "far")
    assert far not in dict(report.dots())
    report.find("[data-full]").click()
    full = report.find("[data-plot=full]")
    assert full.is_displayed()
    assert not report.find("[data-plot=main]").is_displayed()
    assert full.find_element("css selector", f".dot[data-system='{far}'] circle").is_displayed()


# Topics.


def test_everything_can_be_done_by_keyboard(tab, many):
    report = Report.open(tab, many[0])
    reached = {}
    for _ in range(80):
        tab.press(TAB)
        name, outline, has_name = tab.run("""const at = document.activeElement;
            const own = [...at.attributes].map((each) => each.name).find((name) => name.startsWith("data-"));
            const label = at.getAttribute("aria-label") || at.textContent.trim() || at.labels?.[0]?.textContent;
            return [own || at.className || at.tagName, getComputedStyle(at).outlineStyle, Boolean(label)]""")
        reached.setdefault(name, (outline, has_name))
        if name == "data-alpha":
            tab.press(RIGHT)
        if name == "data-topic":
            break
    for name in ("skip", "data-theme-button", "data-alpha", "data-choose", "data-find", "data-filter", "data-sort",
                 "data-row", "data-more", "data-strip", "data-topic"):  # fmt: skip
        assert reached[name] == ("solid", True), name  # where the focus is can be seen, and what it is is said
    grid = many[1].grid
    assert report.text(".weight").startswith(f"α = {grid[grid.index(1.0) + 1]:g} ")
    row = report.all("[data-rows] > tr")[4]
    tab.run("arguments[0].querySelector('button').focus()", row)
    tab.press(ENTER)
    assert "chosen" in row.get_attribute("class")
    menu = report.find(".menu")
    tab.run("arguments[0].firstElementChild.focus()", menu)
    tab.press(ENTER)
    assert menu.get_attribute("open")
    tab.press(TAB, " ")
    assert report.rows()[0]["urisk"]
    tab.press(ESCAPE)
    assert not menu.get_attribute("open")


def test_the_page_tells_its_structure(tab, many):
    report = Report.open(tab, many[0])
    assert report.find("[data-live]").get_attribute("aria-live") == "polite"
    assert all(svg.get_attribute("aria-label") for svg in report.all("svg[role=img]"))
    unnamed = tab.run("""return [...document.querySelectorAll("button, select, input, summary, a")].filter((each) =>
        !(each.getAttribute("aria-label") || each.textContent.trim() || each.labels?.[0]?.textContent.trim()))
        .map((each) => each.outerHTML)""")
    assert unnamed == []
    levels = tab.run("return [...document.querySelectorAll('h1, h2, h3, h4')].map((each) => +each.tagName[1])")
    assert levels[0] == 1
    assert all(after <= before + 1 for before, after in itertools.pairwise(levels))
    ids = tab.run("return [...document.querySelectorAll('[id]')].map((each) => each.id)")
    assert len(set(ids)) == len(ids)
    assert {each.get_attribute("scope") for each in report.all(".systems thead th")} == {"col"}
    assert {each.get_attribute("scope") for each in report.all(".systems tbody th")} == {"row"}


# What the bar hands out.


def test_the_table_is_handed_out_at_the_alpha_that_is_chosen(tab, many, tmp_path):
    page, assessment = many
    report = Report.open(tab, page)
    report.slide(5)
    rows = list(csv.DictReader(tab.saved("csv", tmp_path).read_text(encoding="utf-8").splitlines()))
    assert [row["system"] for row in rows] == report.names(shown=False)
    summary = {row["system"]: row for row in assessment.summary.to_dicts()}
    for row in rows:
        own = summary[row["system"]]
        for name in ("effectiveness", "gain", "gain_low", "gain_high", "risk", "reward", "losses", "wins", "cvar",
                     "large_losses", "geometric_mean"):  # fmt: skip
            assert float(row[name]) == pytest.approx(own[name], abs=6e-4), name
        for name in ("urisk", "trisk", "p_mirror", "p_holm", "p_bh", "zrisk", "georisk"):
            assert float(row[name]) == pytest.approx(own[f"{name}_5"], abs=6e-4), name
        assert (row["alpha"], row["verdict"]) == ("5", own["verdict_5"])
        assert (float(row["significant_up_to"]) if row["significant_up_to"] else None) == own["significant_up_to"]
    assert tab.console() == []


def test_all_that_the_page_knows_is_handed_out_as_json(tab, many, tmp_path):
    page, assessment = many
    Report.open(tab, page)
    content = json.loads(tab.saved("json", tmp_path).read_text(encoding="utf-8"))
    assert (content["format"], content["measure"], content["baseline"]) == ("riskrank page", "AP", "bm25")
    assert [system["system"] for system in content["systems"]] == list(assessment.scores.systems[1:])
    for shown, system in zip(content["systems"], assessment.systems[1:], strict=True):
        assert shown["gain"] == pytest.approx(system.gain, abs=6e-4)
        assert [at["alpha"] for at in shown["at"]] == list(assessment.grid)
        for at in system.at:
            own = shown["at"][assessment.grid.index(at.alpha)]
            assert (own["urisk"], own["verdict"]) == (pytest.approx(at.urisk, abs=6e-5), at.verdict)
        scores = dict(zip(assessment.scores.topics, assessment.scores[system.system], strict=True))
        assert {each["topic"]: each["score"] for each in shown["topics"]} == pytest.approx(scores, abs=6e-4)


def test_the_latex_table_is_copied(tab, many):
    page, assessment = many
    report = Report.open(tab, page)
    assert tab.run("return window.riskrank.parts[0].handedOut('tex')") == assessment.to_latex()
    button = tab.driver.find_element("css selector", "[data-copy=tex]")
    button.click()
    tab.wait("return arguments[0].textContent === 'Copied'", button)
    assert report.tab.console() == []
