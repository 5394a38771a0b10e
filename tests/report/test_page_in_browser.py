"""The report's page in a real browser: what it shows, against what Python computes."""

from __future__ import annotations

import dataclasses
import itertools
import json

import numpy as np
import pytest
from scipy import special, stats

import riskrank as rr
from riskrank.data.example import example_features, example_files
from riskrank.errors import one_line
from riskrank.report.page.page import assessment_page
from riskrank.report.page.page_data import page_data
from riskrank.report.page.top_documents import Rankings
from riskrank.report.text.assessment_text import number, p_text, signed

from ..tradeoff.made_up import judged, made_up
from .browsing import CHROMIUM, DRIVER, Tab, start

pytest.importorskip("altair", reason="needs Altair")
pytest.importorskip("vl_convert", reason="needs vl-convert")
pytestmark = pytest.mark.skipif(
    CHROMIUM is None or DRIVER is None, reason="needs Chromium and ChromeDriver on the path"
)

TAB, ENTER, ESCAPE, RIGHT = "\ue004", "\ue007", "\ue00c", "\ue014"
ALPHAS = (0, 0.1, 1, 5, 7.3, 20)
TEXT = (
    ".riskrank p, .riskrank li, .riskrank td, .riskrank th, .riskrank label, .riskrank h1, .riskrank h2, .riskrank h3, "
    ".riskrank figcaption, .riskrank summary, .riskrank button, .riskrank select, .riskrank .note"
)


@pytest.fixture(scope="module")
def browser(tmp_path_factory):
    driver = start(tmp_path_factory.mktemp("browser"))
    yield driver
    driver.quit()


@pytest.fixture
def tab(browser):
    yield Tab(browser)
    Tab(browser).prefer()
    Tab(browser).resize()


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    return tmp_path_factory.mktemp("pages")


def saved(path, text):
    path.write_text(text, encoding="utf-8")
    return path


def expected(assessment, alpha):
    """What the table should say of each system at an alpha, by the functions that print it."""
    rows = []
    again = rr.assess(assessment.scores, assessment.baseline_scores, alphas=[alpha], level=assessment.level)
    compared = [s.at[0].p_value for s, own in zip(again, assessment, strict=True) if not own.is_baseline]
    corrected = iter(rr.risk.holm(compared).tolist())
    for system, own in zip(again, assessment, strict=True):
        at = system.at[0]
        if own.is_baseline:
            rows.append(
                {"georisk": number(at.georisk), **dict.fromkeys(("urisk", "trisk", "p", "holm", "verdict"), "")}
            )
            continue
        rows.append(
            {
                "urisk": signed(at.urisk), "trisk": signed(at.trisk, 3), "p": p_text(at.p_value),
                "holm": p_text(next(corrected)), "verdict": at.verdict, "georisk": number(at.georisk),
            }
        )  # fmt: skip
    return rows


def shown(section):
    names = ("urisk", "trisk", "p", "holm", "verdict", "georisk")
    return [{name: row[name] for name in names} for row in section.systems()]


# TREC runs, two measures.


@pytest.fixture(scope="module")
def assessed():
    """Of the example; precision at 5 has many ties."""
    qrels, runs = example_files()
    scores = rr.evaluate(qrels, runs, ["nDCG@10", "P@5"])
    assert (scores["P@5"]["bm25"] == scores["P@5"]["neural"]).sum() > 3
    return [rr.assess(each, baseline="bm25", alphas=(0, 1, 5)) for each in scores.values()]


@pytest.fixture(scope="module")
def trec(place, assessed):
    """The first of the two measures."""
    qrels, runs = example_files()
    return saved(place / "trec.html", assessed[0].to_html(qrels=qrels, runs=runs))


@pytest.fixture(scope="module")
def both(place, assessed):
    qrels, runs = example_files()
    rankings = Rankings(qrels, runs, assessed[0].scores.topics)
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
        "nDCG@10 against bm25, 50 topics",
        "P@5 against bm25, 50 topics",
    ]
    assert all(section.find(".verdict").text.startswith("hybrid is really better than bm25") for section in sections)
    sections[1].slide(7.3)
    assert [shown(section) for section in sections] == [expected(assessed[0], 1), expected(assessed[1], 7.3)]
    for section, assessment in zip(sections, assessed, strict=True):
        for row, s in zip(section.systems(), assessment, strict=True):
            assert row["effectiveness"] == number(s.effectiveness)
            if s.is_baseline:
                assert (row["system"], row["gain"]) == ("bm25 (baseline)", "")
                continue
            assert (row["system"], row["gain"], row["risk"]) == (s.system, signed(s.gain), number(s.risk))
            assert (row["reward"], row["cvar"], row["large"]) == (number(s.reward), number(s.cvar), str(s.large_losses))
            assert row["outcomes"] == f"{s.wins}/{s.losses}/{s.ties}"


