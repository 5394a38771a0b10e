"""The page of assessments in a real browser: what it shows, against what Python computes."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

import riskrank as rr
from riskrank.data.example import example_features, example_files
from riskrank.report.page.assessment_page import assessment_page
from riskrank.report.page.top_documents import TopDocuments
from riskrank.report.text.formatting import decimals, signed
from riskrank.risk.exploratory import LIMIT

from ..browsing import needs_browser, saved
from .shown_numbers import assert_lines, expected, shown, topic_lines

pytestmark = needs_browser


TAB, ENTER, ESCAPE, RIGHT = "\ue004", "\ue007", "\ue00c", "\ue014"
ALPHAS = (0, 0.5, 1, 5, 7.5, 10)


# TREC runs, two measures.


@pytest.fixture(scope="module")
def both(place, assessed):
    qrels, runs = example_files()
    rankings = TopDocuments(qrels, runs, assessed[0].scores.topics)
    return saved(place / "both.html", assessment_page(assessed, rankings=rankings))


def test_a_page_needs_nothing_but_itself_and_has_nothing_to_complain_of(tab, trec):
    tab.open(trec)
    assert tab.requests() == [trec.as_uri()]
    assert tab.console() == []
    policy = tab.run("return document.querySelector('meta[http-equiv=Content-Security-Policy]').content")
    assert policy.startswith("default-src 'none';")
    assert "http" not in policy


def test_the_policy_keeps_the_page_from_asking_the_network(tab, trec):
    tab.open(trec)
    tab.run("""window.refused = [];
        document.addEventListener("securitypolicyviolation", (event) => refused.push(event.effectiveDirective));
        fetch("https://example.org/").catch(() => {});
        document.body.append(Object.assign(new Image(), {src: "https://example.org/x.png"}))""")
    assert sorted(tab.wait("return window.refused.length === 2 && window.refused")) == ["connect-src", "img-src"]


def test_the_slider_gives_the_numbers_that_python_gives(tab, both, assessed):
    tab.open(both)
    for alpha, (number_, assessment) in itertools.product(ALPHAS, enumerate(assessed)):
        section = tab.section(number_)
        section.slide(alpha)
        assert shown(section) == expected(assessment, alpha)
        assert section.find("[data-alpha]").get_attribute("value") == str(alpha)


def test_each_measure_has_a_section_with_an_alpha_of_its_own(tab, both, assessed):
    tab.open(both)
    sections = [tab.section(number_) for number_ in range(2)]
    assert [section.find("h2").text for section in sections] == [
        "nDCG@10 (gains = grade) against bm25, 50 topics",
        "P@5 against bm25, 50 topics",
    ]
    assert all(
        section.find(".verdict").text.startswith("hybrid is significantly better than bm25") for section in sections
    )
    sections[1].slide(7.5)
    assert [shown(section) for section in sections] == [expected(assessed[0], 1), expected(assessed[1], 7.5)]
    for section, assessment in zip(sections, assessed, strict=True):
        for row, s in zip(section.systems(), assessment, strict=True):
            assert row["effectiveness"] == decimals(s.effectiveness)
            if s.is_baseline:
                assert (row["system"], row["gain"]) == ("bm25 (baseline)", "")
                continue
            assert (row["system"], row["gain"], row["risk"]) == (s.system, signed(s.gain), decimals(s.risk))
            assert (row["reward"], row["cvar"], row["large"]) == (
                decimals(s.reward),
                decimals(s.cvar),
                str(s.large_losses),
            )
            assert row["outcomes"] == f"{s.wins}/{s.losses}/{s.ties}"


def test_the_number_field_goes_to_the_nearest_stop_of_the_slider(tab, trec, assessed):
    section = tab.open(trec)
    for text, alpha in (("7.5", 7.5), ("0", 0), ("6.8", 7), ("1e2", 10)):
        section.type_alpha(text)
        assert shown(section) == expected(assessed[0], alpha)
    assert section.find("[data-alpha-range]").get_attribute("aria-valuetext") == "10"
    for text in ("-1", ""):  # no alpha, no change
        section.type_alpha(text)
        assert shown(section) == expected(assessed[0], 10)
    tab.press(TAB)
    assert section.find("[data-alpha]").get_attribute("value") == "10"


@pytest.mark.parametrize(("correction", "title"), [("bh", "p BH"), ("none", "p Holm")])
def test_verdicts_follow_the_correction_that_was_asked_for(tab, place, assessed, correction, title):
    assessment = rr.assess(assessed[0].scores, "bm25", correction=correction)
    section = tab.open(saved(place / "corrected.html", assessment.to_html()))
    assert title in section.texts("table.systems th")
    for alpha in assessment.alphas:
        section.slide(alpha)
        wanted = ["", *(s.at_alpha(alpha).verdict for s in assessment if not s.is_baseline)]
        assert [row["verdict"] for row in section.systems()] == wanted


def test_topics_are_listed_worst_first_for_the_system_that_is_picked(tab, trec, assessed):
    section = tab.open(trec)
    section.slide(5)
    for system in ("expansion", "neural"):
        section.pick(system)
        assert_lines(section.topics(), topic_lines(assessed[0], system, 5)[:20])
        assert section.count() == "20 of 50 topics shown"
        section.find("[data-more]").click()
        assert_lines(section.topics(), topic_lines(assessed[0], system, 5))
        assert section.count() == "50 of 50 topics shown"
        assert not section.find("[data-more]").is_displayed()


def test_the_search_finds_topics(tab, trec, assessed):
    section = tab.open(trec)
    section.search("12")
    wanted = [line for line in topic_lines(assessed[0], "expansion", 1) if "12" in line[0]]
    assert_lines(section.topics(), wanted)
    assert 3 < len(wanted) < 20
    assert section.count() == f"{len(wanted)} of {len(wanted)} topics shown"
    section.search("nothing of the kind")
    assert (section.topics(), section.count()) == ([], "0 of 0 topics shown")
    section.search("1")
    assert section.count() == "20 of 50 topics shown"


def first_documents(path, topic, depth=10):
    """The head of a run by trec_eval's rules: by score as float32, then by document id, both falling."""
    import gzip

    lines = [line.split() for line in gzip.decompress(path.read_bytes()).decode().splitlines()]
    ranked = sorted(((np.float32(line[4]), line[2]) for line in lines if line[0] == topic), reverse=True)
    return [document for _, document in ranked[:depth]]


