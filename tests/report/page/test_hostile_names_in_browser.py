"""Names that would like to be more than names, in a real browser."""

from __future__ import annotations

import dataclasses
import itertools

import numpy as np
import pytest

import riskrank as rr
from riskrank.errors import one_line

from ..browsing import needs_browser, saved

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
    section = tab.open(page)
    assert section.texts("table.systems td:first-child") == [f"{BASE} (baseline)", *map(one_line, NAMES)]
    assert section.texts("table.systems th")[1] == MEASURE
    assert section.texts("option") == [one_line(name) for name in NAMES]
    assert sorted(section.listed()) == sorted(topics)
    assert tab.driver.title == f"{MEASURE} (gains = grade) against {BASE}, 5 topics"
    for name, topic in zip(NAMES, itertools.cycle(topics), strict=False):
        section.pick(one_line(name))
        dialog = section.show(topic)
        assert dialog["title"] == f"Topic {topic}"
        assert dialog["text"].startswith(f"{MEASURE}: {BASE} ")
        assert f", {name} " in dialog["text"]
        assert [head for head, _ in dialog["lists"]] == [BASE, name]
        assert all(sorted(line[1] for line in lines) == sorted(documents) for _, lines in dialog["lists"])
        section.close()
    section.search(IMAGE)
    assert section.listed() == [IMAGE]
    assert tab.console() == []


def test_names_make_no_elements_and_run_nothing(tab, hostile):
    section = tab.open(hostile[0])
    section.show(IMAGE)
    counts = tab.run("""return ["script", "img", "i", "iframe", "[onerror]", "dialog b", "td b", "title"].map(
        (selector) => document.querySelectorAll(selector).length)""")
    assert counts == [3, 0, 0, 0, 0, 0, 0, 1]
    assert tab.run("return document.querySelectorAll('.vega-embed a[href^=\"http\"]').length") == 0
    assert tab.requests() == [hostile[0].as_uri()]  # and an alert would have ended the test


def test_charts_and_their_tooltips_show_names_as_text(tab, hostile):
    section = tab.open(hostile[0])
    legend = section.texts("[data-chart=risk-gain] .role-legend text")
    assert set(NAMES) <= {text.replace("…", "") for text in legend}
    assert section.charts()["georisk"] == len(NAMES) + 1  # __proto__ has a line, too
    assert {row["system"] for row in section.rows("helped-hurt", "helped")} == set(NAMES)
    colours = tab.run(
        "const scale = window.riskrank.sections[0].views['risk-gain'].scale('color'); return arguments[0].map(scale)",
        NAMES,
    )
    assert len(set(colours)) == len(NAMES)
    marks = section.all("[data-chart=exploratory] .mark-symbol.role-mark path")
    for mark, topic in zip(marks, section.listed(), strict=True):
        tab.hover(mark)
        tab.wait(
            "return document.querySelector('#vg-tooltip-element.visible')?.textContent.includes(arguments[0])", topic
        )
        assert tab.run("return document.querySelectorAll('#vg-tooltip-element :is(img, script, b, i)').length") == 0


@pytest.mark.parametrize("name", ["constructor", "new\u2028er"])
def test_no_name_keeps_a_chart_from_being_drawn(tab, place, name):
    scores = rr.Effectiveness.from_rows({"old": [0.1, 0.2, 0.3], name: [0.3, 0.5, 0.2]})
    page = saved(place / "name.html", rr.assess(scores, baseline="old").to_html())
    section = tab.open(page, until="return window.riskrank.sections[0].views.topics !== undefined")
    assert tab.console() == []
    assert all(section.charts().values())
