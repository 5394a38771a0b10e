"""One measure of a page: its numbers, collected for the template and for the page's script."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from riskrank.report.charts.sources import rivals
from riskrank.report.page.figure import Figure, figure, without_rows
from riskrank.report.page.page_data import default_alpha, page_data
from riskrank.report.table import Table
from riskrank.report.text.formatting import number, optional, signed
from riskrank.report.text.wording import footnotes, meaning

if TYPE_CHECKING:
    from collections.abc import Sequence

    from riskrank.assessment.assessment import Assessment, SystemSummary
    from riskrank.report.page.top_documents import TopDocuments
    from riskrank.report.table import TitledTable

LARGEST_ALPHA = 20.0  # of the slider
MOST_BARS = 6  # systems in one histogram; with more, it shows the one that is picked
MOST_OPEN = 8  # systems whose words are open at first


@dataclass(frozen=True)
class Section:
    """What a page shows of an assessment, from top to bottom, and what its script knows."""

    heading: str  # empty where the page's title says it
    words: Sequence[str]
    tables: Sequence[TitledTable]
    alpha: float
    systems: Table
    first_figures: Sequence[Figure]
    meanings: Sequence[tuple[str, str]]  # of each system, in words
    more_figures: Sequence[Figure]
    choices: Sequence[tuple[int, str]]  # the systems whose topics can be looked at
    topic_figures: Sequence[Figure]
    notes: Sequence[str]
    data: dict[str, Any]
    largest_alpha: float = LARGEST_ALPHA

    @property
    def is_open(self) -> bool:
        """Are the words about each system shown at first?"""
        return len(self.systems.rows) <= MOST_OPEN


def assessed_section(
    assessment: Assessment,
    *,
    words: Sequence[str],
    heading: str = "",
    tables: Sequence[TitledTable] = (),
    first_figures: Sequence[Figure] = (),
    more_figures: Sequence[Figure] = (),
    rankings: TopDocuments | None = None,
) -> Section:
    """All that a page says about an assessment.

    Parameters
    ----------
    assessment
        The systems against their baseline.
    words
        What is said first, most important first.
    heading
        Above it all, where a page has several sections.
    tables
        Before the table of systems.
    first_figures, more_figures
        Right after that table, and further down beside the histogram of queries helped and hurt.
    rankings
        The documents that each system ranks first, where they are known.
    """
    compared = rivals(assessment)
    histogram, rows_by_system = _histogram(assessment, compared)
    topic_figures = _topic_figures(assessment, compared)
    charts = [*first_figures, *more_figures, *histogram, *topic_figures]
    return Section(
        heading=heading,
        words=words,
        tables=tables,
        alpha=default_alpha(assessment.alphas),
        systems=systems_table(assessment),
        first_figures=first_figures,
        meanings=[(s.system, meaning(assessment, s)) for s in assessment.systems if not s.is_baseline],
        more_figures=[*histogram, *more_figures],
        choices=[(i, s.system) for i, s in enumerate(assessment.systems) if not s.is_baseline] if compared else [],
        topic_figures=topic_figures,
        notes=footnotes(assessment, with_marks=False),
        data=page_data(
            assessment, {chart.name: chart.spec for chart in charts}, rankings=rankings, helped=rows_by_system
        ),
    )


def _histogram(
    assessment: Assessment, compared: Sequence[SystemSummary]
) -> tuple[list[Figure], list[list[dict[str, Any]]] | None]:
    """Queries helped and hurt; of many systems one at a time, with the rows of each for the script."""
    if not compared:
        return [], None
    if len(compared) <= MOST_BARS:
        return [figure("helped-hurt", assessment)], None
    from riskrank.report.charts.helped_hurt import helped_hurt_rows
    from riskrank.report.charts.style import named

    drawn = figure("helped-hurt", assessment, systems=[compared[0].system])
    drawn.spec["encoding"].pop("color", None)
    rows = helped_hurt_rows(assessment)
    return [drawn], [[row for row in rows if row["system"] == named(s.system)] for s in assessment.systems]


def _topic_figures(assessment: Assessment, compared: Sequence[SystemSummary]) -> list[Figure]:
    if not compared:
        return []
    alpha = default_alpha(assessment.alphas)
    names = ("topics", "exploratory") if len(assessment.scores.topics) > 1 else ("topics",)
    return [without_rows(figure(name, assessment, system=compared[0].system, alpha=alpha)) for name in names]


def systems_table(assessment: Assessment) -> Table:
    """A row per system; the cells that depend on alpha are filled by the page's script."""
    with_changes = any(system.kendall_tau is not None for system in assessment.systems)
    titles = {
        "system": "system", "effectiveness": assessment.scores.measure, "gain": "gain", "risk": "risk",
        "reward": "reward", "urisk": "URisk", "trisk": "TRisk", "p": "p", "holm": "p Holm", "verdict": "verdict",
        "outcomes": "W/L/T", "large": ">20 %", "cvar": "CVaR", "georisk": "GeoRisk",
        **({"tau": "τ", "reranked": "re-ranked"} if with_changes else {}),
    }  # fmt: skip
    cells = [_system_cells(system) for system in assessment.systems]
    return Table(
        header=list(titles.values()),
        rows=[[known.get(key, "") for key in titles] for known in cells],
        kind="systems",
        keys=list(titles),
        words=[list(titles).index("verdict")],
        baseline_row=next((i for i, system in enumerate(assessment.systems) if system.is_baseline), None),
    )


def _system_cells(system: SystemSummary) -> dict[str, str]:
    if system.is_baseline:
        return {"system": f"{system.system} (baseline)", "effectiveness": number(system.effectiveness)}
    return {
        "system": system.system, "effectiveness": number(system.effectiveness), "gain": signed(system.gain),
        "risk": number(system.risk), "reward": number(system.reward),
        "outcomes": f"{system.wins}/{system.losses}/{system.ties}", "large": str(system.large_losses),
        "cvar": number(system.cvar), "tau": optional(system.kendall_tau, "{:.3f}"),
        "reranked": optional(system.reranked, "{:.0%}"),
    }  # fmt: skip