def test_a_topic_shows_both_rankings_side_by_side(tab, trec, assessed):
    import gzip

    qrels, runs = example_files()
    lines = [line.split() for line in gzip.decompress(qrels.read_bytes()).decode().splitlines()]
    grades = {(topic, document): grade for topic, _, document, grade in lines}
    section = tab.open(trec)
    for system in ("expansion", "hybrid"):
        section.pick(system)
        for line in (section.topics()[0], section.topics()[7]):
            topic = line[0]
            dialog = section.show(topic)
            assert dialog["title"] == f"Topic {topic}"
            assert dialog["text"] == (
                f"nDCG@10: bm25 {line[1]}, {system} {line[2]}, change {line[3]}; T_R {line[4]}, T_J {line[5]} at α = 1."
            )
            old, new = first_documents(runs["bm25"], topic), first_documents(runs[system], topic)
            was = [str(old.index(each) + 1) if each in old else ">10" for each in new]
            assert dialog["lists"] == [
                ["bm25", [[str(k), each, grades.get((topic, each), "–"), ""] for k, each in enumerate(old, 1)]],
                [system, [[str(k), each, grades.get((topic, each), "–"), before]
                          for k, (each, before) in enumerate(zip(new, was, strict=True), 1)]],
            ]  # fmt: skip
            assert dialog["lefts"][0] < dialog["lefts"][1]
            section.close()
            assert section.dialog() is None


def test_a_click_on_a_bar_or_point_opens_its_topic(tab, trec, assessed):
    section = tab.open(trec)
    worst = topic_lines(assessed[0], "expansion", 1)[0][0]
    for chart in ("topics", "exploratory"):
        mark = section.find(
            f"[data-chart={chart}] .{'mark-rect' if chart == 'topics' else 'mark-symbol'}.role-mark path"
        )
        tab.hover(mark)
        mark.click()
        assert section.dialog()["title"] == f"Topic {worst}"
        section.close()


