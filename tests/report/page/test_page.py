"""The page's text: what is in it, and what becomes of it where charts cannot be had."""

from __future__ import annotations

import html
import json
import re
import sys
from html.parser import HTMLParser

import numpy as np
import pytest

import riskrank as rr
from riskrank.report.page import page
from riskrank.report.text.sweep_text import sweep_text

from ...tradeoff.synthetic_sweeps import judged, synthetic_sweep

SCORES = rr.Effectiveness.from_rows(
    {"old": [0.5, 0.4, 0.3, 0.6], "new <1>": [0.6, 0.1, 0.9, 0.6]}, topics=["t1", "t2", "t3", "t4"], measure="AP"
)


@pytest.fixture(scope="module")
def assessment():
    return rr.assess(SCORES, baseline="old")


@pytest.fixture(scope="module")
def sweep():
    return synthetic_sweep(judged([[0.4, 0.2, 0.0, -0.2], [0.2, 0.2, 0.0, -0.08]]))


@pytest.fixture(scope="module")
def texts(assessment, sweep):
    """Their pages."""
    return assessment.to_html(), sweep.to_html()


def content(text):
    """What the page's script reads."""
    return re.search(r'id="riskrank-data">(.*?)</script>', text, flags=re.DOTALL)[1]


def markup(text):
    """What is seen without the script."""
    return text.split("<script")[0]


@pytest.fixture
def hidden(monkeypatch):
    """As if a library were not installed."""

    def hide(name):
        monkeypatch.setitem(sys.modules, name, None)
        for module in ("riskrank.report.charts.catalogue", "riskrank.report.charts.style"):
            monkeypatch.delitem(sys.modules, module, raising=False)
            monkeypatch.delattr(module, raising=False)
        monkeypatch.setattr(page, "_bundle", page._bundle.__wrapped__)  # which may be known already

    return hide


with_charts = pytest.mark.skipif(not page.has_charts(), reason="needs Altair")


class Tree(HTMLParser):
    """Are all elements closed, in order?"""

    EMPTY = ("meta", "br", "input", "link", "img")

    def __init__(self):
        super().__init__()
        self.open, self.ids, self.titles = [], [], []

    def handle_starttag(self, tag, attrs):
        if tag not in self.EMPTY:
            self.open.append(tag)
        self.ids += [value for name, value in attrs if name == "id"]

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if self.open[-1:] == ["title"]:
            self.titles.append(data)


@with_charts
def test_pages_are_whole_documents_of_their_own(texts, assessment):
    for text in (*texts, page.assessment_page([assessment, assessment])):
        tree = Tree()
        tree.feed(text)
        assert tree.open == []
        assert len(set(tree.ids)) == len(tree.ids)
        assert text.startswith('<!doctype html>\n<html lang="en">')
        outside = re.sub(r"<script>.*?</script>", "", text, flags=re.DOTALL)
        assert not re.search(r"""(src|href)=|@import|url\(""", outside)


@with_charts
def test_what_the_script_reads_is_json_that_cannot_end_it(texts):
    for text in texts:
        assert not set(content(text)) & set("<>&\u2028\u2029")
        json.loads(content(text), parse_constant=pytest.fail)
    assert json.loads(content(texts[0]))[0]["systems"][1]["name"] == "new <1>"


@with_charts
def test_a_title_may_be_given(texts, assessment):
    mine = page.assessment_page([assessment], title="Mine & yours")
    assert "<title>Mine &amp; yours</title>" in mine
    assert "<h1>Mine &amp; yours</h1>" in mine
    assert "<title>AP against old, 4 topics</title>" in texts[0]
    assert "<title>nDCG@10 against feature:1: URisk</title>" in texts[1]


@with_charts
def test_a_page_is_written_where_it_should_be(assessment, sweep, texts, tmp_path):
    for source, text in zip((assessment, sweep), texts, strict=True):
        assert source.to_html(tmp_path / "page.html") is None
        assert (tmp_path / "page.html").read_text(encoding="utf-8") == text


@with_charts
def test_a_notebook_gets_a_frame_with_the_page_in_it(assessment, sweep, texts):
    for source, text in zip((assessment, sweep), texts, strict=True):
        frame = source._repr_html_()
        inner = re.fullmatch(r'<iframe srcdoc="([^"<>]*)" style="[^"<>]*" title="[^"<>]*"></iframe>', frame)[1]
        assert html.unescape(inner) == text


@with_charts
def test_the_histogram_of_many_systems_shows_one_at_a_time():
    rng = np.random.default_rng(0)
    scores = rr.Effectiveness.from_rows({f"s{i}": rng.random(20) for i in range(10)})
    data = json.loads(content(rr.assess(scores, baseline="s0").to_html()))[0]
    assert {row["system"] for row in data["charts"]["helped-hurt"]["data"]["values"]} == {"s1"}
    assert [{row["system"] for row in rows} for rows in data["helped"]] == [set(), *({f"s{i}"} for i in range(1, 10))]


@with_charts
def test_captions_speak_of_what_is_there(texts):
    assert "dotted" not in markup(texts[0])
    assert "for its rankings" not in markup(texts[0])


@with_charts
def test_notes_explain_what_is_there(texts):
    assert "** also after Holm" not in markup(texts[0])


@with_charts
def test_a_sweep_of_another_parameter_is_tested_at_the_usual_alphas(sweep):
    leaves = synthetic_sweep(sweep.test, values=[7, 15], parameter="n_leaves")
    assert json.loads(content(leaves.to_html()))[0]["alpha"] == 1


# Without the libraries.


def test_without_altair_pages_have_tables_and_words(assessment, sweep, hidden):
    hidden("altair")
    for text in (assessment.to_html(), page.assessment_page([assessment, assessment]), sweep.to_html()):
        tree = Tree()
        tree.feed(text)
        assert tree.open == []
        assert "<script" not in text
        assert "URisk" in text
    assert "new &lt;1&gt;" in assessment.to_html()
    assert assessment._repr_html_().startswith("<style>")
    assert html.unescape(sweep._repr_html_()).count("<table>") == 2
    assert "URisk" in sweep_text(sweep)


def test_without_altair_the_page_of_a_sweep_still_has_its_point(sweep, hidden):
    point = sweep.choose("risk", max_risk=0.03)
    hidden("altair")
    assert "Operating point: URisk, α = 1" in sweep.to_html(point=point)


def test_without_altair_the_commands_go_on_or_say_what_to_install(riskrank, example, tmp_path, hidden):
    hidden("altair")
    runs = [example / "bm25.run", example / "neural.run"]
    done = riskrank("evaluate", example / "qrels.txt", *runs, "--json", "-o", "r.json", "--html", "page.html")
    assert (done.status, done.err) == (0, "")
    assert "<table>" in (tmp_path / "page.html").read_text()
    done = riskrank("plot", "r.json", "-o", "chart.png")
    assert (done.status, done.out) == (2, "")
    assert done.err == "riskrank: charts need Altair and vl-convert: pip install 'riskrank[report]'.\n"
    assert not (tmp_path / "chart.png").exists()


@with_charts
def test_without_vl_convert_it_is_the_same(assessment, hidden):
    hidden("vl_convert")
    assert "<script" not in assessment.to_html()