def test_the_number_field_goes_beyond_the_slider(tab, trec, assessed):
    section = tab.open(trec)
    for text in ("7.3", "0", "1e2"):
        section.type_alpha(text)
        assert shown(section) == expected(assessed[0], float(text))
    assert section.find("[data-alpha-range]").get_attribute("value") == "20"
    for text in ("-1", ""):  # no alpha, no change
        section.type_alpha(text)
        assert shown(section) == expected(assessed[0], 100)


def topic_lines(assessment, system, alpha):
    """The list of topics by hand: worst first, with the two statistics at an alpha."""
    scores, base = assessment.scores[system], assessment.baseline_scores
    delta = scores - base
    explored = rr.risk.explore(scores, base, alpha=alpha)
    return [
        [
            assessment.scores.topics[q], number(base[q]), number(scores[q]), signed(delta[q]),
            signed(explored.t_r.statistic[q], 2), signed(explored.t_j.statistic[q], 2),
            "●" if abs(explored.t_r.statistic[q]) > explored.critical_value else "",
        ]
        for q in np.argsort(delta, kind="stable")
    ]  # fmt: skip


def assert_lines(found, wanted):
    """The same lines; the page knows changes to six digits, so that statistics may differ in their last one."""
    assert [[*line[:4], line[6]] for line in found] == [[*line[:4], line[6]] for line in wanted]
    for column in (4, 5):
        one, other = ([float(line[column].replace("−", "-")) for line in lines] for lines in (found, wanted))
        assert one == pytest.approx(other, abs=0.011)


def test_topics_are_listed_worst_first_for_the_system_that_is_picked(tab, trec, assessed):
    section = tab.open(trec)
    section.slide(5)
    for system in ("expansion", "neural"):
        section.pick(system)
        assert_lines(section.topics(), topic_lines(assessed[0], system, 5)[:20])
        assert section.found() == "20 of 50 topics shown"
        section.find("[data-more]").click()
        assert_lines(section.topics(), topic_lines(assessed[0], system, 5))
        assert section.found() == "50 of 50 topics shown"
        assert not section.find("[data-more]").is_displayed()


def test_the_search_finds_topics(tab, trec, assessed):
    section = tab.open(trec)
    section.search("12")
    wanted = [line for line in topic_lines(assessed[0], "expansion", 1) if "12" in line[0]]
    assert_lines(section.topics(), wanted)
    assert 3 < len(wanted) < 20
    assert section.found() == f"{len(wanted)} of {len(wanted)} topics shown"
    section.search("nothing of the kind")
    assert (section.topics(), section.found()) == ([], "0 of 0 topics shown")
    section.search("1")
    assert section.found() == "20 of 50 topics shown"


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
    assert shown(section) == expected(assessed[0], 1.3)
    worst = topic_lines(assessed[0], "expansion", 1.3)[0][0]
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
    assert [row["t_j"] for row in t_j] == pytest.approx(sorted(explored.t_j.statistic.tolist()), abs=1e-3)
    outside = np.abs(explored.t_j.statistic) > explored.critical_value
    assert sum(row["outlier"] != "within" for row in t_j) == outside.sum()
    limits = sorted(row["t_j"] for row in section.rows("exploratory", "limits"))
    assert limits == pytest.approx([-explored.critical_value, explored.critical_value])
    assert tab.run("return window.riskrank.sections[0].views['risk-gain'].signal('alpha')") == 5


# The arithmetic of the page, without a page.


