"""The page of a gate: verdict, checklist, every topic; and the verdict alone, for notebooks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from riskrank.report.findings.gate_findings import overall
from riskrank.report.findings.gate_remarks import topics_compared
from riskrank.report.page.document import Export, asset, render, report
from riskrank.report.page.gate.gate_part import gate_parts, gate_verdict

if TYPE_CHECKING:
    from riskrank.assessment.gating.gate_result import GateResult

EXPORTS = (
    Export("Copy as Markdown", "copy", "md"),
    Export("JUnit", "save", "xml"),
    Export("JSON", "save", "json"),
)
FOOTER = "Intervals: mirror-shift bootstrap; of shares: Wilson’s"


def gate_page(result: GateResult) -> str:
    """A self-contained page; with both rankings of every topic where the gate was given runs."""
    compared, several = result.comparison, overall(result)
    against = several or f"{compared.candidate} against {compared.baseline}"
    exit_code = f"exit code {0 if result.passed else 1}"
    measured = (
        ["", ""] if several else [compared.scores.title, topics_compared(compared)]
    )  # of several, each part says it
    context = ["gate", exit_code, measured[0], against, measured[1]]
    title = f"{'PASS' if result.passed else 'FAIL'}: {against}"
    parts = gate_parts(result)
    return report(
        "gate_report.html",
        title=title,
        context=context,
        footer=FOOTER,
        parts=parts,
        exports=EXPORTS,
        styles=["gate.css"],
    )


def gate_notebook(result: GateResult) -> str:
    """HTML for a notebook's cell: the verdict and the checklist, with a style of their own."""
    style = "".join(map(asset, ("tokens.css", "marks.css", "notebook.css")))
    compared = result.comparison
    about = f"{compared.scores.title}, {topics_compared(compared)}."
    values = {"style": style, "verdict": gate_verdict(compared), "about": about, "overall": overall(result)}
    return render("gate_notebook.html", values)