def test_everything_can_be_done_by_keyboard(tab, trec, assessed):
    section = tab.open(trec)
    reached = {}
    for _ in range(60):
        tab.press(TAB)
        name, outline = tab.run("""const at = document.activeElement;
            const own = [...at.attributes].map((each) => each.name).find((name) => name.startsWith("data-"));
            return [own || at.className || at.tagName, getComputedStyle(at).outlineStyle]""")
        reached.setdefault(name, outline)
        if name == "data-alpha-range":
            tab.press(RIGHT, RIGHT, RIGHT)
        if name == "link":
            break
    for name in ("data-theme-button", "data-alpha-range", "data-alpha", "data-system", "data-search", "link"):
        assert reached[name] != "none", name  # where the focus is can be seen
    assert shown(section) == expected(assessed[0], 2.5)
    worst = topic_lines(assessed[0], "expansion", 2.5)[0][0]
    assert section.dialog() is None
    tab.press(ENTER)
    assert section.dialog()["title"] == f"Topic {worst}"
    tab.press(ESCAPE)
    assert section.dialog() is None
    assert tab.run("return document.activeElement.textContent") == worst
    tab.press(ENTER)
    assert tab.run("return document.activeElement.hasAttribute('data-close')")
    tab.press(ENTER)
    assert section.dialog() is None


def test_every_chart_is_drawn(tab, trec):
    marks = tab.open(trec).charts()
    assert list(marks) == ["risk-gain", "georisk", "helped-hurt", "topics", "exploratory"]
    assert all(marks.values())
    assert marks["georisk"] == 4  # a line each
    assert (marks["topics"], marks["exploratory"]) == (50, 50)


def test_charts_follow_the_picker_and_the_slider(tab, trec, assessed):
    section = tab.open(trec)
    assert section.rows("topics", "topics")[0]["topic"] == topic_lines(assessed[0], "expansion", 1)[0][0]
    section.pick("neural")
    section.slide(5)
    lines = topic_lines(assessed[0], "neural", 5)
    changes = section.rows("topics", "topics")
    assert [signed(row["change"]) for row in changes] == [line[3] for line in lines]
    assert [row["place"] for row in changes] == list(range(1, 51))
    assert [row["topic"] for row in changes if row["outcome"].endswith("stands out")] == [
        line[0] for line in lines if line[6]
    ]
    explored = rr.risk.explore(assessed[0].scores["neural"], assessed[0].baseline_scores, alpha=5)
    t_j = section.rows("exploratory", "explored")
    assert [row["t_j"] for row in t_j] == pytest.approx(sorted(explored.t_j.tolist()), abs=1e-3)
    outside = np.abs(explored.t_j) > LIMIT
    assert sum(row["outlier"] != "within" for row in t_j) == outside.sum()
    limits = sorted(row["t_j"] for row in section.rows("exploratory", "limits"))
    assert limits == [-LIMIT, LIMIT]
    assert tab.run("return window.riskrank.sections[0].views['risk-gain'].signal('alpha')") == 5


# Labelled features, as learning to rank has them.


def test_rankings_of_scored_features_are_shown_too(tab, place):
    data = example_features(n_queries=40, documents_per_query=14, n_features=20)["train"]
    runs = {"text": data.feature(1), "quality": np.round(data.feature(2), 1)}  # with ties, in the order of the data
    assessment = rr.assess(rr.evaluate(data, runs, "nDCG@10"), baseline="text")
    section = tab.open(saved(place / "letor.html", assessment.to_html(qrels=data, runs=runs)))
    topic = section.listed()[0]
    q = data.query_ids.index(topic)
    rows = range(*data.query_offsets[q : q + 2])
    heads = {name: sorted(rows, key=lambda row: (-run[row], row))[:10] for name, run in runs.items()}
    was = [str(heads["text"].index(row) + 1) if row in heads["text"] else ">10" for row in heads["quality"]]
    assert section.show(topic)["lists"] == [
        [name, [[str(k), str(data.ids[row]), f"{data.labels[row]:g}", before]
                for k, (row, before) in enumerate(zip(heads[name], places_before, strict=True), 1)]]
        for name, places_before in (("text", [""] * 10), ("quality", was))
    ]  # fmt: skip
