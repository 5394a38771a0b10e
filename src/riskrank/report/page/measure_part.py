"""One measure of a report: what its templates write and draw, and what its script knows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from riskrank.report.findings.assessment_findings import (
    FEW_SYSTEMS,
    findings,
    live_sentence,
    noun,
    other_leaders,
    rivals,
    start_alpha,
    system_numbers,
)
from riskrank.report.findings.digits import digits_of, risk_text
from riskrank.report.findings.headings import changes_heading, losers_of, plot_heading, table_heading
from riskrank.report.findings.words import counted, glued, plural, topics_counted
from riskrank.report.page.explorer.explorer_part import explorer_part
from riskrank.report.page.explorer.topic_data import topic_data
from riskrank.report.page.method_notes import (
    CORRECTED,
    assessment_definitions,
    command_line,
    has_zrisk,
    interval_title,
    notes_on_data,
)
from riskrank.report.page.plots.change_bars import EDGES, change_bars
from riskrank.report.page.plots.georisk_plot import georisk_plot
from riskrank.report.page.plots.tradeoff_plot import tradeoff_plot
from riskrank.report.page.plots.verdict_marks import CLASSES, WORDS
from riskrank.report.page.plots.weight_rail import stops_json, weight_rail
from riskrank.report.page.shared_losses import shared_losses
from riskrank.report.page.system_data import COLUMNS, FIELDS, stop_values, system_data
from riskrank.report.page.system_names import whole_name
from riskrank.report.page.systems_table import is_tested, systems_table
from riskrank.report.text.latex import latex_table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from riskrank.assessment.assessment import Assessment, SystemSummary
    from riskrank.assessment.significance import Tally
    from riskrank.report.findings.assessment_findings import Findings
    from riskrank.report.findings.digits import Digits
    from riskrank.report.page.explorer.explorer_part import ExplorerPart
    from riskrank.report.page.explorer.top_documents import TopDocuments
    from riskrank.report.page.plots.georisk_plot import GeoRiskPlot
    from riskrank.report.page.plots.tradeoff_plot import TradeoffPlot
    from riskrank.report.page.plots.weight_rail import WeightRail
    from riskrank.report.page.shared_losses import SharedLosses
    from riskrank.report.page.systems_table import SystemsTable
    from riskrank.report.table import TitledTable

FIRST_ROWS = 12  # of the table, where there are many systems
WHOLE = 100  # percent of the axis of alphas
MOST_NAMED = 6  # systems that are off the chart


@dataclass(frozen=True)
class Hero:
    """The picture that proves the finding, and what moves it."""

    heading: str
    plot: TradeoffPlot
    full_plot: TradeoffPlot | None  # with the systems that are off the first
    off: str
    rail: WeightRail
    tally: Tally


@dataclass(frozen=True)
class Facts:
    """The shape of the changes."""

    heading: str
    bars: list[int]
    shared: SharedLosses | None
    edges: ClassVar = EDGES


@dataclass(frozen=True)
class MeasurePart:
    """All of it, from top to bottom."""

    key: str
    measure: str
    context: list[str]
    baseline: str
    unit: str
    units: str
    cautions: Sequence[str]
    findings: Findings
    live: str
    others: str  # who leads by other measures
    alpha: float
    interval_title: str
    corrected: str
    n_systems: int
    n_topics: int
    hero: Hero | None
    table_heading: str
    table: SystemsTable
    explorer: ExplorerPart | None
    facts: Facts | None
    georisk: GeoRiskPlot | None
    tables: Sequence[TitledTable]
    definitions: list[tuple[str, str]]
    notes: list[str]
    command: str
    columns: Sequence[tuple[str, str, str]]
    data: dict[str, Any]

    @property
    def is_few(self) -> bool:
        """Are all systems named and drawn with their intervals?"""
        return self.n_systems <= FEW_SYSTEMS

    @property
    def has_unseen_losses(self) -> bool:
        """Is there a system without a loss whose gain is not significant at every alpha?"""
        return any(row.is_compared and not row.hurt and row.up_to.place < WHOLE for row in self.table.rows)

    @property
    def first_rows(self) -> int:
        """So many rows are open."""
        return len(self.table.rows) if self.is_few else FIRST_ROWS


def measure_part(
    assessment: Assessment,
    number: int,
    *,
    rankings: TopDocuments | None,
    tables: Sequence[TitledTable] = (),
    others: Sequence[Assessment] = (),
) -> MeasurePart:
    """What a report says of an assessment; `number` tells it from the `others` on the page."""
    compared, digits, alpha = rivals(assessment), digits_of(assessment), start_alpha(assessment)
    scores, unit, columns = assessment.scores, noun(assessment), _columns(assessment)
    table, losing, has_tests = systems_table(assessment, alpha), losers_of(assessment), is_tested(assessment)
    hero = facts = topics = explorer = None
    if table.chosen is not None:
        chosen = table.chosen.number
        if scores.topics:
            topics = topic_data(assessment, chosen, losing=losing, decimals=digits.n_decimals, rankings=rankings)
            explorer = explorer_part(assessment, topics, chosen, digits, alpha=alpha, losing=losing)
        if has_tests:
            best = assessment.systems[chosen]
            hero, facts = _hero(assessment, best, alpha), _facts(assessment, best, losing, digits)
    at_stops = stop_values(assessment)
    return MeasurePart(
        key=f"m{number}",
        measure=scores.measure,
        context=_context(assessment),
        baseline=whole_name(assessment.baseline),
        unit=unit,
        units=plural(unit),
        cautions=assessment.cautions,
        findings=findings(assessment),
        live=live_sentence(assessment, alpha) if has_tests else "",
        others=other_leaders(assessment, others),
        alpha=alpha,
        interval_title=interval_title(assessment),
        corrected=CORRECTED[assessment.correction],
        n_systems=len(compared),
        n_topics=len(scores.topics),
        hero=hero,
        table_heading=table_heading(assessment) if has_tests else "Systems",
        table=table,
        explorer=explorer,
        facts=facts,
        georisk=georisk_plot(assessment, at_stops.get("georisk", ())) if has_tests else None,
        tables=tables,
        definitions=assessment_definitions(assessment),
        notes=notes_on_data(assessment),
        command=command_line(assessment),
        columns=columns,
        data={
            **_known(assessment, alpha, has_tests=has_tests),
            "digits": digits.n_decimals,
            "chosen": None if table.chosen is None else table.chosen.number,
            "systems": system_data(assessment, digits, losing, at_stops),
            "columns": [list(column) for column in columns],
            "topics": None if topics is None else topics.to_json(),
        },
    )


def _known(assessment: Assessment, alpha: float, *, has_tests: bool) -> dict[str, Any]:
    """What the script knows of the assessment, beside its systems and topics."""
    grid = assessment.significance.alphas
    return {
        "measure": assessment.scores.measure,
        "unit": noun(assessment),
        "baseline": whole_name(assessment.baseline),
        "level": assessment.level,
        "correction": assessment.correction,
        **stops_json(grid),
        "start": grid.index(alpha),
        "verdicts": {code: [kind, WORDS[kind]] for code, kind in CLASSES.items()},
        "live": [glued(live_sentence(assessment, each)) for each in grid] if has_tests else [],
        "firstRows": FIRST_ROWS if len(rivals(assessment)) > FEW_SYSTEMS else None,
        "fields": FIELDS,
        "exports": {"tex": latex_table(assessment)},
    }


def _context(assessment: Assessment) -> list[str]:
    n_others = sum(not each.is_baseline for each in assessment.systems)
    against = f"{counted(n_others, 'system')} against {assessment.baseline}"
    return [assessment.scores.title, against, topics_counted(assessment.scores)]


def _hero(assessment: Assessment, best: SystemSummary, alpha: float) -> Hero:
    plot = tradeoff_plot(assessment, best.system, alpha)
    is_cut = bool(plot.off)
    return Hero(
        heading=plot_heading(assessment),
        plot=plot,
        full_plot=tradeoff_plot(assessment, best.system, alpha, cut=False) if is_cut else None,
        off=_off_chart(assessment, plot.off) if is_cut else "",
        rail=weight_rail(assessment.significance, _numbered(assessment), asked=assessment.alphas),
        tally=assessment.significance.tally(alpha),
    )


def _numbered(assessment: Assessment) -> dict[int, str]:
    """The systems that can be compared, by their numbers."""
    numbers = system_numbers(assessment)
    return {numbers[each.system]: each.system for each in rivals(assessment)}


def _off_chart(assessment: Assessment, names: Sequence[str]) -> str:
    """Which systems are not drawn, and what they lose."""
    least, most = (risk_text(end(assessment[name].risk for name in names)) for end in (min, max))
    risks = least if least == most else f"{least} to {most}"
    more = f" and {len(names) - MOST_NAMED} more" if len(names) > MOST_NAMED else ""
    return f"Off the chart, mean loss {risks}: {', '.join(names[:MOST_NAMED])}{more}."


def _facts(assessment: Assessment, system: SystemSummary, losing: Sequence[int], digits: Digits) -> Facts:
    return Facts(
        heading=changes_heading(assessment, system),
        bars=change_bars(assessment.helped_hurt(system.system)),
        shared=shared_losses(assessment, losing, digits),
    )


def _columns(assessment: Assessment) -> list[tuple[str, str, str]]:
    """The columns that have something to show."""
    has_ranks = any(each.kendall_tau is not None for each in assessment.systems)
    left_out = set() if has_ranks else {"tau", "reranked"}
    left_out |= set() if has_zrisk(assessment) else {"zrisk", "georisk"}
    return [column for column in COLUMNS if column[0] not in left_out]