def test_p_values_are_those_of_scipy(tab, trec):
    tab.stay(trec)
    t = [0, *np.logspace(-8, 8, 65).tolist(), 1.96, 2.0]
    for freedom in (1, 2, 3, 4, 7, 10, 30, 49, 100, 999, 10_000, 49_999, 1_000_000):
        found = tab.run("return arguments[0].map((t) => window.riskrank.twoSidedP(t, arguments[1]))", t, freedom)
        turned = tab.run("return arguments[0].map((t) => window.riskrank.twoSidedP(-t, arguments[1]))", t, freedom)
        assert found == turned
        square = np.square(t)  # near 0, SciPy's t is less exact than its beta function
        near = special.betaincc(0.5, freedom / 2, square / (freedom + square))
        wanted = np.where(np.array(t) < 0.01, near, 2 * stats.t.sf(t, freedom))
        np.testing.assert_allclose(found, wanted, rtol=0, atol=1e-9)
    assert tab.run("return Number.isNaN(window.riskrank.twoSidedP(NaN, 5))")


def test_the_normal_distribution_is_that_of_scipy(tab, trec):
    tab.stay(trec)
    x = np.concatenate([np.linspace(-40, 40, 4001), np.logspace(-12, 2, 57), -np.logspace(-12, 2, 57)])
    found = tab.run("return arguments[0].map(window.riskrank.normalCdf)", x.tolist())
    np.testing.assert_allclose(found, stats.norm.cdf(x), rtol=0, atol=1e-9)
    assert min(found) >= 0


def test_any_scores_give_what_python_gives(tab, trec):
    """Random matrices with ties, from few topics to many, at any alpha."""
    tab.stay(trec)
    rng = np.random.default_rng(0)
    for n, digits in itertools.product((2, 3, 10, 200), (1, 2, 15)):
        matrix = np.round(rng.beta(1, 2, (6, n)), digits)
        matrix[1, : n // 2] = matrix[0, : n // 2]
        scores = rr.Effectiveness("m", tuple("abcdef"), tuple(map(str, range(n))), matrix)
        alphas = (0.0, 0.7, 3.0, 250.0)
        assessment = rr.assess(scores, baseline="a", alphas=alphas)
        found = tab.run(
            """const { systems, count, level, rounding } = arguments[0];
            return arguments[1].map((alpha) => systems.map((s) => {
                const test = window.riskrank.tested(s, count, level, alpha, rounding);
                const known = (x) => (Number.isNaN(x) ? null : x), geo = window.riskrank.georisk(s, count, alpha);
                return [test.urisk, known(test.trisk), known(test.p), geo, test.verdict];
            }))""",
            json.loads(json.dumps(page_data(assessment, {}))), alphas,
        )  # fmt: skip
        for at_alpha, rows in zip(range(len(alphas)), found, strict=True):
            for system, (*numbers, verdict) in zip(assessment.systems[1:], rows[1:], strict=True):
                at = system.at[at_alpha]
                values = np.array([np.nan if value is None else value for value in numbers])
                wanted = [at.urisk, at.trisk, at.p_value, at.georisk]
                np.testing.assert_allclose(values, wanted, rtol=1e-6, atol=1e-9)
                assert verdict == at.verdict
    corrected = tab.run("return window.riskrank.holm([0.04, 0.01, 0.03, 0.2, 0.01])")
    assert corrected == pytest.approx(rr.risk.holm([0.04, 0.01, 0.03, 0.2, 0.01]).tolist())


# Odd data, each a section of one page.

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
    found = {}
    for name, rows in ODD.items():
        matrix = np.array(list(rows.values()))
        scores = rr.Effectiveness(name, tuple(rows), tuple(f"t{q}" for q in range(matrix.shape[1])), matrix)
        found[name] = rr.assess(scores, baseline="old")
    return saved(place / "odd.html", assessment_page(list(found.values()))), found


def test_odd_data_give_the_numbers_that_python_gives(tab, odd):
    page, found = odd
    tab.open(page)
    for number_, (name, assessment) in enumerate(found.items()):
        section = tab.section(number_)
        for alpha in (0, 7.3):
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


def test_a_system_that_always_gains_the_same_has_no_test(tab, trec):
    tab.stay(trec)
    scores = rr.Effectiveness.from_rows({"old": [0.1, 0.2, 0.5, 0.8], "new": [0.2, 0.3, 0.6, 0.9]})
    assessment = rr.assess(scores, baseline="old", alphas=[1])
    assert assessment["new"].at[0].reason == "the trade-off is the same on every topic"
    data = json.loads(json.dumps(page_data(assessment, {})))
    script = "return window.riskrank.tested(arguments[0].systems[1], 4, 0.05, 1, arguments[0].rounding).verdict"
    assert tab.run(script, data) == "undefined"  # not a real reward, with a TRisk of 130 million


def test_gain_and_urisk_without_losses_are_the_same_number(tab, place):
    scores = rr.Effectiveness.from_rows({"old": [0.0] * 32, "new": [1.0] + [0.0] * 31})
    section = tab.open(saved(place / "halves.html", rr.assess(scores, baseline="old").to_html()))
    row = section.systems()[1]
    assert row["urisk"] == row["gain"]


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
                for k, (row, before) in enumerate(zip(heads[name], earlier, strict=True), 1)]]
        for name, earlier in (("text", [""] * 10), ("quality", was))
    ]  # fmt: skip


