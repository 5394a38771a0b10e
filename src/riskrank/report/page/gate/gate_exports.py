"""What the page of a gate hands out: Markdown for a pull request, JUnit XML for a build, JSON for programs."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from riskrank.report.findings.words import plain
from riskrank.report.text.gate_text import gate_json, junit_xml

if TYPE_CHECKING:
    from riskrank.assessment.gate import GateResult
    from riskrank.report.page.gate.gate_part import GateVerdict

MARKUP = re.compile(r"[\\`*_{}\[\]<>#|~&]")  # of Markdown, and of HTML in it


def gate_exports(result: GateResult, verdict: GateVerdict) -> dict[str, str]:
    """By the ending of the file."""
    return {"md": gate_markdown(verdict), "xml": junit_xml(result), "json": f"{gate_json(result)}\n"}


def gate_markdown(verdict: GateVerdict) -> str:
    """The verdict and its checklist."""
    lines = ["| | check | value | limit | |", "|---|---|---|---|---|"]
    for each in verdict.checks:
        cells = ["✓" if each.holds else "✗", each.name, each.value, each.limit, each.sentence]
        lines.append(f"| {' | '.join(map(_escaped, cells))} |")
    said = _escaped(f"{plain(verdict.headline)} {plain(verdict.gain)}")
    table = "\n".join(lines)
    return f"**{'PASS' if verdict.passes else 'FAIL'}** {said}\n\n{table}\n"


def _escaped(text: str) -> str:
    return MARKUP.sub(r"\\\g<0>", text)
