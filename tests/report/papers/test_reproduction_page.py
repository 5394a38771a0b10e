"""Experiments as a page."""

from __future__ import annotations

from riskrank.papers.catalogue import PAPERS
from riskrank.papers.reproduction import Reproduction
from riskrank.report.papers.reproduction_text import LEGEND

from ..page.page_text import Tree
from .test_reproduction_text import OUTCOME


def test_the_page_holds_ours_the_papers_curves_claims_and_departures():
    page = Reproduction(PAPERS["dincer2016"], {"table-5": OUTCOME}).to_html()
    tree = Tree()
    tree.feed(page)
    assert tree.open == []
    before_table = page[page.index('<p class="sub">') : page.index("<table")]
    assert LEGEND in before_table  # the footer is not printed
    assert page.count(LEGEND) == 1
    for said in ("made-up data", "0.123", "−1.5", "Not compared: other runs.", "polyline", "b is safer", "fewer trees"):
        assert said in page
    assert "http://" not in page.replace("http://www.w3.org", "")
