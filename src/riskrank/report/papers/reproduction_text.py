"""Experiments of a paper in a terminal: how far each was reproduced, then ours above the paper's, row by row."""

from __future__ import annotations

from typing import TYPE_CHECKING

from riskrank.errors import counted
from riskrank.papers.outcome import PaperNumber
from riskrank.report.findings.words import words
from riskrank.report.text.formatting import aligned, decimals
from riskrank.report.text.terminal import paragraph

if TYPE_CHECKING:
    from riskrank.papers.outcome import Claim, Outcome, PaperTable
    from riskrank.papers.paper import Experiment
    from riskrank.papers.reproduction import Reproduction

MARKS = {True: "✓", False: "✗", None: ""}
VERDICTS = {"holds": "✓", "does not hold": "✗", "undecided": "?"}  # signs of claims
SIGNS, OPEN_SIGN = "✓ holds, ✗ does not hold", ", ? undecided"
ESTIMATED = (
    "; the 95 % interval in brackets decides what is estimated, and that one of several parts fails needs a level "
    "divided among them. Intervals are over test queries of one training, unless they are said to be by folds or draws"
)
LEGEND = "✓ agrees with the printed number below it, ✗ does not"


def reproduction_text(reproduction: Reproduction) -> str:
    """All experiments, in the paper's order."""
    paper = reproduction.paper
    first = f"{paper.authors}: {paper.title}. {paper.venue}."
    parts = [outcome_text(paper.experiment(key), outcome) for key, outcome in reproduction.outcomes.items()]
    return "\n\n".join([paragraph(words(first)), *parts])


def outcome_text(experiment: Experiment, outcome: Outcome) -> str:
    """An experiment: how far it was reproduced, on what, and all of it."""
    first = f"{experiment.key}: {experiment.state_text(outcome.state, outcome.count)}"
    parts = [f"{first}\n{paragraph(words(f'{experiment.title}, on {outcome.data}.'))}"]
    parts += [table_text(table) for table in outcome.tables]
    for figure in outcome.figures:
        n_points = sum(len(series.x) for series in figure.series)
        drawn = f"{counted(len(figure.series), 'curve')} of {counted(n_points, 'point')}, drawn on the page"
        parts.append(paragraph(words(f"{figure.title}: {drawn}.")))
    if outcome.claims:
        parts.append("\n".join([paragraph(words(f"{claim_legend(outcome)}.")), *map(_claim_text, outcome.claims)]))
    if outcome.departures:
        parts.append("\n".join(paragraph(words(f"Departure: {each}")) for each in outcome.departures))
    return "\n\n".join(parts)


def claim_legend(outcome: Outcome) -> str:
    """What the signs of claims mean, and over what intervals are, where there are any."""
    is_open = any(claim.verdict == "undecided" for claim in outcome.claims)
    is_estimated = any(claim.is_estimated for claim in outcome.claims)
    return f"{SIGNS}{OPEN_SIGN if is_open else ''}{ESTIMATED if is_estimated else ''}"


def table_legend(table: PaperTable) -> str:
    """What the signs of numbers mean, where there are any."""
    return LEGEND if any(number.agrees is not None for number in table.numbers()) else ""


def _claim_text(claim: Claim) -> str:
    return paragraph(words(f"{VERDICTS[claim.verdict]} {claim.said}"))


def table_text(table: PaperTable) -> str:
    """Ours above the paper's, row by row; what stands in no column of the paper's has no second line."""
    header = [table.label, "", *table.columns]
    rows, notes = [], []
    for row in table.rows:
        rows.append([row.label, "ours", *map(_ours, row.cells)])
        printed = [_printed(cell) for cell in row.cells]
        if any(printed):
            rows.append(["", "paper", *printed])
    for number in table.numbers():
        if number.why_not and number.why_not not in notes:
            notes.append(number.why_not)
    legend = table_legend(table)
    lines = aligned(header, rows, left=(table.label, ""))
    about = [f"{table.title}{f' ({table.note})' if table.note else ''}"]
    return "\n".join([*about, lines, *([legend] if legend else []), *(f"Not compared: {note}." for note in notes)])


def _ours(cell: PaperNumber | str | None) -> str:
    if not isinstance(cell, PaperNumber):
        return cell or ""
    return f"{decimals(cell.ours, cell.digits)}{MARKS[cell.agrees] or ' '}"


def _printed(cell: PaperNumber | str | None) -> str:
    if not isinstance(cell, PaperNumber) or cell.printed is None:
        return ""
    return f"{decimals(cell.printed, cell.digits)} "
