"""One measure of a report: what its templates write and draw, and what its script knows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

import numpy as np

from riskrank.errors import one_line
from riskrank.report.findings.assessment_findings import (
    FEW_SYSTEMS,
    findings,
    leader,
    live_sentence,
    noun,
    rivals,
    start_alpha,
)
from riskrank.report.findings.digits import digits_of
from riskrank.report.findings.headings import (
    changes_heading,
    losers_of,
    plot_heading,
    shared_losses_heading,
    shared_losses_note,
    table_heading,
)
from riskrank.report.findings.words import counted, plural
from riskrank.report.page.explorer_part import explorer_part
from riskrank.report.page.method_notes import command_line, definitions, notes
from riskrank.report.page.plots.change_bars import EDGES, change_bars
from riskrank.report.page.plots.tradeoff_plot import tradeoff_plot
from riskrank.report.page.plots.weight_rail import weight_rail
from riskrank.report.page.system_data import COLUMNS, system_data
from riskrank.report.page.systems_table import systems_table
from riskrank.report.page.topic_data import topic_data
from riskrank.report.text.latex import latex_table
from riskrank.risk.paired import difference

if TYPE_CHECKING:
    from collections.abc import Sequence

    from riskrank.assessment.assessment import Assessment, SystemSummary
    from riskrank.assessment.significance import Tally
    from riskrank.report.findings.assessment_findings import Findings
    from riskrank.report.findings.digits import Digits
    from riskrank.report.page.explorer_part import ExplorerPart
    from riskrank.report.page.plots.tradeoff_plot import TradeoffPlot
    from riskrank.report.page.plots.weight_rail import WeightRail
    from riskrank.report.page.systems_table import Row, SystemsTable
    from riskrank.report.page.top_documents import TopDocuments
    from riskrank.report.page.topic_data import TopicData
    from riskrank.report.table import TitledTable

FIRST_ROWS = 12  # of the table, where there are many systems
SHARED_TOPICS = 6  # that most systems lose


class SharedLoss(NamedTuple):
    """A topic that several systems lose: the baseline's score, how many, and changes (the median, or of each)."""

    topic: str
    baseline: str
    n_systems: int
    share: float
    changes: list[str]


class SharedLosses(NamedTuple):
    """The topics that several systems lose."""

    heading: str
    note: str
    columns: list[str]  # systems, where there are few
    rows: list[SharedLoss]


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


@dataclass(frozen=True)
class MeasurePart:
    """All of it, from top to bottom."""

    key: str
    measure: str
    context: list[str]
    unit: str
    units: str
    cautions: Sequence[str]
    findings: Findings
    live: str
    alpha: float
    level: float
    n_systems: int
    hero: Hero | None
    table_heading: str
    table: SystemsTable
    chosen: Row | None
    explorer: ExplorerPart | None
    facts: Facts | None
    tables: Sequence[TitledTable]
    definitions: list[tuple[str, str]]
    notes: list[str]
    command: str
    columns: Sequence[tuple[str, str, str]]
    data: dict[str, Any]
    edges: ClassVar = EDGES

    @property
    def is_few(self) -> bool:
        """Are all systems named and drawn with their intervals?"""
        return self.n_systems <= FEW_SYSTEMS

    @property
    def first_rows(self) -> int:
        """So many rows are open."""
        return len(self.table.rows) if self.is_few else FIRST_ROWS

    @property
    def interval_title(self) -> str:
        """Of the intervals of gains."""
        return f"{1 - self.level:.0%} interval"


def measure_part(
    assessment: Assessment, number: int, *, rankings: TopDocuments | None, tables: Sequence[TitledTable] = ()
) -> MeasurePart:
    """What a report says of an assessment; `number` tells it from others on the page."""
    compared, digits, alpha = rivals(assessment), digits_of(assessment), start_alpha(assessment)
    scores, unit, columns = assessment.scores, noun(assessment), _columns(assessment)
    best = leader(assessment) or (compared[0] if compared else None)
    table = systems_table(assessment, alpha)
    is_tested = best is not None and len(scores.topics) > 1 and any(each.wins + each.losses for each in compared)
    chosen = hero = facts = topics = explorer = None
    if best is not None:
        chosen = next(row for row in table.rows if assessment.systems[row.number] is best)
        if scores.topics:
            topics = topic_data(assessment, chosen.number, decimals=digits.n_decimals, rankings=rankings)
            explorer = explorer_part(assessment, topics, chosen.number, digits)
        if is_tested:
            hero, facts = _hero(assessment, best, alpha), _facts(assessment, best, digits)
    return MeasurePart(
        key=f"m{number}",
        measure=scores.measure,
        context=_context(assessment),
        unit=unit,
        units=plural(unit),
        cautions=assessment.cautions,
        findings=findings(assessment),
        live=live_sentence(assessment, alpha) if is_tested else "",
        alpha=alpha,
        level=assessment.level,
        n_systems=len(compared),
        hero=hero,
        table_heading=table_heading(assessment) if is_tested else "Systems",
        table=table,
        chosen=chosen,
        explorer=explorer,
        facts=facts,
        tables=tables,
        definitions=definitions(assessment),
        notes=notes(assessment),
        command=command_line(assessment),
        columns=columns,
        data=_data(assessment, alpha, best, digits, topics, columns),
    )


