"""A sweep as a notebook shows it: the finding, a small curve, the first models. No script, no frame."""

from __future__ import annotations

from typing import TYPE_CHECKING

from riskrank.report.findings.sweeps.sweep_findings import sweep_findings
from riskrank.report.findings.words import counted, queries_counted
from riskrank.report.page.document import asset, render
from riskrank.report.page.plots.sweep_plot import sweep_plot
from riskrank.report.page.sweeps.model_significance import model_significance, model_verdicts
from riskrank.report.page.sweeps.steps_table import steps_table

if TYPE_CHECKING:
    from riskrank.tradeoff.sweep import Sweep

HEIGHT, WIDTH = 190, 310  # px of the picture
MOST_ROWS = 5


def sweep_notebook(sweep: Sweep) -> str:
    """HTML for a notebook's cell, with a style of its own."""
    said, verdicts = sweep_findings(sweep), model_verdicts(model_significance(sweep))
    table = steps_table(sweep, None, said, verdicts)
    models = counted(len(sweep), "model")
    first = f"The first {MOST_ROWS} of {models}" if len(sweep) > MOST_ROWS else models.capitalize()
    values = {
        "style": "".join(map(asset, ("tokens.css", "marks.css", "notebook.css"))),
        "measure": sweep.measure,
        "findings": said,
        "plot": sweep_plot(sweep, None, verdicts, height=HEIGHT, widths=(WIDTH, WIDTH), with_curves=False),
        "table": table,
        "rows": table.rows[:MOST_ROWS],
        "about": models,
        "note": f"{first}, {queries_counted(sweep.test)}, against {sweep.baseline}.",
    }
    return render("sweep_notebook.html", values)
