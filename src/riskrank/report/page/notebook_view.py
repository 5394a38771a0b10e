"""An assessment as a notebook shows it: the finding, a small picture, the first systems. No script, no frame."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from riskrank.report.findings.assessment_findings import findings, live_sentence, noun, rivals, start_alpha
from riskrank.report.findings.words import counted, topics_counted
from riskrank.report.page.document import asset, render
from riskrank.report.page.method_notes import CORRECTIONS, TESTS, interval_title
from riskrank.report.page.plots.tradeoff_plot import tradeoff_plot
from riskrank.report.page.systems_table import is_tested, systems_table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from riskrank.assessment.assessment import Assessment
    from riskrank.report.findings.assessment_findings import Findings
    from riskrank.report.page.plots.tradeoff_plot import TradeoffPlot
    from riskrank.report.page.systems_table import Row

HEIGHT, WIDTH = 190, 310  # px of the picture
MOST_ROWS = 5


@dataclass(frozen=True)
class NotebookView:
    """What is shown."""

    measure: str
    unit: str
    cautions: Sequence[str]
    findings: Findings
    live: str
    alpha: float
    interval_title: str
    n_systems: int
    chosen: int | None
    plot: TradeoffPlot | None
    rows: list[Row]
    zero: float
    note: str


def notebook_view(assessment: Assessment) -> str:
    """HTML for a notebook's cell, with a style of its own."""
    style = "".join(map(asset, ("tokens.css", "marks.css", "notebook.css")))
    return render("notebook.html", {"style": style, "view": _view(assessment)})


def _view(assessment: Assessment) -> NotebookView:
    alpha, is_drawn = start_alpha(assessment), is_tested(assessment)
    table = systems_table(assessment, alpha)
    chosen = None if table.chosen is None else table.chosen.number
    plot = None
    if chosen is not None and is_drawn:
        name = assessment.systems[chosen].system
        plot = tradeoff_plot(assessment, name, alpha, height=HEIGHT, widths=(WIDTH, WIDTH))
    return NotebookView(
        measure=assessment.scores.measure,
        unit=noun(assessment),
        cautions=assessment.cautions,
        findings=findings(assessment),
        live=live_sentence(assessment, alpha) if is_drawn else "",
        alpha=alpha,
        interval_title=interval_title(assessment),
        n_systems=len(rivals(assessment)),
        chosen=chosen,
        plot=plot,
        rows=sorted(table.rows, key=lambda row: row.number != chosen)[:MOST_ROWS],
        zero=table.zero,
        note=_note(assessment, len(table.rows)),
    )


def _note(assessment: Assessment, n_rows: int) -> str:
    topics = topics_counted(assessment.scores)
    tests = f"Tests: {TESTS[assessment.test]}, {CORRECTIONS[assessment.correction]}."
    if n_rows > MOST_ROWS:
        return f"The first {MOST_ROWS} of {n_rows:,} systems, {topics}. {tests} .summary has all of them as a table;"
    return f"{counted(n_rows, 'system')} against {assessment.baseline}, {topics}. {tests}"