def _context(assessment: Assessment) -> list[str]:
    n_others = sum(not each.is_baseline for each in assessment.systems)
    against = f"{counted(n_others, 'system')} against {assessment.baseline}"
    return [assessment.scores.title, against, counted(len(assessment.scores.topics), noun(assessment))]


def _hero(assessment: Assessment, best: SystemSummary, alpha: float) -> Hero:
    plot = tradeoff_plot(assessment, best.system, alpha)
    is_cut = bool(plot.off)
    return Hero(
        heading=plot_heading(assessment),
        plot=plot,
        full_plot=tradeoff_plot(assessment, best.system, alpha, cut=False) if is_cut else None,
        off=_off_chart(assessment, plot.off) if is_cut else "",
        rail=weight_rail(assessment),
        tally=assessment.significance.tally(alpha),
    )


def _off_chart(assessment: Assessment, names: Sequence[str]) -> str:
    """Which systems are not drawn, and what they lose."""
    risks = sorted(assessment[name].risk for name in names)
    span = f"{risks[0]:.2f}" if f"{risks[0]:.2f}" == f"{risks[-1]:.2f}" else f"{risks[0]:.2f} to {risks[-1]:.2f}"
    more = f" and {len(names) - SHARED_TOPICS} more" if len(names) > SHARED_TOPICS else ""
    return f"Off the chart, mean loss {span}: {', '.join(names[:SHARED_TOPICS])}{more}."


def _facts(assessment: Assessment, system: SystemSummary, digits: Digits) -> Facts:
    return Facts(
        heading=changes_heading(assessment, system),
        bars=change_bars(assessment.helped_hurt(system.system)),
        shared=_shared_losses(assessment, digits),
    )


def _shared_losses(assessment: Assessment, digits: Digits) -> SharedLosses | None:
    compared = rivals(assessment)
    if len(compared) < 2:
        return None
    names = [each.system for each in compared]
    deltas = difference(np.array([assessment.scores[name] for name in names]), assessment.baseline_scores)
    losing = (deltas < 0).sum(axis=0)
    is_few = len(compared) <= FEW_SYSTEMS
    n_topics = int((losing >= 2).sum()) if is_few else int((losing > len(compared) / 2).sum())
    order = np.lexsort((deltas.mean(axis=0), -losing))[:SHARED_TOPICS]
    least = 2 if is_few else 1
    rows = []
    for q in (q for q in order.tolist() if losing[q] >= least):
        changes = deltas[:, q].tolist() if is_few else [float(np.median(deltas[:, q]))]
        rows.append(
            SharedLoss(
                assessment.scores.topics[q], digits.score(float(assessment.baseline_scores[q])), int(losing[q]),
                round(100 * int(losing[q]) / len(compared), 1), [digits.gain(change) for change in changes],
            )
        )  # fmt: skip
    if not rows:
        return None
    heading = shared_losses_heading(assessment, n_topics)
    return SharedLosses(heading, shared_losses_note(assessment), names if is_few else [], rows)


def _columns(assessment: Assessment) -> list[tuple[str, str, str]]:
    """The columns that have something to show."""
    has_ranks = any(each.kendall_tau is not None for each in assessment.systems)
    has_z = assessment.systems and not any(np.isnan(at.zrisk) for at in assessment.systems[0].at)
    left_out = set() if has_ranks else {"tau", "reranked"}
    left_out |= set() if has_z else {"zrisk", "georisk"}
    return [column for column in COLUMNS if column[0] not in left_out]


def _data(
    assessment: Assessment,
    alpha: float,
    best: SystemSummary | None,
    digits: Digits,
    topics: TopicData | None,
    columns: Sequence[tuple[str, str, str]],
) -> dict[str, Any]:
    """For the page's script."""
    grid = assessment.significance.alphas
    numbers = {each.system: i for i, each in enumerate(assessment.systems)}
    baseline = numbers.get(assessment.baseline)
    return {
        "measure": assessment.scores.measure,
        "correction": assessment.correction,
        "unit": noun(assessment),
        "units": plural(noun(assessment)),
        "baseline": one_line(assessment.baseline, limit=400),
        "baselineNumber": baseline,
        "digits": digits.n_decimals,
        "alphas": list(grid),
        "start": grid.index(alpha),
        "chosen": None if best is None else numbers[best.system],
        "firstRows": FIRST_ROWS,
        "fewSystems": FEW_SYSTEMS,
        "live": [live_sentence(assessment, each) for each in grid] if best else [],
        "systems": system_data(assessment, digits, losers_of(assessment)),
        "columns": [list(column) for column in columns],
        "topics": None if topics is None else topics.to_json(),
        "latex": latex_table(assessment),
    }
