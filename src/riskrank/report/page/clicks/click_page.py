"""The page of a sweep over clicks: the method that keeps most for the pages that it moves, and what proves it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from riskrank.report.clicks.click_text import chosen_table
from riskrank.report.findings.click_findings import NAMES, click_findings
from riskrank.report.findings.click_headings import kept_heading, verdicts_heading
from riskrank.report.findings.words import counted
from riskrank.report.page.clicks.click_notes import click_definitions, click_tables
from riskrank.report.page.clicks.method_card import method_card
from riskrank.report.page.clicks.methods import shown_methods, standard_of
from riskrank.report.page.clicks.methods_table import methods_table
from riskrank.report.page.clicks.moved_pages import moved_pages
from riskrank.report.page.document import report
from riskrank.report.page.plots.click_plot import click_plot
from riskrank.report.page.table_exports import EXPORTS, table_exports
from riskrank.tradeoff.clicks.click_table import click_table, method_standings

if TYPE_CHECKING:
    from riskrank.report.findings.click_findings import ClickFindings
    from riskrank.report.page.clicks.method_card import MethodCard
    from riskrank.report.page.clicks.methods_table import MethodsTable
    from riskrank.report.page.clicks.moved_pages import MovedPages
    from riskrank.report.page.plots.click_plot import ClickPlot
    from riskrank.report.table import TitledTable
    from riskrank.tradeoff.sweep import Sweep

MOST_NAMES = 6  # of models that are off the chart


@dataclass(frozen=True)
class ClickPart:
    """All of it, from top to bottom."""

    key: str
    measure: str
    n_pages: str
    findings: ClickFindings
    chosen: int  # the method that is shown first
    heading: str
    about: str
    plot: ClickPlot
    off: str
    cards: list[MethodCard]
    table_heading: str
    table: MethodsTable
    chosen_on: str
    moved: MovedPages
    tables: list[TitledTable]
    definitions: list[tuple[str, str]]
    data: dict[str, Any]


def click_page(sweep: Sweep, *, title: str = "", source: str = "") -> str:
    """A self-contained page; `source` names the folder of the models."""
    name, pages = NAMES.get(sweep.measure, sweep.measure), counted(len(sweep.test.queries), "test page")
    return report(
        "click_report.html",
        title=title or f"Learning from clicks: {name}, {pages}",
        context=[name, "learning from clicks", "against the order shown", pages, source],
        footer=f"Intervals and tests: Student’s t over {pages}; dots: Holm’s correction",
        parts=[_part(sweep)],
        exports=EXPORTS,
        scripts=["tools.js", "clicks.js"],
    )


def _part(sweep: Sweep) -> ClickPart:
    import polars as pl

    rows, standings = click_table(sweep), method_standings(sweep)
    methods = shown_methods(sweep, rows)
    said = click_findings(rows, sweep.measure, standings)
    full = standard_of(methods)
    chosen = next((method for method in methods if method.name == standings.leader), full)
    pages = counted(len(sweep.test.queries), "test page")
    plot = click_plot(sweep, methods, chosen.number)
    return ClickPart(
        key="clicks",
        measure=NAMES.get(sweep.measure, sweep.measure),
        n_pages=pages,
        findings=said,
        chosen=chosen.number,
        heading=kept_heading(rows, chosen.name, chosen.above),
        about=f"{counted(len(sweep), 'model')} on {pages}",
        plot=plot,
        off=_off(plot.off),
        cards=[method_card(method, full, sweep.measure, said.digits, standings) for method in methods],
        table_heading=verdicts_heading([method.name for method in methods], [method.verdict for method in methods]),
        table=methods_table(methods, said.digits),
        chosen_on=standings.pages if standings.is_fresh else "the pages they are judged on",
        moved=moved_pages(sweep, methods),
        tables=click_tables(sweep, rows, standings),
        definitions=click_definitions(sweep, methods),
        data={
            "exports": table_exports(
                pl.DataFrame([row.to_dict() for row in rows]),
                chosen_table(rows, sweep.measure),
                kind="click summary",
                about={"measure": sweep.measure, "n_pages": len(sweep.test.queries)},
            )
        },
    )


def _off(names: list[str]) -> str:
    """Which models are not on the chart."""
    if not names:
        return ""
    more = f" and {len(names) - MOST_NAMES:,} more" if len(names) > MOST_NAMES else ""
    return f"Off the chart: {', '.join(names[:MOST_NAMES])}{more}."
