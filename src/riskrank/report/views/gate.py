"""How the result of a gate is shown."""

from __future__ import annotations

from typing import TYPE_CHECKING

from riskrank.report.page.document import render
from riskrank.report.text.gate_text import gate_json, gate_text, github_annotations, junit_xml

if TYPE_CHECKING:
    from riskrank.assessment.gate import GateResult

__all__ = ["github_annotations", "json", "junit", "notebook", "page", "text"]

text = gate_text
json = gate_json
junit = junit_xml


def notebook(result: GateResult) -> str:
    """The text, as it is printed."""
    return render("text_lines.html", {"lines": gate_text(result).splitlines()})


def page(result: GateResult) -> str:
    """The text on a page of its own."""
    return render("text_page.html", {"lines": gate_text(result).splitlines(), "title": "riskrank gate"}) + "\n"
