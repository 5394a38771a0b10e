"""Experiments of a paper as a page: ours above the paper's, the figures with the paper's axes, claims, departures."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from riskrank.errors import counted
from riskrank.papers.outcome import PaperNumber
from riskrank.report.page.document import report
from riskrank.report.papers.figure_plot import figure_plot
from riskrank.report.papers.reproduction_text import VERDICTS, claim_legend, table_legend
from riskrank.report.text.formatting import decimals

if TYPE_CHECKING:
    from collections.abc import Sequence

    from riskrank.papers.outcome import Outcome, PaperRow, PaperTable
    from riskrank.papers.paper import Experiment
    from riskrank.papers.reproduction import Reproduction
    from riskrank.report.papers.figure_plot import FigurePlot

KINDS = {True: "gain", False: "loss", None: "open"}
CLAIM_KINDS = {"holds": "gain", "does not hold": "loss", "undecided": "open"}


@dataclass(frozen=True)
class PageCell:
    """A cell: ours, the paper's, and whether they agree (gain, loss, open)."""

    ours: str
    printed: str
    kind: str
    mark: str


@dataclass(frozen=True)
class PageTable:
    """A table of the page."""

    title: str
    note: str
    label: str
    columns: Sequence[str]
    rows: list[tuple[str, list[PageCell]]]
    legend: str
    not_compared: list[str]

    @property
    def is_printed(self) -> bool:
        """Has the paper any of its numbers?"""
        return any(cell.printed for _, cells in self.rows for cell in cells)


@dataclass(frozen=True)
class PageClaim:
    """A claim of the page, with its sign."""

    mark: str
    kind: str
    said: str


@dataclass(frozen=True)
class OutcomePart:
    """An experiment of the page."""

    key: str
    measure: str
    heading: str
    state: str
    about: str
    tables: list[PageTable]
    figures: list[FigurePlot]
    claims: list[PageClaim]
    claim_legend: str
    departures: Sequence[str]
    data: dict[str, Any]


def reproduction_page(reproduction: Reproduction) -> str:
    """A self-contained page."""
    paper = reproduction.paper
    parts = [_part(paper.experiment(key), outcome) for key, outcome in reproduction.outcomes.items()]
    return report(
        "reproduction.html",
        title=f"{paper.key}: {paper.title}",
        context=[f"{paper.authors}: {paper.title}", paper.venue, counted(len(parts), "experiment")],
        parts=parts,
        exports=(),
        scripts=(),
    )


def _part(experiment: Experiment, outcome: Outcome) -> OutcomePart:
    return OutcomePart(
        key=experiment.key,
        measure=experiment.key.replace("-", " ").capitalize(),
        heading=experiment.title,
        state=experiment.state_text(outcome.state, outcome.count),
        about=outcome.data,
        tables=[_table(table) for table in outcome.tables],
        figures=[figure_plot(figure) for figure in outcome.figures],
        claims=[PageClaim(VERDICTS[each.verdict], CLAIM_KINDS[each.verdict], each.said) for each in outcome.claims],
        claim_legend=claim_legend(outcome),
        departures=outcome.departures,
        data={},
    )


def _table(table: PaperTable) -> PageTable:
    reasons = dict.fromkeys(number.why_not for number in table.numbers() if number.why_not)
    rows = [(row.label, _cells(row)) for row in table.rows]
    return PageTable(table.title, table.note, table.label, table.columns, rows, table_legend(table), list(reasons))


def _cells(row: PaperRow) -> list[PageCell]:
    cells = []
    for cell in row.cells:
        if not isinstance(cell, PaperNumber):
            cells.append(PageCell(cell or "", "", "open", ""))
            continue
        printed = "" if cell.printed is None else decimals(cell.printed, cell.digits)
        mark = {True: "✓", False: "✗", None: ""}[cell.agrees]
        cells.append(PageCell(decimals(cell.ours, cell.digits), printed, KINDS[cell.agrees], mark))
    return cells
