"""The change of every topic."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from riskrank.assessment.json import without_nan
from riskrank.errors import ParameterError, listing, nearest, quoted
from riskrank.report.charts.catalogue import ChartKind
from riskrank.report.charts.sources import as_assessment
from riskrank.report.charts.style import HEIGHT, HELPED, HURT, QUIET, WIDTH, alt, chart_of, tip
from riskrank.report.findings.assessment_findings import compared_systems
from riskrank.report.thinned import thinned
from riskrank.risk.exploratory import LIMIT
from riskrank.risk.paired import difference

if TYPE_CHECKING:
    from riskrank.assessment.assessment import Assessment
    from riskrank.tradeoff.sweep import Sweep

MOST_TOPICS = 2000  # that a chart shows; beyond, the middle is thinned, never the ends


def topics(source: Assessment | Sweep, *, system: str | None = None, alpha: float = 0.0) -> alt.Chart:
    """The change of every topic, worst first; those that stand out at alpha are marked."""
    assessment = as_assessment(source)
    rows = topic_rows(assessment, system_shown(assessment, system), alpha)
    chart: alt.Chart = (
        chart_of(rows)
        .mark_bar()
        .encode(
            alt.X("place:Q", title=f"{assessment.scores.units}, worst first")
            .axis(tickMinStep=1)
            .scale(nice=False, domain=[0, len(assessment.scores.topics) + 1]),
            alt.Y("change:Q", title="change against the baseline"),
            alt.Color("outcome:N", title=None).scale(
                domain=["hurt, stands out", "hurt", "unchanged", "helped", "helped, stands out"],
                range=[HURT, "#F2B48C", QUIET, "#8CBFDD", HELPED],
            ),
            tooltip=[tip("topic"), tip("baseline", ".4f"), tip("score", ".4f"), tip("change", "+.4f")],
        )
        .properties(width=WIDTH, height=HEIGHT - 80)
    )
    return chart


def topic_rows(assessment: Assessment, system: str, alpha: float, *, by: str = "change") -> list[dict[str, Any]]:
    """The topics that a chart shows, worst first."""
    scores = assessment.scores[system]
    delta = difference(scores, assessment.baseline_scores)
    explored = assessment.explore(system, alpha=alpha)
    t_j = explored.t_j
    order = np.argsort(delta if by == "change" else t_j, kind="stable")
    rows = []
    for place in thinned(len(order), MOST_TOPICS).tolist():
        q = int(order[place])
        stands_out = bool(abs(t_j[q]) > LIMIT)
        outcome = "unchanged" if delta[q] == 0 else "hurt" if delta[q] < 0 else "helped"
        rows.append(
            {
                "place": place + 1,
                "topic": assessment.scores.topics[q],
                "baseline": without_nan(assessment.baseline_scores[q]),
                "score": without_nan(scores[q]),
                "change": without_nan(delta[q]),
                "t_j": without_nan(t_j[q]),
                "outcome": f"{outcome}, stands out" if stands_out and outcome != "unchanged" else outcome,
                "outlier": "above" if t_j[q] > LIMIT else "below" if t_j[q] < -LIMIT else "within",
            }
        )
    return rows


def system_shown(assessment: Assessment, system: str | None) -> str:
    """The system that is asked for, or the first one beside the baseline."""
    names = [each.system for each in compared_systems(assessment)]
    if not names:
        raise ParameterError("there is no system to show beside the baseline.")
    if system is not None and system not in names:
        raise ParameterError(f"no system {quoted(system)}. There are: {listing(names)}.{nearest(system, names)}")
    return names[0] if system is None else system


TOPICS = ChartKind(topics)
