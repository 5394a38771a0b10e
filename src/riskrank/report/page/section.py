"""One measure of a page: its numbers and figures, collected for the template and for the page's script."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from riskrank.report.charts.catalogue import CHARTS
from riskrank.report.findings.assessment_findings import compared_systems
from riskrank.report.page.page_data import default_alpha, page_data
from riskrank.report.table import Table
from riskrank.report.text.cells import change_titles, effect_cells, picked
from riskrank.report.text.wording import footnotes, meaning

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Unpack

    from riskrank.assessment.assessment import Assessment, SystemSummary
    from riskrank.report.table import TitledTable
    from riskrank.tradeoff.sweep import Sweep
    from riskrank.typing import ChartOptions

MOST_BARS = 6  # systems in one histogram; with more, it shows the one that is picked
MOST_OPEN = 8  # systems whose words are open at first


@dataclass(frozen=True)
class Figure:
    """A chart by its name, as Vega-Lite, and what is said above it."""

    name: str
    caption: str
    spec: dict[str, Any]


def figure(name: str, source: Assessment | Sweep, **options: Unpack[ChartOptions]) -> Figure:
    """A chart that becomes as wide as the page lets it."""
    from riskrank.report.charts.style import vega_lite

    kind = CHARTS[name]
    spec = vega_lite(kind.draw(source, **options))
    spec["width"] = "container"
    spec["autosize"] = {"type": "fit-x", "contains": "padding"}
    return Figure(name, kind.caption_of(source), spec)


@dataclass(frozen=True)
class Section:
    """What a page shows of an assessment, from top to bottom, and what its script knows."""

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

    @property
    def is_open(self) -> bool:
        """Are the words about each system shown at first?"""
        return len(self.systems.rows) <= MOST_OPEN


def assessed_section(
    assessment: Assessment,
    *,
    words: Sequence[str],
    tables: Sequence[TitledTable] = (),
    first_figures: Sequence[Figure] = (),
) -> Section:
    """All that a page says about an assessment: `words`, `tables`, then systems, figures and topics."""
    compared = compared_systems(assessment)
    histogram, rows_by_system = _histogram(assessment, compared)
    topic_figures = _topic_figures(assessment, compared)
    charts = [*first_figures, *histogram, *topic_figures]
    return Section(
        words=words,
        tables=tables,
        alpha=default_alpha(assessment.alphas),
        systems=outcomes_table(assessment),
        first_figures=first_figures,
        meanings=[(s.system, meaning(assessment, s)) for s in assessment.systems if not s.is_baseline],
        more_figures=histogram,
        choices=[(i, s.system) for i, s in enumerate(assessment.systems) if not s.is_baseline] if compared else [],
        topic_figures=topic_figures,
        notes=footnotes(assessment, with_marks=False),
        data=page_data(assessment, {chart.name: chart.spec for chart in charts}, helped=rows_by_system),
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
    """Charts of the topics of a system, which the page's script fills with rows."""
    if not compared:
        return []
    options: ChartOptions = {"system": compared[0].system, "alpha": default_alpha(assessment.alphas)}
    names = ("topics", "exploratory") if len(assessment.scores.topics) > 1 else ("topics",)
    figures = [figure(name, assessment, **options) for name in names]
    for part in (part for each in figures for part in (each.spec, *each.spec.get("layer", ()))):
        if "values" in part.get("data", {}):
            part["data"] = {"name": part["data"]["name"], "values": []}
    return figures


def outcomes_table(assessment: Assessment) -> Table:
    """A row per system; the cells that depend on alpha are filled by the page's script."""
    titles = {
        "system": "system", "effectiveness": assessment.scores.measure, "gain": "gain", "risk": "risk",
        "reward": "reward", "urisk": "URisk", "trisk": "TRisk", "p": "p",
        "corrected": "p BH" if assessment.correction == "bh" else "p Holm", "verdict": "verdict",
        "outcomes": "W/L/T", "large": ">20 %", "cvar": "CVaR", "georisk": "GeoRisk", **change_titles(assessment),
    }  # fmt: skip
    return Table(
        header=list(titles.values()),
        rows=[
            picked(titles, {"system": f"{s.system} (baseline)" if s.is_baseline else s.system, **effect_cells(s)})
            for s in assessment.systems
        ],
        kind="systems",
        keys=list(titles),
        words=[list(titles).index("verdict")],
        baseline_row=next((i for i, system in enumerate(assessment.systems) if system.is_baseline), None),
    )