# Looks.


def background(tab):
    return tab.run("return getComputedStyle(document.querySelector('.riskrank')).backgroundColor")


LIGHT, DARK = "rgb(255, 255, 255)", "rgb(20, 24, 27)"


def test_text_can_be_read_in_the_light_and_in_the_dark(tab, trec):
    tab.prefer("light")
    section = tab.open(trec)
    button = tab.driver.find_element("css selector", "[data-theme-button]")

    def looks():
        section.show(section.listed()[0])
        for selector in (TEXT, "dialog td, dialog h4, dialog p", ".chart .role-axis text, .chart .role-legend text"):
            found = tab.contrasts(selector)
            assert len(found) > 10
            assert min(ratio for _, ratio in found) >= 4.5
        section.close()
        return background(tab)

    assert looks() == LIGHT
    tab.prefer("dark")
    assert looks() == DARK
    assert tab.run("return getComputedStyle(document.body).backgroundColor") == DARK
    button.click()
    assert looks() == LIGHT
    tab.prefer("light")
    assert background(tab) == LIGHT
    button.click()
    assert looks() == DARK
    assert tab.run("return getComputedStyle(document.body).backgroundColor") == DARK


def test_names_in_charts_can_be_read(tab, place):
    rng = np.random.default_rng(0)
    scores = rr.Effectiveness.from_rows({name: rng.random(20) for name in "abcdefg"})
    tab.open(saved(place / "names.html", rr.assess(scores, baseline="a").to_html()))
    assert min(ratio for _, ratio in tab.contrasts("[data-chart=risk-gain] .mark-text.role-mark text")) >= 4.5


def test_a_dark_page_is_printed_in_dark_ink(tab, trec):
    tab.prefer("light", media="print")
    tab.open(trec)
    tab.run("document.documentElement.dataset.theme = 'dark'")
    inks = tab.run("""return [...document.querySelectorAll(".riskrank p, .riskrank td, .chart .role-axis text")].map(
        (each) => getComputedStyle(each)[each instanceof SVGElement ? "fill" : "color"])""")
    assert all(sum(map(float, ink.strip("rgb()").split(","))) < 3 * 128 for ink in inks)


def test_charts_fit_on_paper(tab, trec):
    tab.prefer("light", media="print")
    tab.open(trec)
    tab.run("document.querySelector('.riskrank').style.width = '700px'")  # paper is narrower, and no event tells
    beyond = tab.run("""return [...document.querySelectorAll("figure")].map((figure) =>
        figure.querySelector("svg.marks").getBoundingClientRect().right - figure.getBoundingClientRect().right)""")
    assert max(beyond) <= 1


@pytest.mark.parametrize("name", ["trec", "risks"])
def test_on_a_phone_the_page_does_not_move_sideways(tab, request, name):
    tab.resize(390)
    page = request.getfixturevalue(name)
    section = tab.open(page if name == "trec" else page[0])
    assert tab.run("return [window.innerWidth, document.documentElement.scrollWidth]") == [390, 390]
    section.slide(5)
    section.show(section.listed()[0])
    assert tab.run("return document.documentElement.scrollWidth") == 390
    box = tab.run(
        "const box = arguments[0].getBoundingClientRect(); return [box.left, box.right]", section.find("dialog")
    )
    assert 0 <= box[0] < box[1] <= 390


@pytest.mark.parametrize(
    "name", ["cross-encoder-ms-marco-MiniLM-L-12-v2-on-bm25-top-1000", "a_run_with_parameters_" * 3]
)
def test_long_names_do_not_push_the_page_sideways(tab, place, name):
    scores = rr.Effectiveness.from_rows({"old": [0.1, 0.2, 0.3], name: [0.3, 0.5, 0.2]})
    tab.resize(390)
    tab.open(saved(place / "long.html", rr.assess(scores, baseline="old").to_html()))
    assert tab.run("return document.documentElement.scrollWidth") == 390


