"""A sweep over clicks as a notebook shows it: the finding, a small plot, the methods. No script, no frame."""

from __future__ import annotations

from typing import TYPE_CHECKING

from riskrank.report.findings.click_findings import NAMES, click_findings
from riskrank.report.findings.words import counted
from riskrank.report.page.clicks.methods import shown_methods, standard_of
from riskrank.report.page.clicks.methods_table import methods_table
from riskrank.report.page.document import asset, render
from riskrank.report.page.plots.click_plot import click_plot
from riskrank.tradeoff.clicks.click_table import click_table, method_standings

if TYPE_CHECKING:
    from riskrank.tradeoff.sweep import Sweep

HEIGHT, WIDTH = 180, 310  # px of the picture
MOST_ROWS = 5


def click_notebook(sweep: Sweep) -> str:
    """HTML for a notebook's cell, with a style of its own."""
    rows, standings = click_table(sweep), method_standings(sweep)
    methods = shown_methods(sweep, rows)
    said = click_findings(rows, sweep.measure, standings)
    chosen = next((method for method in methods if method.name == standings.leader), standard_of(methods))
    table = methods_table(methods, said.digits)
    count = counted(len(methods), "method")
    first = f"The first {MOST_ROWS} of {count}" if len(methods) > MOST_ROWS else count.capitalize()
    values = {
        "style": "".join(map(asset, ("tokens.css", "marks.css", "notebook.css"))),
        "measure": NAMES.get(sweep.measure, sweep.measure),
        "findings": said,
        "chosen": chosen.number,
        "plot": click_plot(sweep, methods, chosen.number, height=HEIGHT, widths=(WIDTH, WIDTH)),
        "table": table,
        "rows": sorted(table.rows, key=lambda row: row.number != chosen.number)[:MOST_ROWS],
        "about": counted(len(sweep), "model"),
        "note": f"{first}, {counted(len(sweep.test.queries), 'test page')}, against the order shown.",
    }
    return render("click_notebook.html", values)
