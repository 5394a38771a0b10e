"""What is reported of a log."""

from __future__ import annotations

from riskrank.clicks.logs.log_report import LogReport

from ..small_impressions import THREE


def test_a_report_counts_pages_clicked_documents_and_what_it_is_told():
    report = LogReport()
    report.add(THREE, lines=10, lost_clicks=2)
    report.add_bad("log.txt", [4])
    report.add(THREE, lines=5)
    assert (report.lines, report.pages, report.clicks, report.lost_clicks) == (15, 6, 6, 2)
    assert (report.bad, report.bad_lines) == (1, [4])


def test_a_report_in_words_names_the_first_five_bad_lines():
    report = LogReport()
    assert str(report) == "0 lines, 0 result pages, 0 clicked documents"
    report.add(THREE, lines=12345, lost_clicks=1000)
    report.add_bad("logs/a.txt", [1, 2, 3])
    report.add_bad("logs/b.txt", [1, 2, 6000])
    assert str(report) == (
        "12,345 lines, 3 result pages, 3 clicked documents, 1,000 clicks on documents that were not shown; "
        "6 lines are not understood (first: a.txt:1, a.txt:2, a.txt:3, b.txt:1, b.txt:2)"
    )


def test_a_report_counts_all_bad_lines_and_remembers_a_thousand():
    report = LogReport()
    for start in range(0, 1800, 600):
        report.add_bad("log.txt", range(start, start + 600))
    assert report.bad == 1800
    assert report.bad_lines == list(range(1000))
