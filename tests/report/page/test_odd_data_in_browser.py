"""Pages of odd data in a real browser: ties, single topics, no topics, numbers below 0, and very many topics."""

from __future__ import annotations

import numpy as np
import pytest

import riskrank as rr
from riskrank.report.page.assessment_page import assessment_page
from riskrank.report.text.formatting import signed

from ..browsing import needs_browser, saved
from .shown_numbers import expected, shown

pytestmark = needs_browser


# Each a section of one page.


ODD = {
    "equal": {"old": [0.5, 0.2, 0.3], "same": [0.5, 0.2, 0.3], "new": [0.7, 0.1, 0.4]},
    "one topic": {"old": [0.5], "new": [0.7]},
    "zeros": {"old": [0.0] * 4, "new": [0.0] * 4},
    "no topics": {"old": [], "new": []},
    "negative": {"old": [-1.0, 2.0, 0.5], "new": [1.0, 1.0, -0.5]},
    "alone": {"old": [0.5, 0.2]},
    "shift": {"old": [0.25, 0.5, 0.125], "new": [0.5, 0.75, 0.375]},
}


@pytest.fixture(scope="module")
def odd(place):
    assessments = {}
    for name, rows in ODD.items():
        matrix = np.array(list(rows.values()))
        scores = rr.Effectiveness(name, tuple(rows), tuple(f"t{q}" for q in range(matrix.shape[1])), matrix)
        assessments[name] = rr.assess(scores, baseline="old")
    return saved(place / "odd.html", assessment_page(list(assessments.values()))), assessments


def test_odd_data_give_the_numbers_that_python_gives(tab, odd):
    page, assessments = odd
    tab.open(page)
    for number_, (name, assessment) in enumerate(assessments.items()):
        section = tab.section(number_)
        for alpha in (0, 7.5):
            section.slide(alpha)
            assert shown(section) == expected(assessment, alpha), name
        topics = len(assessment.scores.topics)
        if topics and name != "alone":
            assert len(section.topics()) == topics
            marks = section.charts()
            assert marks.pop("exploratory", 0) in (
                0,
                1,
                topics,
            )  # at most a point beyond the edge where T_J is not known
            assert all(marks.values()), name
    dialog = tab.section(0).show("t1")
    assert dialog["lists"] == []
    assert dialog["note"] == "The rankings are not known here: only scores were given."


def test_odd_data_do_not_make_the_console_complain(tab, place):
    scores = rr.Effectiveness.from_rows({"old": [0.5, 0.2, 0.3], "same": [0.5, 0.2, 0.3]})
    tab.open(saved(place / "equal.html", rr.assess(scores, baseline="old").to_html()))
    assert tab.console() == []


def test_cautions_stand_before_the_verdict(tab, odd):
    page, assessments = odd
    tab.open(page)
    section = tab.section(list(assessments).index("zeros"))
    said = section.texts(".verdict p")
    assert said[:-1] == [f"Caution: {caution}" for caution in assessments["zeros"].cautions]
    assert said[0].startswith("Caution: 0 on every topic: old, new.")
    assert section.find(".caution").is_displayed()


@pytest.mark.parametrize(("n_topics", "verdict"), [(5, "inconclusive"), (10, "significant gain")])
def test_a_system_that_always_gains_the_same_has_a_verdict_without_a_statistic(tab, place, n_topics, verdict):
    old = np.linspace(0.1, 0.8, n_topics)
    assessment = rr.assess(rr.Effectiveness.from_rows({"old": old, "new": old + 0.1}), baseline="old", alphas=[1])
    assert assessment["new"].at[0].reason == "the trade-off is the same on every topic"
    section = tab.open(saved(place / "constant.html", assessment.to_html()))
    section.slide(0)
    row = section.systems()[1]
    assert (row["trisk"], row["verdict"]) == ("NaN", verdict)  # not a TRisk of 130 million


def test_gain_and_urisk_without_losses_are_the_same_number(tab, place):
    scores = rr.Effectiveness.from_rows({"old": [0.0] * 32, "new": [1.0] + [0.0] * 31})
    section = tab.open(saved(place / "halves.html", rr.assess(scores, baseline="old").to_html()))
    row = section.systems()[1]
    assert row["urisk"] == row["gain"]


# Many topics of many systems.


@pytest.fixture(scope="module")
def large(place):
    rng = np.random.default_rng(0)
    base = np.round(rng.beta(2, 3, 50_000), 3)
    rows = {"base": base}
    for i in range(1, 20):
        moved = np.where(rng.random(50_000) < 0.6, rng.normal(0.002 * i, 0.02 * i, 50_000), 0.0)
        rows[f"system-{i}"] = np.round(np.clip(base + moved, 0, 1), 3)
    scores = rr.Effectiveness.from_rows(rows, topics=[f"query-{q}" for q in range(50_000)])
    assessment = rr.assess(scores, baseline="base")
    return saved(place / "large.html", assessment.to_html()), assessment


def test_a_page_of_many_topics_stays_small(large):
    text = large[0].read_text(encoding="utf-8")
    start_, end = text.index('id="riskrank-data">'), text.index("</script>", text.index('id="riskrank-data">'))
    assert len(text.encode()) - len(text[start_:end].encode()) < 3e6
    assert len(text.encode()) < 6e6


def test_a_page_of_many_topics_counts_them_all_and_lists_the_worst_of_every_system(tab, large):
    page, assessment = large
    section = tab.open(page)
    assert tab.console() == []
    assert tab.driver.title.endswith(", 50,000 topics")
    assert section.count() == "20 of 3,000 topics shown (of 50,000 in all, 3,000 are kept here)"
    for alpha in (0, 7.5):
        section.slide(alpha)
        assert shown(section) == expected(assessment, alpha)
    firsts = tab.run(
        """const [root, names] = arguments, picker = root.querySelector("[data-system]");
        return names.map((name) => {
            picker.value = [...picker.options].find((option) => option.text === name).value;
            picker.dispatchEvent(new Event("change", {bubbles: true}));
            return [...root.querySelector("[data-topics] tr").cells].map((cell) => cell.textContent);
        })""",
        section.root, [system.system for system in assessment.systems[1:]],
    )  # fmt: skip
    for system, first in zip(assessment.systems[1:], firsts, strict=True):
        assert (first[0], first[3]) == (system.worst_topic, signed(-system.worst_loss))
    rows = section.rows("topics", "topics")
    assert [rows[0]["place"], rows[-1]["place"], len(rows)] == [1, 50_000, 2000]  # of 3,000 that are kept
    bars = section.rows("helped-hurt", "helped")
    assert {row["system"] for row in bars} == {system.system}  # the last one
    assert sum(row["queries"] for row in bars) == system.wins + system.losses
    section.search(system.worst_topic)
    assert section.listed()[0] == system.worst_topic
    assert section.count().endswith(" (of 50,000 in all, 3,000 are kept here)")
