"""Reports of odd data in a real browser: ties, single topics, no topics, numbers below 0, and very many topics."""

from __future__ import annotations

import numpy as np
import pytest

import riskrank as rr
from riskrank.report.page.assessment_page import assessment_page

from ..browsing import needs_browser, saved
from .reported import Report

pytestmark = needs_browser


# Each a measure of one page.


ODD = {
    "equal": {"old": [0.5, 0.2, 0.3], "same": [0.5, 0.2, 0.3], "new": [0.7, 0.1, 0.4]},
    "one topic": {"old": [0.5], "new": [0.7]},
    "zeros": {"old": [0.0] * 4, "new": [0.0] * 4},
    "no topics": {"old": [], "new": []},
    "negative": {"old": [-1.0, 2.0, 0.5], "new": [1.0, 1.0, -0.5]},
    "alone": {"old": [0.5, 0.2]},
    "shift": {"old": [0.25, 0.5, 0.125], "new": [0.5, 0.75, 0.375]},
    "not finite": {"old": [0.5, 0.2, 0.3], "odd": [0.5, float("nan"), 0.3], "new": [0.7, 0.1, 0.4]},
    "same": {"old": [0.5, 0.2, 0.3], "new": [0.5, 0.2, 0.3]},
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
    Report.open(tab, page)
    for number, (name, assessment) in enumerate(assessments.items()):
        tab.run("document.querySelector(`[data-measure='${arguments[0]}']`).click()", number)
        report = Report(tab, number)
        rows = {row["name"]: row for row in report.rows()}
        for system in assessment:
            if system.is_baseline:
                assert system.system not in rows
                continue
            row = rows[system.system]
            assert row["hurt"] == ("" if np.isnan(system.gain) else str(system.losses)), name
            words = {"undefined": "no test"}.get(system.at_alpha(1).verdict, system.at_alpha(1).verdict)
            assert row["verdict"] == words, name
        topics = len(assessment.scores.topics)
        assert len(report.topics()) == (topics if name != "alone" else 0)
    assert tab.console() == []


FINDINGS = {
    "one topic": "On the only topic new scores 0.700, old 0.500.",
    "zeros": "new equals old on every topic: are they the same run?",
    "same": "new equals old on every topic: are they the same run?",
    "no topics": "There is nothing to compare with old: a test needs at least 2 scores, got 0.",
    "alone": "There is nothing to compare with old: there is no other system.",
}


def test_where_nothing_can_be_shown_the_page_says_so_and_draws_nothing(tab, odd):
    page, assessments = odd
    Report.open(tab, page)
    for name, finding in FINDINGS.items():
        report = Report(tab, list(assessments).index(name))
        assert report.text("h1") == finding
        assert report.all("[data-plot]") == []
        assert report.all("[data-alpha]") == []


def test_cautions_stand_before_the_finding(tab, odd):
    page, assessments = odd
    Report.open(tab, page)
    for number, assessment in enumerate(assessments.values()):
        report = Report(tab, number)
        assert report.texts(".caution") == [f"Caution: {caution}" for caution in assessment.cautions]
        order = tab.run(
            """return [...arguments[0].querySelectorAll(".caution, h1")].map((each) => each.tagName)""", report.root
        )
        assert order == ["P"] * len(assessment.cautions) + ["H1"]


def test_without_rankings_the_page_says_why_and_what_to_do(tab, place):
    scores = {"old": [0.5, 0.2, 0.3], "new": [0.7, 0.1, 0.4], "newer": [0.7, 0.2, 0.5]}
    assessment = rr.assess(rr.Effectiveness.from_rows(scores), baseline="old")
    report = Report.open(tab, saved(place / "scores.html", assessment.to_html()))
    detail = report.detail()
    assert detail["baseline"] is None
    assert detail["note"].startswith("Only scores were given. To see both rankings here, give judgments and runs:")


def test_a_baseline_of_several_systems_is_pinned_and_has_no_ranking(tab, place):
    rng = np.random.default_rng(0)
    documents = [f"d{k}" for k in range(12)]
    qrels = {str(q): {each: int(rng.integers(0, 2)) for each in documents} for q in range(8)}
    runs = {name: {q: {each: float(rng.random()) for each in documents} for q in qrels} for name in "abc"}
    assessment = rr.assess(rr.evaluate(qrels, runs, "nDCG@10"), baseline="mean")
    report = Report.open(tab, saved(place / "mean.html", assessment.to_html(qrels=qrels, runs=runs)))
    assert report.text(".pinned .name") == "mean of 3 systems"
    assert sorted(report.names()) == ["a", "b", "c"]
    assert report.detail()["note"].startswith("The baseline has no ranking of its own")


@pytest.mark.parametrize(("n_topics", "verdict"), [(5, "inconclusive"), (10, "significant gain")])
def test_a_system_that_always_gains_the_same_has_a_verdict_without_a_statistic(tab, place, n_topics, verdict):
    old = np.linspace(0.1, 0.8, n_topics)
    assessment = rr.assess(rr.Effectiveness.from_rows({"old": old, "new": old + 0.1}), baseline="old", alphas=[1])
    report = Report.open(tab, saved(place / "constant.html", assessment.to_html()))
    report.slide(0)
    report.columns("trisk", "urisk")
    (row,) = report.rows()
    assert (row["trisk"], row["verdict"]) == ("–", verdict)  # not a TRisk of 130 million
    assert row["urisk"] == "+0.1000"
    assert report.card()["interval"] == ""


def test_gain_and_urisk_without_losses_are_the_same_number(tab, place):
    scores = rr.Effectiveness.from_rows({"old": [0.0] * 32, "new": [1.0] + [0.0] * 31})
    report = Report.open(tab, saved(place / "halves.html", rr.assess(scores, baseline="old").to_html()))
    report.columns("urisk")
    (row,) = report.rows()
    assert float(row["urisk"]) == pytest.approx(float(row["gain"]), abs=6e-4)


def test_an_assessment_of_a_former_version_has_its_own_stops(tab, place, assessed):
    content = assessed[0].to_dict()
    del content["grid"]
    content["test"] = "t"
    for system in content["systems"]:
        del system["p_grid"], system["gain_interval"]
    report = Report.open(tab, saved(place / "former.html", rr.Assessment.from_dict(content).to_html()))
    assert tab.console() == []
    for alpha in assessed[0].alphas:
        report.slide(alpha)
        assert report.text(".weight").startswith(f"α = {alpha:g} ")
    assert report.all(".whisker") == []


# Many systems.


def test_of_hundreds_of_systems_the_table_draws_what_is_in_view(tab, place):
    rng = np.random.default_rng(0)
    base = rng.random(8)
    rows = {"base": base, **{f"s{i:03}": np.clip(base + rng.normal(0, 0.2, 8), 0, 1) for i in range(230)}}
    assessment = rr.assess(rr.Effectiveness.from_rows(rows), "base", alphas=(0, 1))
    report = Report.open(tab, saved(place / "hundreds.html", assessment.to_html()))
    assert len(report.names()) == 12
    tab.run("arguments[0].click()", report.find("[data-more]"))
    assert 12 < len(report.names()) < 120
    report.sort("name")
    assert report.names()[:3] == ["s000", "s001", "s002"]
    height = tab.run("return arguments[0].getBoundingClientRect().height", report.find("[data-rows]"))
    assert height == pytest.approx(230 * 33, rel=0.01)
    tab.run("arguments[0].scrollIntoView({block: 'end'})", report.find("[data-more]"))
    tab.wait("return [...document.querySelectorAll('[data-rows] .name')].at(-1)?.textContent === 's229'")
    assert "s000" not in report.names()
    report.search("s11")
    assert report.names() == [f"s11{k}" for k in range(10)]


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
    assert len(large[0].read_bytes()) < 3e6


def test_a_page_of_many_topics_counts_them_all_and_lists_the_worst_of_every_system(tab, large):
    page, assessment = large
    report = Report.open(tab, page)
    assert tab.console() == []
    assert tab.driver.title.endswith(", 50,000 topics")
    assert report.text("[data-listed]").strip() == "The worst 100 of 50,000"
    for system in assessment.systems[1:]:
        tab.run("window.riskrank.shared.choose(arguments[0])", system.system)
        assert report.topics()[0][0] == report.detail()["topic"] == system.worst_topic
        assert report.card()["hurt"] == f"{system.losses:,}"
        assert len(report.topics()) == 100
    bars = [int(text.replace(",", "")) for text in report.texts(".bars b") if text]
    assert sum(bars) == system.wins + system.losses
    report.find("[data-find-topic]").send_keys(system.worst_topic)
    assert report.topics()[0][0] == system.worst_topic
    assert "(of 50,000, 3,000 are kept here)" in report.text("[data-listed]")
    tab.run("arguments[0].focus()", report.find("[data-strip]"))
    tab.press("\ue014")
    assert report.detail()["place"] == "2"
