"""Names that would like to be more than names, in a real browser."""

from __future__ import annotations

import dataclasses
import itertools

import numpy as np
import pytest

import riskrank as rr
from riskrank.errors import one_line

from ..browsing import needs_browser, saved
from .reported import Report

pytestmark = needs_browser


SCRIPT, IMAGE, BOLD = "<script>alert(1)</script>", '"><img src=x onerror=alert(1)>', "<b>x</b>"
NAMES = [
    SCRIPT,
    "</script><script>alert(2)</script>",
    "back\\slash",
    "__proto__",
    "prototype",
    "{{7*7}} & 'quotes\" ${x}",
]
BASE = 'old "&amp;" <i>base</i>'
MEASURE = 'P@1 "&" </title></script><script>alert(3)</script>'


@pytest.fixture(scope="module")
def hostile(place):
    rng = np.random.default_rng(0)
    topics = [IMAGE, "</script><script>alert(4)</script>", "__proto__", "toString", "t\u2028\u2029t"]
    documents = [BOLD, IMAGE, "</td></table><script>alert(5)</script>", "__proto__"]
    qrels = {topic: {document: int(rng.integers(0, 3)) for document in documents} for topic in topics}
    runs = {
        name: {topic: {document: float(rng.random()) for document in documents} for topic in topics}
        for name in [BASE, *NAMES]
    }
    scores = dataclasses.replace(rr.evaluate(qrels, runs, "nDCG@2"), measure=MEASURE)
    assessment = rr.assess(scores, baseline=BASE)
    page = saved(place / "hostile.html", assessment.to_html(qrels=qrels, runs=runs))
    return page, topics, documents


def test_names_are_shown_as_text_wherever_they_stand(tab, hostile):
    page, topics, documents = hostile
    report = Report.open(tab, page)
    shown = tab.run("""return [...arguments[0].querySelectorAll("[data-rows] .name")].map((name) =>
        name.title || name.textContent)""", report.root)  # fmt: skip
    assert sorted(shown) == sorted(map(one_line, NAMES))
    assert report.text(".pinned .name") == BASE
    assert report.texts("thead th")[1] == MEASURE
    assert sorted(report.texts("[data-card] option")) == sorted(one_line(name, limit=60) for name in NAMES)
    assert sorted(name for name, _ in report.topics()) == sorted(map(one_line, topics))
    assert tab.driver.title == f"{MEASURE} (gains = grade) against {BASE}, 5 topics"
    for number, (name, topic) in enumerate(zip(NAMES, itertools.cycle(topics), strict=False), start=1):
        tab.run("window.riskrank.shared.choose(arguments[0])", one_line(name))
        detail = report.show(one_line(topic))
        assert detail["topic"] == one_line(topic)
        assert all(sorted(line[2] for line in detail[side]) == sorted(documents) for side in ("baseline", "system"))
        assert report.texts(".pair h4 b") == [BASE, one_line(name)]
        assert report.text("tr.chosen [data-row]").strip() in (one_line(name), one_line(name, limit=28))
        assert report.find("tr.chosen").get_attribute("data-system") == str(number)
    assert tab.console() == []


def test_names_make_no_elements_and_run_nothing(tab, hostile):
    report = Report.open(tab, hostile[0])
    report.show(IMAGE)
    counts = tab.run("""return ["script", "img", "iframe", "[onerror]", "[data-topic-detail] li b", "title"].map(
        (selector) => document.querySelectorAll(selector).length)""")
    assert counts == [2, 0, 0, 0, 0, 1]
    assert tab.requests() == [hostile[0].as_uri()]  # and an alert would have ended the test


def test_the_plot_and_its_tooltips_show_names_as_text(tab, hostile):
    report = Report.open(tab, hostile[0])
    labels = report.texts("[data-plot=main] .wide-only .label text")
    assert set(labels) <= {one_line(name, limit=28) for name in NAMES}
    for dot in report.all("[data-plot=main] .dot"):
        name = one_line(NAMES[int(dot.get_attribute("data-system")) - 1])
        tab.hover(dot.find_element("css selector", "circle"))
        tip = tab.run("return document.querySelector('[data-tip]').textContent")
        assert tip.split("\n")[0] in map(one_line, NAMES)  # dots may lie on each other
        assert tab.run("return document.querySelector('[data-tip]').children.length") == 0
        assert name
    assert "alert" not in tab.run("return String(window.onerror)")


@pytest.mark.parametrize("name", ["constructor", "new\u2028er", "=HYPERLINK(0)"])
def test_no_name_keeps_the_page_from_working(tab, place, name):
    scores = rr.Effectiveness.from_rows({"old": [0.1, 0.2, 0.3], name: [0.3, 0.5, 0.2]})
    report = Report.open(tab, saved(place / "name.html", rr.assess(scores, baseline="old").to_html()))
    assert tab.console() == []
    assert report.names() == [one_line(name)]
    line = tab.run("return window.riskrank.parts[0].handedOut('csv')").splitlines()[1]
    assert not line.startswith("=")  # a spreadsheet would compute it
