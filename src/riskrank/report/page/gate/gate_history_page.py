"""The page of a history of gates: the use of every limit over releases, what they changed together, each of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from riskrank.assessment.gating.gate_trends import long_runs, measures_of
from riskrank.report.findings.gate_history_findings import history_findings
from riskrank.report.findings.words import counted, joined
from riskrank.report.page.document import asset, render, report
from riskrank.report.page.gate.release_plot import drift_plot, use_plot

if TYPE_CHECKING:
    from collections.abc import Sequence

    from riskrank.assessment.gating.gate_history import GateHistory
    from riskrank.assessment.gating.gate_trends import LongRun
    from riskrank.report.findings.gate_history_findings import HistoryFindings, TrendFinding
    from riskrank.report.page.gate.release_plot import ReleasePlot

FOOTER = "Use of a limit: value over limit; of limits below 0, what is below 0 over the limit"
MOST_OPEN = 12  # limits that are seen without a click
IN_NOTEBOOK = 2  # limits, and releases
DEFINITIONS = [
    ("Use of a limit", "The value of a check over its limit, 100% where it is reached; 0% where a limit of 0 is kept. "
     "Least values above 0, tests and lists of topics have none."),
    ("Gain", "Mean change against the baseline: of the comparison that fails, or else of the first."),
    ("Passed", "All checks of all comparisons held, also those of segments."),
    ("Release", "A candidate that was judged, whether or not it was used afterwards."),
]  # fmt: skip


class LimitFigure(NamedTuple):
    """A limit, and its plot."""

    said: TrendFinding
    plot: ReleasePlot


class DriftFigure(NamedTuple):
    """What the releases changed together by a measure."""

    measure: str
    note: str
    plot: ReleasePlot


@dataclass(frozen=True)
class HistoryPart:
    """All of it, from top to bottom; releases have the last one first."""

    key: str
    measure: str
    cautions: tuple[str, ...]
    said: HistoryFindings
    ends: tuple[str, str]
    figures: list[LimitFigure]
    more: list[LimitFigure]
    drifts: list[DriftFigure]
    definitions: list[tuple[str, str]]
    data: dict[str, Any]


def gate_history_page(history: GateHistory) -> str:
    """A self-contained page."""
    said = history_findings(history)
    releases = counted(len(history.gates), "release")
    days = list(dict.fromkeys(each.date for each in said.releases))
    context = ["gates", releases, *([" to ".join((days[0], days[-1])[: len(days)])] if days else [])]
    return report(
        "gate_history.html",
        title=f"Gates: {releases}",
        context=[*context, ", ".join(measures_of(history))],
        footer=FOOTER,
        parts=[_part(history, said)],
        exports=(),
        scripts=(),
    )


def gate_history_notebook(history: GateHistory) -> str:
    """HTML for a notebook's cell: the finding, the limits of which most is used now, and the last releases."""
    said = history_findings(history)
    part = _part(history, said)
    most_used = sorted((*part.figures, *part.more), key=lambda each: -each.said.trend.known[-1])[:IN_NOTEBOOK]
    values = {
        "style": "".join(map(asset, ("tokens.css", "marks.css", "notebook.css"))),
        "cautions": history.cautions,
        "finding": joined(said.headline, said.drift),
        "figures": most_used,
        "ends": part.ends,
        "releases": said.releases[::-1][:IN_NOTEBOOK],
        "notes": said.notes,
    }
    return render("gate_history_notebook.html", values)


def _part(history: GateHistory, said: HistoryFindings) -> HistoryPart:
    labels = [each.label for each in said.releases]
    figures = [LimitFigure(each, use_plot(each.trend.uses, each.trend.broken, labels)) for each in said.trends]
    return HistoryPart(
        key="gates",
        measure="",
        cautions=history.cautions,
        said=said,
        ends=_ends(labels),
        figures=figures[:MOST_OPEN],
        more=figures[MOST_OPEN:],
        drifts=[DriftFigure(run.measure, _what_is_drawn(run), drift_plot(run.steps)) for run in long_runs(history)],
        definitions=DEFINITIONS,
        data={},
    )


def _what_is_drawn(run: LongRun) -> str:
    if run.how == "one baseline":
        return f"gain over {run.baseline}, less that of the first release"
    return f"changes of {counted(len(run.steps), 'release')}, added up"


def _ends(labels: Sequence[str]) -> tuple[str, str]:
    """The names of the first and of the last release."""
    return (labels[0], labels[-1] if len(labels) > 1 else "") if labels else ("", "")