# Names that would like to be more than names.

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
    assert tab.driver.title == f"{MEASURE} against {BASE}, 5 topics"
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
    assert section.found() == "20 of 3,000 topics shown (of 50,000 in all, 3,000 are kept here)"
    for alpha in (0, 7.3):
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
    assert section.found().endswith(" (of 50,000 in all, 3,000 are kept here)")


# A sweep.


@pytest.fixture(scope="module")
def risks(place):
    """Three models of one objective and two of another, with a predictor, and an operating point."""
    rng = np.random.default_rng(0)
    x = rng.random(120)
    rows = [np.where(rng.random(120) < 0.7 - 0.1 * k, 1, -0.6) * rng.random(120) * 0.1 * (4 - k) for k in range(3)]
    rows += [row * 0.5 for row in rows[:2]]
    part = judged(rows, baseline=0.5, distance=rng.random((5, 120)), predictors={"max feature:1": x})
    sweep = made_up(
        part, series=["URisk"] * 3 + ["SARO"] * 2, values=[0, 1, 5, 0, 5], valid=part,
        thresholds={"max feature:1": np.linspace(0, 1, 21)},
    )  # fmt: skip
    point = sweep.choose("risk", max_risk=0.03)
    assert point.index is not None
    return saved(place / "sweep.html", sweep.to_html(point=point)), sweep, point


def test_the_page_of_a_sweep_has_its_table_its_point_and_its_charts(tab, risks):
    from riskrank.report.text.sweep_text import point_text, summary_table, sweep_words

    page, sweep, point = risks
    section = tab.open(page)
    assert (tab.requests(), tab.console()) == ([page.as_uri()], [])
    header, rows = summary_table(sweep)
    assert section.texts("table.sweep th") == header
    assert section.texts("table.sweep td") == [cell for row in rows for cell in row]
    assert len(rows) == 6
    assert section.texts(".verdict p") == [point_text(point), *sweep_words(sweep)]
    marks = section.charts()
    assert list(marks) == [
        "risk-gain", "reranked", "helped-hurt", "convergence", "distance", "distance-reward", "topics", "exploratory",
    ]  # fmt: skip
    assert all(marks.values())
    assert "chosen" in section.texts("[data-chart=risk-gain] .role-mark text")
    tags = section.texts("[data-chart=risk-gain] .mark-text.role-mark text")
    assert sorted(tags) == sorted(["0", "1", "5", "0", "5", "chosen"])


def test_models_of_a_sweep_are_tested_at_any_alpha(tab, risks):
    page, sweep, _ = risks
    section = tab.open(page)
    assessment = rr.assess(sweep.effectiveness(), baseline="feature:1")
    assert [row["system"] for row in section.systems()][1:] == [setting.label for setting in sweep.settings]
    for alpha in (0, 7.3):
        section.slide(alpha)
        assert shown(section) == expected(assessment, alpha)
    section.pick("SARO, α = 5")
    assert_lines(section.topics(), topic_lines(assessment, "SARO, α = 5", 7.3)[:20])


# Other places where a page is shown.


def test_a_notebook_shows_the_page_in_a_frame(tab, place, assessed):
    frame = saved(place / "notebook.html", f"<!doctype html><p>before</p>{assessed[0]._repr_html_()}<p>after</p>")
    tab.open(frame, until="return document.querySelector('iframe').contentWindow.riskrank !== undefined")
    tab.driver.switch_to.frame(0)
    tab.wait("return document.querySelectorAll('[data-chart] svg.marks').length === 5")
    assert shown(tab.section(0)) == expected(assessed[0], 1)
    tab.driver.switch_to.default_content()
    assert tab.console() == []


def test_a_chart_saved_as_a_page_draws_itself(tab, place, assessed):
    from riskrank.report.charts.catalogue import save_chart
    from riskrank.report.charts.topics import georisk

    save_chart(georisk(assessed[0]), place / "georisk.html")
    tab.open(
        place / "georisk.html", until="return document.querySelectorAll('#chart svg .role-mark path').length === 4"
    )
    assert tab.requests() == [(place / "georisk.html").as_uri()]
    assert tab.console() == []
