"""A sweep in a notebook: the finding, a picture, the first models."""

from __future__ import annotations

from riskrank.report.findings.sweeps.sweep_findings import sweep_findings
from riskrank.report.findings.words import plain

from ..page_text import text_of
from .swept import BOLD, swept


def test_a_notebook_gets_the_finding_a_picture_and_the_first_models():
    many = swept(*[(1 - 0.1 * k) * BOLD for k in range(7)])
    view = many._repr_html_()
    assert "<script" not in view
    assert "<iframe" not in view
    assert view.count("<tr>") == 6
    assert "The first 5 of 7 models, 400 test queries, against feature:1." in text_of(view)
    assert plain(sweep_findings(many).headline) in text_of(view)
