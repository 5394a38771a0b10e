"""Pages where charts cannot be had: tables and words."""

from __future__ import annotations

import html

import riskrank as rr
from riskrank.report.page.plain_page import plain_page
from riskrank.report.text.sweep_text import sweep_text

from .page_text import Tree, with_charts


def test_without_altair_pages_have_tables_and_words(assessment, sweep, hidden):
    hidden("altair")
    for text in (plain_page([assessment, assessment]), sweep.to_html()):
        tree = Tree()
        tree.feed(text)
        assert tree.open == []
        assert "<script" not in text
        assert "URisk" in text
    assert "new &lt;1&gt;" in plain_page([assessment])
    assert html.unescape(sweep._repr_html_()).count("<table>") == 2
    assert "URisk" in sweep_text(sweep)


def test_cautions_and_verdict_come_before_any_number():
    result = rr.assess(
        rr.Effectiveness.from_rows({"old": [0.5] * 7, "new": [0.4, 0.6, 0.5, 0.7, 0.5, 0.3, 0.6]}), "old"
    )
    text = plain_page([result])
    caution, verdict = text.index("7 topics are few"), text.index("No system is shown to be better")
    assert caution < verdict < text.index("<table")


def test_without_altair_the_page_of_a_sweep_still_has_its_point(sweep, hidden):
    point = sweep.choose("risk", max_risk=0.03)
    hidden("altair")
    assert "Operating point: URisk, α = 1" in sweep.to_html(point=point)


def test_without_altair_the_commands_go_on_or_say_what_to_install(riskrank, example, tmp_path, hidden):
    hidden("altair")
    runs = [example / "bm25.run", example / "neural.run"]
    done = riskrank("evaluate", example / "qrels.txt", *runs, "--json", "-o", "r.json", "--html", "page.html")
    assert (done.status, done.err) == (0, "")
    assert '<table class="systems">' in (tmp_path / "page.html").read_text()
    done = riskrank("plot", "r.json", "-o", "chart.png")
    assert (done.status, done.out) == (2, "")
    assert done.err == "riskrank: charts need Altair and vl-convert: pip install 'riskrank[report]'.\n"
    assert not (tmp_path / "chart.png").exists()


@with_charts
def test_without_vl_convert_it_is_the_same(sweep, hidden):
    hidden("vl_convert")
    assert "<script" not in sweep.to_html()


def test_the_report_of_an_assessment_needs_no_altair(assessment, hidden):
    page, notebook = assessment.to_html(), assessment._repr_html_()
    for name in ("altair", "vl_convert"):
        hidden(name)
        assert (assessment.to_html(), assessment._repr_html_()) == (page, notebook)
