"""Charts of single topics and queries: who is helped and hurt, which topics stand out, and GeoRisk over all."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from riskrank.assessment.assessment import Assessment
from riskrank.errors import ParameterError, listing, nearest, quoted
from riskrank.report.charts.style import (
    HEIGHT,
    HELPED,
    HURT,
    MOST_SERIES,
    QUIET,
    WIDTH,
    alt,
    chart_of,
    colour,
    named,
    rivals,
)
from riskrank.report.page.page_data import thinned
from riskrank.risk.paired import difference
from riskrank.risk.zrisk import deviations
from riskrank.tradeoff.sweep import Sweep

if TYPE_CHECKING:
    from collections.abc import Sequence

MOST_TOPICS = 2000  # that a chart shows; beyond, the middle is thinned, never the ends


def helped_hurt(source: Assessment | Sweep, *, systems: Sequence[str] | None = None) -> Any:
    """Queries helped and hurt by relative change, in steps of 10 % (Wang et al. 2012, Fig. 3).

    Unchanged queries are left out, as there; those that rise from 0 have a bar of their own.
    """
    wanted = None if systems is None else [named(system) for system in systems]
    rows = [row for row in helped_hurt_rows(source) if wanted is None or row["system"] in wanted]
    names = list(dict.fromkeys(row["system"] for row in rows))
    buckets = list(dict.fromkeys(row["bucket"] for row in rows))
    return (
        chart_of(rows, name="helped")
        .mark_bar()
        .encode(
            alt.X("bucket:N", sort=buckets, title="relative change of a query").axis(labelAngle=-50),
            alt.Y("queries:Q", title="queries").axis(tickMinStep=1),
            alt.XOffset("system:N", sort=names),
            colour(names, "system"),
            tooltip=["system:N", "bucket:N", "queries:Q"],
        )
        .properties(width=WIDTH, height=HEIGHT - 60)
    )


def helped_hurt_rows(source: Assessment | Sweep) -> list[dict[str, Any]]:
    """A row per system and bucket."""
    if isinstance(source, Sweep):
        found = [(setting.label, source.helped_hurt(i)) for i, setting in enumerate(source.settings)]
    else:
        found = [(s.system, source.helped_hurt(s.system)) for s in rivals(source)]
    rows = []
    for system, histogram in found:
        name = named(system)
        for low, high, count in zip(histogram.lower, histogram.upper, histogram.count, strict=True):
            bucket = "+100 % or more" if math.isinf(high) else f"{100 * low:+.0f} to {100 * high:+.0f} %"
            rows.append({"system": name, "bucket": bucket.replace("+0", "0").replace("-", "−"), "queries": count})
        rows.append({"system": name, "bucket": "from zero", "queries": histogram.from_zero})
    return rows


def topics(source: Assessment | Sweep, *, system: str | None = None, alpha: float = 0.0) -> Any:
    """The change of every topic, worst first; those that stand out at alpha are marked."""
    assessment = as_assessment(source)
    rows = topic_rows(assessment, _one(assessment, system), alpha)
    return (
        chart_of(rows, name="topics")
        .mark_bar()
        .encode(
            alt.X("place:Q", title="topics, worst first")
            .axis(tickMinStep=1)
            .scale(nice=False, domain=[0, len(assessment.scores.topics) + 1]),
            alt.Y("change:Q", title="change against the baseline"),
            alt.Color("outcome:N", title=None).scale(
                domain=["hurt, stands out", "hurt", "unchanged", "helped", "helped, stands out"],
                range=[HURT, "#F2B48C", QUIET, "#8CBFDD", HELPED],
            ),
            tooltip=[
                alt.Tooltip("topic:N"),
                alt.Tooltip("baseline:Q", format=".4f"),
                alt.Tooltip("score:Q", format=".4f"),
                alt.Tooltip("change:Q", format="+.4f"),
            ],
        )
        .properties(width=WIDTH, height=HEIGHT - 80)
    )


def exploratory(source: Assessment | Sweep, *, system: str | None = None, alpha: float = 1.0) -> Any:
    """T_J of every topic: how far it lies from the mean, in standard errors (Dinçer et al. 2014, Fig. 2)."""
    assessment = as_assessment(source)
    name = _one(assessment, system)
    rows = topic_rows(assessment, name, alpha, by="t_j")
    critical = assessment.explore(name, alpha=alpha).critical_value
    edges = [] if math.isnan(critical) else [{"t_j": -critical}, {"t_j": critical}]
    limits = chart_of(edges, name="limits")
    points = chart_of(rows, name="explored")
    y = alt.Y("t_j:Q", title="T_J at α")
    return (
        alt.layer(
            limits.mark_rule(strokeDash=[6, 4], color=QUIET).encode(y),
            points.mark_point(filled=True, opacity=0.85, clip=True).encode(
                alt.X("place:Q", title="topics, by T_J")
                .axis(tickMinStep=1)
                .scale(nice=False, domain=[0, len(assessment.scores.topics) + 1]),
                y,
                alt.Color("outlier:N", title=None).scale(
                    domain=["below", "within", "above"], range=[HURT, QUIET, HELPED]
                ),
                alt.Shape("outlier:N", title=None).scale(
                    domain=["below", "within", "above"], range=["triangle-down", "circle", "triangle-up"]
                ),
                size=alt.condition("datum.outlier == 'within'", alt.value(18), alt.value(60)),
                tooltip=["topic:N", alt.Tooltip("t_j:Q", format="+.2f"), alt.Tooltip("change:Q", format="+.4f")],
            ),
        )
        .properties(width=WIDTH, height=HEIGHT - 80)
    )  # fmt: skip


def topic_rows(assessment: Assessment, system: str, alpha: float, *, by: str = "change") -> list[dict[str, Any]]:
    """The topics that a chart shows, worst first."""
    scores = assessment.scores[system]
    delta = difference(scores, assessment.baseline_scores)
    explored = assessment.explore(system, alpha=alpha)
    t_r, t_j, limit = explored.t_r.statistic, explored.t_j.statistic, explored.critical_value
    order = np.argsort(delta if by == "change" else t_j, kind="stable")
    rows = []
    for place in thinned(len(order), MOST_TOPICS).tolist():
        q = int(order[place])
        stands_out = bool(abs(t_r[q]) > limit)
        outcome = "unchanged" if delta[q] == 0 else "hurt" if delta[q] < 0 else "helped"
        rows.append(
            {
                "place": place + 1,
                "topic": assessment.scores.topics[q],
                "baseline": _number(assessment.baseline_scores[q]),
                "score": _number(scores[q]),
                "change": _number(delta[q]),
                "t_j": _number(t_j[q]),
                "outcome": f"{outcome}, stands out" if stands_out and outcome != "unchanged" else outcome,
                "outlier": "above" if t_j[q] > limit else "below" if t_j[q] < -limit else "within",
            }
        )
    return rows


def georisk(source: Assessment | Sweep, *, largest_alpha: float = 20.0) -> Any:
    """GeoRisk of every system as losses weigh more (Dinçer et al. 2016, Fig. 3)."""
    assessment = as_assessment(source)
    matrix = assessment.scores.matrix
    if not (np.isfinite(matrix) & (matrix >= 0)).all():
        raise ParameterError("GeoRisk needs finite scores from 0 up.")
    from riskrank.risk.georisk import combined

    above, below = deviations(matrix)
    rows = []
    for alpha in np.linspace(0, largest_alpha, 41).tolist():
        values = combined(matrix.sum(axis=1), above + (1 + alpha) * below, matrix.shape[1])
        for system, value in zip(assessment.scores.systems, values.tolist(), strict=True):
            rows.append({"alpha": alpha, "georisk": value, "system": named(system)})
    own = {named(system.system) for system in assessment.systems if system.is_baseline}
    names = [
        name for name in map(named, assessment.scores.systems) if name not in own
    ]  # the others' colours are as elsewhere
    shades = colour([*names, *own], "system", quiet=own)
    near = alt.selection_point(fields=["system"], on="pointerover", empty=len(names) <= MOST_SERIES)
    lines = (
        chart_of(rows)
        .mark_line()
        .encode(
            alt.X("alpha:Q", title="α").scale(nice=False),
            alt.Y("georisk:Q", title="GeoRisk").scale(zero=False),
            shades,
            opacity=alt.condition(near, alt.value(1), alt.value(0.35)),
            tooltip=["system:N", alt.Tooltip("alpha:Q", format=".1f"), alt.Tooltip("georisk:Q", format=".4f")],
        )
    )
    return lines.add_params(near).properties(width=WIDTH, height=HEIGHT - 40)


def as_assessment(source: Assessment | Sweep) -> Assessment:
    """A sweep's models as systems against the baseline."""
    if isinstance(source, Assessment):
        return source
    from riskrank.assessment.assess import assess

    return assess(source.effectiveness(), source.baseline)


def _one(assessment: Assessment, system: str | None) -> str:
    names = [each.system for each in rivals(assessment)]
    if not names:
        raise ParameterError("there is no system to show beside the baseline.")
    if system is not None and system not in names:
        raise ParameterError(f"no system {quoted(system)}. There are: {listing(names)}.{nearest(system, names)}")
    return names[0] if system is None else system


def _number(value: Any) -> float | None:
    return float(value) if math.isfinite(value) else None
