"""How the result of a gate is shown."""

from __future__ import annotations

import html
from typing import TYPE_CHECKING

from riskrank.report.text.gate_text import gate_json, gate_text, github_annotations, junit_xml

if TYPE_CHECKING:
    from riskrank.assessment.gate import GateResult

__all__ = ["github_annotations", "json", "junit", "notebook", "text"]

text = gate_text
json = gate_json
junit = junit_xml


def notebook(result: GateResult) -> str:
    """The text, as it stands."""
    return "<pre>" + html.escape(gate_text(result)) + "</pre>"
