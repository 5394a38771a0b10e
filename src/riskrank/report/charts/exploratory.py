"""Which topics stand out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from riskrank.report.charts.catalogue import ChartKind
from riskrank.report.charts.sources import as_assessment
from riskrank.report.charts.style import HEIGHT, HELPED, HURT, QUIET, WIDTH, alt, chart_of, layered, tip
from riskrank.report.charts.topics import system_shown, topic_rows
from riskrank.risk.exploratory import LIMIT

if TYPE_CHECKING:
    from riskrank.assessment.assessment import Assessment
    from riskrank.tradeoff.sweep import Sweep

OUTLIERS = ["below", "within", "above"]


def exploratory(source: Assessment | Sweep, *, system: str | None = None, alpha: float = 1.0) -> alt.LayerChart:
    """T_J of every topic: how far it lies from the mean, in standard deviations (Dinçer et al. 2014, Fig. 2)."""
    assessment = as_assessment(source)
    name = system_shown(assessment, system)
    rows = topic_rows(assessment, name, alpha, by="t_j")
    edges = [] if assessment.explore(name, alpha=alpha).reason else [{"t_j": -LIMIT}, {"t_j": LIMIT}]
    limits = chart_of(edges)
    points = chart_of(rows)
    x = alt.X("place:Q", title=f"{assessment.scores.units}, by T_J").axis(tickMinStep=1)
    y = alt.Y("t_j:Q", title="T_J at α")
    shapes = ["triangle-down", "circle", "triangle-up"]
    return layered(
        limits.mark_rule(strokeDash=[6, 4], color=QUIET).encode(y),
        points.mark_point(filled=True, opacity=0.85, clip=True).encode(
            x.scale(nice=False, domain=[0, len(assessment.scores.topics) + 1]),
            y,
            alt.Color("outlier:N", title=None).scale(domain=OUTLIERS, range=[HURT, QUIET, HELPED]),
            alt.Shape("outlier:N", title=None).scale(domain=OUTLIERS, range=shapes),
            size=alt.condition("datum.outlier == 'within'", alt.value(18), alt.value(60)),
            tooltip=["topic:N", tip("t_j", "+.2f"), tip("change", "+.4f")],
        ),
    ).properties(width=WIDTH, height=HEIGHT - 80)


EXPLORATORY = ChartKind(exploratory)
