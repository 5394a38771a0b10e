"""The page of a sweep: the point to use, the curve that proves it, and what each step costs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from riskrank.report.findings.sweeps.model_words import model_name
from riskrank.report.findings.sweeps.sweep_findings import sweep_findings
from riskrank.report.findings.sweeps.sweep_headings import curve_heading
from riskrank.report.findings.words import counted, queries_counted
from riskrank.report.page.document import report
from riskrank.report.page.plots.sweep_plot import sweep_plot
from riskrank.report.page.plots.verdict_marks import CLASSES, verdict_codes
from riskrank.report.page.plots.weight_rail import stops_json, weight_rail
from riskrank.report.page.sweeps.changes_part import changes_part, shown_model
from riskrank.report.page.sweeps.closed_parts import closed_tables, sweep_definitions
from riskrank.report.page.sweeps.model_significance import model_significance, model_verdicts
from riskrank.report.page.sweeps.point_card import point_card
from riskrank.report.page.sweeps.steps_table import steps_table
from riskrank.report.page.table_exports import EXPORTS, table_exports
from riskrank.report.text.sweep_text import summary_table
from riskrank.tradeoff.grid import symbol

if TYPE_CHECKING:
    from riskrank.report.findings.sweeps.sweep_findings import SweepFindings
    from riskrank.report.page.plots.sweep_plot import SweepPlot
    from riskrank.report.page.plots.weight_rail import WeightRail
    from riskrank.report.page.sweeps.changes_part import ChangesPart
    from riskrank.report.page.sweeps.point_card import PointCard
    from riskrank.report.page.sweeps.steps_table import StepsTable
    from riskrank.report.table import TitledTable
    from riskrank.tradeoff.operating_point import OperatingPoint
    from riskrank.tradeoff.sweep import Sweep

FOOTER = "Intervals and tests: mirror-shift bootstrap; dots: Holm’s correction"


@dataclass(frozen=True)
class SweepPart:
    """All of it, from top to bottom."""

    key: str
    measure: str
    findings: SweepFindings
    heading: str
    about: str
    trained: str
    lines: str
    plot: SweepPlot
    card: PointCard
    rail: WeightRail
    rail_note: str
    table_heading: str
    table: StepsTable
    changes: ChangesPart
    tables: list[TitledTable]
    definitions: list[tuple[str, str]]
    data: dict[str, Any]


def sweep_page(sweep: Sweep, *, point: OperatingPoint | None = None, title: str = "", source: str = "") -> str:
    """A self-contained page; `source` names the file with the queries."""
    usual = f"{sweep.measure} against {sweep.baseline}: {', '.join(sweep.series)}"
    return report(
        "sweep_report.html",
        title=title or usual,
        context=[*_context(sweep), source],
        footer=FOOTER,
        parts=[_part(sweep, point)],
        exports=EXPORTS,
        scripts=["tools.js", "weights.js", "sweep.js"],
    )


def _part(sweep: Sweep, point: OperatingPoint | None) -> SweepPart:
    said, significance = sweep_findings(sweep, point), model_significance(sweep)
    verdicts, names = model_verdicts(significance), {i: model_name(sweep, i) for i in range(len(sweep))}
    plot = sweep_plot(sweep, point, verdicts)
    about = {"measure": sweep.measure, "baseline": sweep.baseline, "n_queries": len(sweep.test.queries)}
    return SweepPart(
        key="sweep",
        measure=sweep.measure,
        findings=said,
        heading=curve_heading(sweep, point),
        about=f"{counted(len(sweep), 'model')} on {counted(len(sweep.test.queries), 'test query')}",
        trained=", trained with losses that weigh 1 + α" if sweep.parameter == "alpha" else "",
        lines=_lines(plot),
        plot=plot,
        card=point_card(sweep, point, said.digits),
        rail=weight_rail(significance, names, by_weight=True),
        rail_note=_rail_note(point, names),
        table_heading=said.step.removesuffix(".") or "What each model gains and risks",
        table=steps_table(sweep, point, said, verdicts),
        changes=changes_part(sweep, shown_model(sweep, point), said.digits),
        tables=closed_tables(sweep, point),
        definitions=sweep_definitions(sweep, point),
        data={
            "exports": table_exports(sweep.summary, summary_table(sweep), kind="sweep summary", about=about),
            **stops_json(significance.alphas),
            "models": [verdict_codes(row) for row in significance.verdicts.tolist()],
            "verdicts": CLASSES,
        },
    )


def _rail_note(point: OperatingPoint | None, names: dict[int, str]) -> str:
    """A coin changes nothing about what its model is shown to gain: they share a lane."""
    if point is None or point.index is None or point.probability == 1:
        return ""
    return f"On {point.probability:.0%} of queries, {names[point.index]} is as significant as on all."


def _lines(plot: SweepPlot) -> str:
    """What is drawn beside the models."""
    named = {"mixture": "Thin line", "coin": "Dashed line", "selective": "Grey line"}
    return " ".join(f"{named[curve.kind]}: {curve.name}." for curve in plot.curves[::-1] if curve.kind in named)


def _context(sweep: Sweep) -> list[str]:
    """The measure, what was trained, against what, on how many queries."""
    rankers = {type(ranker).__name__ for ranker in (sweep.rankers or {}).values()}
    ranker = f"{rankers.pop()} with " if len(rankers) == 1 else ""
    swept = " and ".join(dict.fromkeys(symbol(setting.parameter) for setting in sweep.settings))
    folds = f" in {sweep.n_folds} folds" if sweep.n_folds > 1 else ""
    return [
        sweep.measure,
        f"sweep over {swept}, {ranker}{', '.join(sweep.series)}",
        f"against {sweep.baseline}",
        f"{queries_counted(sweep.test)}{folds}",
    ]
