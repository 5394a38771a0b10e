"""Pages where charts cannot be had: tables and words."""

from __future__ import annotations

import riskrank as rr
from riskrank.report.page.plain_page import plain_page


def test_cautions_and_verdict_come_before_any_number():
    result = rr.assess(
        rr.Effectiveness.from_rows({"old": [0.5] * 7, "new": [0.4, 0.6, 0.5, 0.7, 0.5, 0.3, 0.6]}), "old"
    )
    text = plain_page([result])
    caution, verdict = text.index("7 topics are few"), text.index("new is not shown to beat old")
    assert caution < verdict < text.index("<table")


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


def test_the_report_of_an_assessment_needs_no_altair(assessment, hidden):
    page, notebook = assessment.to_html(), assessment._repr_html_()
    for name in ("altair", "vl_convert"):
        hidden(name)
        assert (assessment.to_html(), assessment._repr_html_()) == (page, notebook)
