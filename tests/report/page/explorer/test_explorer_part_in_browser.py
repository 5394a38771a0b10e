"""The topics of a report, in a browser: listed, searched, stepped through, and with both rankings."""

from __future__ import annotations

import gzip

import numpy as np
import pytest

import riskrank as rr
from riskrank.data.example import example_features, example_files
from riskrank.report.findings.digits import digits_of
from riskrank.report.page.explorer.topic_tests import short_p, t_text

from ...browsing import needs_browser, saved
from ..reported import Report

pytestmark = needs_browser

TAB, ENTER, ESCAPE, RIGHT, DOWN = "\ue004", "\ue007", "\ue00c", "\ue014", "\ue015"


def test_topics_are_listed_worst_first_for_the_system_that_is_chosen(tab, trec, assessed):
    report, scores, digits = Report.open(tab, trec), assessed[0].scores, digits_of(assessed[0])
    for system in ("expansion", "neural"):
        report.choose(system)
        delta = scores[system] - assessed[0].baseline_scores
        order = np.argsort(delta, kind="stable")
        assert report.topics() == [[scores.topics[q], digits.gain(delta[q])] for q in order]
        detail = report.show(scores.topics[order[3]])
        assert (detail["old"], detail["new"], detail["change"], detail["place"]) == (
            digits.score(assessed[0].baseline_scores[order[3]]), digits.score(scores[system][order[3]]),
            digits.gain(delta[order[3]]), "4",
        )  # fmt: skip


def test_every_topic_has_its_part_in_the_risk_at_every_stop(tab, trec, assessed):
    report, assessment = Report.open(tab, trec), assessed[0]
    for system in ("expansion", "hybrid"):
        report.choose(system)
        order = np.argsort(assessment.scores[system] - assessment.baseline_scores, kind="stable")
        for alpha in assessment.grid:
            report.slide(alpha)
            explored = assessment.explore(system, alpha=alpha)
            wanted = [
                [f"T_J {t_text(explored.t_j[q])}", f"p {short_p(explored.p_value[q])}", bool(abs(explored.t_j[q]) > 2)]
                for q in order
            ]
            assert [line[2:] for line in report.topic_lines()] == wanted
            shares = tab.run("return [...arguments[0].querySelectorAll('[data-outlying]')].map((e) => e.style.width)",
                             report.root)  # fmt: skip
            assert [float(share.rstrip("%")) for share in shares] == pytest.approx(
                [100 * (explored.t_j < -2).mean(), 100 * (explored.t_j > 2).mean()]
            )
            topic = assessment.scores.topics[order[2]]
            said = report.show(topic)["tests"].strip()
            q = order[2]
            numbers = f"T_J {t_text(explored.t_j[q])}, p {short_p(explored.p_value[q])}, T_R {t_text(explored.t_r[q])}"
            assert said == (f"{numbers} stands out" if abs(explored.t_j[q]) > 2 else numbers)


def ranked(path, topic):
    """A run by trec_eval's rules: by score as float32, then by document id, both falling."""
    lines = [line.split() for line in gzip.decompress(path.read_bytes()).decode().splitlines()]
    rows = sorted(((np.float32(line[4]), line[2]) for line in lines if line[0] == topic), reverse=True)
    return [document for _, document in rows]


def test_a_topic_shows_both_rankings_side_by_side(tab, trec, assessed):
    qrels, runs = example_files()
    lines = [line.split() for line in gzip.decompress(qrels.read_bytes()).decode().splitlines()]
    grades = {(topic, document): grade for topic, _, document, grade in lines}
    report = Report.open(tab, trec)
    for system in ("expansion", "hybrid"):
        report.choose(system)
        for topic, _ in (report.topics()[0], report.topics()[7]):
            detail = report.show(topic)
            old, new = ranked(runs["bm25"], topic), ranked(runs[system], topic)

            def left(document, new=new):
                if document not in new:
                    return "not retrieved"
                return f"to {new.index(document) + 1}" if new.index(document) >= 10 else ""

            def came(document, rank, old=old):
                if document not in old:
                    return "new"
                before = old.index(document) + 1
                if before > 10:
                    return f"from {before}"
                return "=" if before == rank else f"up {before - rank}" if before > rank else f"down {rank - before}"

            assert detail["baseline"] == [
                [str(k), grades.get((topic, each), "–"), each, left(each)] for k, each in enumerate(old[:10], 1)
            ]
            assert detail["system"] == [
                [str(k), grades.get((topic, each), "–"), each, came(each, k)] for k, each in enumerate(new[:10], 1)
            ]
            gone = [each for each in old[:10] if each not in new[:10]]
            assert detail["left"].startswith(f"{len(gone)} of the bm25 top 10" if gone else "None of the bm25 top 10")


def test_rankings_of_scored_features_are_shown_too(tab, place):
    data = example_features(n_queries=40, documents_per_query=14, n_features=20)["train"]
    runs = {"text": data.feature(1), "quality": np.round(data.feature(2), 1)}  # with ties, in the order of the data
    assessment = rr.assess(rr.evaluate(data, runs, "nDCG@10"), baseline="text")
    report = Report.open(tab, saved(place / "letor.html", assessment.to_html(qrels=data, runs=runs)))
    detail = report.detail()
    q = data.query_ids.index(detail["topic"])
    rows = range(*data.query_offsets[q : q + 2])
    for side, name in (("baseline", "text"), ("system", "quality")):
        head = sorted(rows, key=lambda row: (-runs[name][row], row))[:10]
        assert [line[:3] for line in detail[side]] == [
            [str(k), f"{data.labels[row]:g}", str(data.ids[row])] for k, row in enumerate(head, 1)
        ]


def test_the_search_finds_topics(tab, trec, assessed):
    report = Report.open(tab, trec)
    report.find("[data-find-topic]").send_keys("12")
    assert {name for name, _ in report.topics()} == {topic for topic in assessed[0].scores.topics if "12" in topic}
    report.find("[data-find-topic]").send_keys(" nothing")
    assert report.topics() == []


def test_the_strip_and_arrow_keys_step_through_topics(tab, trec):
    report = Report.open(tab, trec)
    names = [name for name, _ in report.topics()]
    strip = report.find("[data-strip]")
    tab.run("arguments[0].focus()", strip)
    tab.press(RIGHT, RIGHT)
    assert report.detail()["topic"] == names[2]
    tab.run("arguments[0].focus()", report.find("[data-topics] [aria-current]"))
    tab.press(DOWN)
    assert report.detail()["topic"] == names[3]
    assert tab.run("return document.activeElement.firstElementChild.textContent") == names[3]
    box = strip.rect
    tab.run(
        "arguments[0].dispatchEvent(new MouseEvent('click', {bubbles: true, clientX: arguments[1]}))",
        strip, box["x"] + box["width"] * 0.999,
    )  # fmt: skip
    assert report.detail()["topic"] == names[-1]


# By keyboard.
