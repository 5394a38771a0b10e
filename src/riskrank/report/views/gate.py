"""How the result of a gate is shown."""

from __future__ import annotations

import html
from typing import TYPE_CHECKING

from riskrank.report.text.gate_text import gate_json, gate_text, github_annotations, junit_xml

if TYPE_CHECKING:
    from riskrank.assessment.gate import GateResult

__all__ = ["github_annotations", "json", "junit", "notebook", "page", "text"]

text = gate_text
json = gate_json
junit = junit_xml


def notebook(result: GateResult) -> str:
    """The text, as it stands."""
    return "<pre>" + html.escape(gate_text(result)) + "</pre>"


def page(result: GateResult) -> str:
    """The text on a page of its own."""
    head = '<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>riskrank gate</title></head><body>'
    return head + notebook(result) + "</body></html>\n"
