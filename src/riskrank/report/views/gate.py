"""How the result of a gate is shown."""

from __future__ import annotations

from typing import TYPE_CHECKING

from riskrank.report.gate_formats.github import github_annotations
from riskrank.report.gate_formats.gitlab import gitlab_json
from riskrank.report.gate_formats.junit import junit_xml
from riskrank.report.gate_formats.markdown import markdown
from riskrank.report.gate_formats.sarif import sarif
from riskrank.report.text.gate_text import gate_text

if TYPE_CHECKING:
    from riskrank.assessment.gating.gate_result import GateResult

__all__ = ["github_annotations", "gitlab", "junit", "markdown", "notebook", "page", "sarif", "text"]

text = gate_text
junit = junit_xml
gitlab = gitlab_json


def notebook(result: GateResult) -> str:
    """The verdict and the checklist."""
    from riskrank.report.page.gate.gate_page import gate_notebook

    return gate_notebook(result)


def page(result: GateResult) -> str:
    """A page; with both rankings of every topic where the gate was given runs."""
    from riskrank.report.page.gate.gate_page import gate_page

    return gate_page(result)
