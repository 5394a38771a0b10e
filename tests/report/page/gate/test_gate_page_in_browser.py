"""The page of a gate in a real browser."""

from __future__ import annotations

import json
from datetime import date

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


@pytest.fixture(scope="module")
def several(place):
    """Five candidates by three measures, with segments, weights and a name that is long."""
    qrels, runs = example_files()
    rivals = {name: runs[name] for name in ("neural", "hybrid", "expansion")}
    rivals |= {"build-2026-11-17-with-a-name-that-is-very-long": runs["neural"], "again": runs["bm25"]}
    topics = sorted(rr.read_qrels(qrels).topics)
    result = rr.gate(
        qrels, rivals, {"bm25": runs["bm25"]}, ["nDCG@10", "AP", "RR"],
        segments={topic: "ab"[i % 2] for i, topic in enumerate(topics)},
        weights={topic: float(i + 1) for i, topic in enumerate(topics)}, must_not_break=topics[:3],
    )  # fmt: skip
    result.to_html(place / "several.html")
    return place / "several.html"


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


@pytest.mark.parametrize("width", [1280, 768, 390])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_several_comparisons_fit_and_no_button_is_broken_in_two(tab, several, width, scheme):
    tab.resize(width)
    tab.prefer(scheme)
    report = Report.open(tab, several)
    assert tab.run("return document.documentElement.scrollWidth") <= width
    heights = tab.run("""return [...document.querySelectorAll(".actions button")].map((each) => each.offsetHeight)""")
    assert 1 <= len([height for height in heights if height]) <= len(heights)
    assert max(heights) < 40  # px: one line of text
    assert tab.run("return document.querySelector('.context').textContent").endswith("comparisons fail")
    assert report.find(".badge-line").text == "✗ FAIL neural against bm25, nDCG@10, 50 weighted topics"


def test_one_comparison_takes_two_sheets_of_paper_with_its_worst_topics(tab, page):
    Report.open(tab, page)
    assert tab.n_sheets() == 2
    tab.prefer(media="print")
    listed = tab.run("""return [...document.querySelectorAll(".topic-list li")].filter((each) => each.offsetHeight)
        .map((each) => each.querySelector(".topic-name").textContent)""")
    assert listed[:3] == ["133", "118", "113"]
    assert len(listed) == 12
    assert tab.run("return document.querySelector('.in-a-build').offsetHeight") == 0
    assert tab.run("return document.querySelector('[data-method] dl').offsetHeight") > 100


def test_several_comparisons_take_about_a_sheet_each_with_the_method_once(tab, several):
    Report.open(tab, several)
    assert tab.n_sheets() <= 15  # of 15 comparisons
    tab.prefer(media="print")
    shown = tab.run("""return [".gate", ".badge-line", "[data-method]", ".gate.passed [data-explorer]"]
        .map((each) => [...document.querySelectorAll(each)].filter((one) => one.offsetHeight).length)""")
    assert shown == [15, 15, 1, 0]


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


@pytest.fixture(scope="module")
def addresses(place):
    """Queries of 24 letters, documents with addresses, a topic that must not break and one that is accepted."""
    names = [f"waterproof tent model {i:02}" for i in range(32)]
    qrels = {name: {f"https://shop.example/products/{name}/{d}": 1} for name in names for d in "a"}
    old = {
        name: {f"https://shop.example/products/{name}/{d}": s for d, s in (("a", 2.0), ("b", 1.0))} for name in names
    }
    new = {name: {d: 3 - s if name in names[:4] else s for d, s in old[name].items()} for name in names}
    result = rr.gate(
        qrels, {"new": new}, {"old": old}, max_loss=0.1, must_not_break=[names[1]],
        accepted=[rr.AcceptedLoss(names[2], "known", date(2100, 1, 1))],
    )  # fmt: skip
    result.to_html(place / "addresses.html")
    return place / "addresses.html"


def test_names_of_24_letters_are_whole_and_marked_and_addresses_end_in_what_differs(tab, addresses):
    Report.open(tab, addresses)
    cut = """return [...document.querySelectorAll(".topic-list .topic-name")]
        .filter((each) => each.offsetHeight && each.scrollWidth > each.clientWidth).length"""
    assert tab.run(cut) == 0
    marks = """return [...document.querySelectorAll(".topic-list li")]
        .filter((each) => each.querySelector(".topic-mark"))
        .map((each) => [".topic-name", ".topic-mark"].map((name) => each.querySelector(name).textContent))"""
    expected = [
        ["waterproof tent model 01", "must not break"],
        ["waterproof tent model 02", "accepted until 2100-01-01"],
    ]
    documents = """return [...document.querySelectorAll("[data-documents=system] .document")]
        .map((each) => [each.textContent, each.title])"""
    for _ in range(2):  # as it is written, and as the script writes it
        assert sorted(tab.run(marks)) == expected
        (shown, title), *_ = tab.run(documents)
        assert (shown[0], title[-1]) == ("…", shown[1:])  # a or b: the topic's documents share the rest
        tab.run("document.querySelectorAll('.topic-list button')[1].click()")
        tab.run("""const field = document.querySelector("[data-find-topic]");
            field.dispatchEvent(new Event("input", { bubbles: true }));""")
    tab.prefer(media="print")
    assert tab.run(cut) == 0
