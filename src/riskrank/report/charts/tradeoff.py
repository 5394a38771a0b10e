"""Charts of the trade-off: gain against risk and against what is re-ranked, training, and distance moved."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from riskrank.assessment.assessment import Assessment
from riskrank.errors import ParameterError
from riskrank.report.charts.style import HEIGHT, INK, QUIET, WIDTH, alt, chart_of, colour, named, rivals, shape
from riskrank.report.page.page_data import thinned
from riskrank.risk.paired import checked_alpha
from riskrank.tradeoff.curves import hull, near_optimal_hull
from riskrank.tradeoff.sweep import Sweep

if TYPE_CHECKING:
    from riskrank.tradeoff.operating_point import OperatingPoint

LINES = ("break-even (URisk = 0)", "proportional reduction (coin)", "near-optimal hull", "convex hull")


def risk_gain(source: Assessment | Sweep, *, alpha: float = 1.0, point: OperatingPoint | None = None) -> Any:
    """Gain against risk: each model or system, the line where URisk is 0, and what a coin would give.

    Wang et al. 2012, Fig. 2. Above the break-even line, gain outweighs losses that weigh alpha more; above the line of
    proportional reduction, a model does better than using the boldest model less often.
    """
    checked_alpha(alpha)
    rows, lines = _tradeoff_rows(source)
    picked = _chosen_rows(point)
    room = 1.08 if isinstance(source, Sweep) else 1.25  # for names beside the points
    most_risk = max([row["risk"] for row in rows] + [1e-9]) * room
    highest = max([row["gain"] for row in [*rows, *picked]] + [0.0])
    lowest = min([row["gain"] for row in [*rows, *picked]] + [0.0])
    margin = max(highest - lowest, 1e-9) * 0.08
    x = alt.X("risk:Q", title="risk (mean loss)").scale(domain=[0, most_risk], nice=False, zero=False)
    y = alt.Y("gain:Q", title="gain (mean change)").scale(domain=[lowest - margin, highest + margin], nice=False)
    weight = alt.param(name="alpha", value=alpha)
    even = [{"line": LINES[0], "risk": risk, "order": k} for k, risk in enumerate((0.0, most_risk))]
    known = [name for name in LINES if name == LINES[0] or lines]
    layers = [
        chart_of([*even, *lines])
        .transform_calculate(gain=f"datum.line == '{LINES[0]}' ? alpha * datum.risk : datum.gain")
        .mark_line(color=QUIET, strokeWidth=1.4, clip=True)
        .encode(
            x,
            y,
            alt.StrokeDash("line:N", title=None).scale(
                domain=known, range=[[6, 4], [2, 3], [1, 0], [10, 2, 2, 2]][: len(known)]
            ),
            order="order:Q",
            tooltip=alt.value(None),
        )
    ]
    series = list(dict.fromkeys(row["series"] for row in rows))
    base = chart_of(rows).encode(x, y, colour(series))
    tooltip = [
        alt.Tooltip("label:N", title="model"),
        alt.Tooltip("risk:Q", format=".4f"),
        alt.Tooltip("gain:Q", format="+.4f"),
        alt.Tooltip("reward:Q", format=".4f"),
        alt.Tooltip("reranked:Q", format=".1%", title="re-ranked"),
    ]
    layers += [
        base.mark_line(opacity=0.55, clip=True).encode(order="order:Q", tooltip=alt.value(None)),
        base.mark_point(filled=True, size=70, opacity=1, clip=True).encode(shape(series), tooltip=tooltip),
        chart_of([row for row in rows if row["tag"]])
        .mark_text(align="left", dx=8, dy=-5, fontSize=10, clip=True, color=INK)
        .encode(x, y, text="tag:N", tooltip=alt.value(None)),
    ]
    if picked:
        ring = chart_of(picked).encode(x, y, tooltip=tooltip)
        layers += [
            ring.mark_point(size=330, strokeWidth=2.2, color=INK, filled=False),
            ring.mark_text(dy=-17, fontWeight="bold", color=INK).encode(text=alt.value("chosen")),
        ]
    return alt.layer(*layers).add_params(weight).properties(width=WIDTH, height=HEIGHT)


def reranked(source: Assessment | Sweep) -> Any:
    """Gain against the share of queries re-ranked, with the line of a coin (Bennett et al. 2015, Fig. 1)."""
    sweep = _sweep(source, "reranked")
    rows, _ = _tradeoff_rows(sweep)
    full = {"reranked": float(sweep.test.reranked[sweep.full]), "gain": float(sweep.test.gain[sweep.full])}
    series = list(dict.fromkeys(row["series"] for row in rows))
    x = alt.X("reranked:Q", title="queries re-ranked").axis(format=".0%").scale(domainMin=0, nice=False)
    y = alt.Y("gain:Q", title="gain (mean change)")
    naive = (
        chart_of([{"reranked": 0.0, "gain": 0.0}, full])
        .mark_line(strokeDash=[2, 3], color=QUIET)
        .encode(x, y, tooltip=alt.value(None))
    )
    base = chart_of(rows).encode(x, y, colour(series))
    dots = base.mark_point(filled=True, size=60, opacity=1).encode(
        shape(series),
        tooltip=[
            alt.Tooltip("label:N", title="model"), alt.Tooltip("reranked:Q", format=".1%"),
            alt.Tooltip("gain:Q", format="+.4f"),
        ],
    )  # fmt: skip
    lines = base.mark_line(opacity=0.5).encode(order="order:Q")
    return alt.layer(naive, lines, dots).properties(width=WIDTH, height=HEIGHT - 40)


def _tradeoff_rows(source: Assessment | Sweep) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    if isinstance(source, Assessment):
        return [
            {
                "series": named(system.system), "label": system.system,
                "tag": system.system if len(source) <= 9 else "",
                "risk": system.risk, "gain": system.gain, "reward": system.reward, "reranked": system.reranked,
                "order": 0,
            }
            for system in rivals(source)
        ], []  # fmt: skip
    test = source.test
    rows: list[dict[str, Any]] = []
    for i, setting in enumerate(source.settings):
        rows.append(
            {
                "series": named(setting.series), "label": setting.label, "tag": f"{setting.value:g}",
                "risk": float(test.risk[i]), "gain": float(test.gain[i]), "reward": float(test.reward[i]),
                "reranked": float(test.reranked[i]), "order": setting.value,
            }
        )  # fmt: skip
    for name in source.thresholds:
        found = source.selective(name)
        for k, limit in enumerate(found["threshold"].tolist()):
            rows.append(
                {
                    "series": named(f"selective: {name}"), "label": f"{name} {found['apply']} {limit:.4g}", "tag": "",
                    "risk": float(found["risk"][k]), "gain": float(found["gain"][k]),
                    "reward": float(found["gain"][k] + found["risk"][k]), "reranked": float(found["reranked"][k]),
                    "order": float(found["share"][k]),
                }
            )  # fmt: skip
    lines = [
        {"line": LINES[1], "risk": risk, "gain": gain, "order": k}
        for k, (risk, gain) in enumerate([(0.0, 0.0), (float(test.risk[source.full]), float(test.gain[source.full]))])
    ]
    first = source.of(source.series[0])
    values = [source.settings[i].value for i in first]
    hull_risk, hull_gain = near_optimal_hull(values, test.risk[first], test.gain[first], source.alpha_of_interest)
    lines += [
        {"line": LINES[2], "risk": risk, "gain": gain, "order": k}
        for k, (risk, gain) in enumerate(zip(hull_risk.tolist(), hull_gain.tolist(), strict=True))
    ]
    points = [(float(row["risk"]), float(row["gain"])) for row in rows]
    best = hull([risk for risk, _ in points], [gain for _, gain in points])
    corners = [(0.0, 0.0), *(points[i] for i in best.tolist())]
    lines += [{"line": LINES[3], "risk": risk, "gain": gain, "order": k} for k, (risk, gain) in enumerate(corners)]
    return rows, lines


def _chosen_rows(point: OperatingPoint | None) -> list[dict[str, Any]]:
    if point is None or point.index is None:
        return []
    used = point.sweep.test.reranked[point.index] * point.probability
    return [
        {
            "label": point.label, "risk": point.risk, "gain": point.gain, "reward": point.gain + point.risk,
            "reranked": float(used) if point.predictor is None else None,
        }
    ]  # fmt: skip


def convergence(source: Assessment | Sweep) -> Any:
    """Effectiveness after each step of training, and where 95 % of the last is reached (Wang et al. 2012, Fig. 4)."""
    sweep = _sweep(source, "convergence")
    converged = sweep.convergence
    rows, marks = [], []
    for i, setting in enumerate(sweep.settings):
        curve = sweep.learning_curve(i)
        for k in thinned(len(curve), 400).tolist():
            if np.isfinite(curve[k]):
                rows.append({"step": k + 1, "effectiveness": float(curve[k]), "system": named(setting.label)})  # noqa: PERF401
        reached = converged[i]
        if np.isfinite(reached) and len(curve):
            at = min(round(reached), len(curve))
            marks.append({"step": reached, "effectiveness": float(curve[at - 1]), "system": named(setting.label)})
    names = [named(setting.label) for setting in sweep.settings]
    x = alt.X("step:Q", title=sweep.unit).axis(tickMinStep=1)
    y = alt.Y("effectiveness:Q", title=f"{sweep.measure}, validation").scale(zero=False)
    lines = chart_of(rows).mark_line().encode(x, y, colour(names, "system"))
    dots = (
        chart_of(marks)
        .mark_point(filled=True, size=60)
        .encode(x, y, colour(names, "system"), tooltip=["system:N", alt.Tooltip("step:Q", title="95 % reached after")])
    )
    return alt.layer(lines, dots).properties(width=WIDTH, height=HEIGHT - 60)


def distance(source: Assessment | Sweep) -> Any:
    """How far rankings moved from the baseline's: queries by Kendall distance (Wang et al. 2012, Fig. 5)."""
    return _by_distance(source, "share", "share of queries", ".0%")


def distance_reward(source: Assessment | Sweep) -> Any:
    """The mean reward of the queries in each bin of Kendall distance (Wang et al. 2012, §5.9)."""
    return _by_distance(source, "reward", "mean reward in the bin", ".3f")


def _by_distance(source: Assessment | Sweep, what: str, title: str, form: str) -> Any:
    sweep = _sweep(source, "distance" if what == "share" else "distance-reward")
    rows = [
        {
            "system": named(setting.label), "bin": f"{row['bin'] / 10:.1f}–{(row['bin'] + 1) / 10:.1f}",
            "share": row["share"], "reward": row["reward"] if row["queries"] else None, "queries": row["queries"],
        }
        for setting, group in zip(sweep.settings, _per_setting(sweep), strict=True)
        for row in group
    ]  # fmt: skip
    names = [named(setting.label) for setting in sweep.settings]
    bins = list(dict.fromkeys(row["bin"] for row in rows))
    return (
        chart_of(rows)
        .mark_bar()
        .encode(
            alt.X("bin:N", title="Kendall distance to the baseline's ranking", sort=None)
            .axis(labelAngle=-50)
            .scale(domain=bins),
            alt.Y(f"{what}:Q", title=title).axis(format=form),
            alt.XOffset("system:N", sort=names),
            colour(names, "system"),
            tooltip=[
                "system:N",
                "bin:N",
                "queries:Q",
                alt.Tooltip("share:Q", format=".1%"),
                alt.Tooltip("reward:Q", format=".4f"),
            ],
        )
        .properties(width=WIDTH, height=HEIGHT - 100)
    )


def _per_setting(sweep: Sweep) -> list[list[dict[str, Any]]]:
    rows = sweep.distances().to_dicts()
    size = len(rows) // len(sweep.settings)
    return [rows[i * size : (i + 1) * size] for i in range(len(sweep.settings))]


def _sweep(source: Assessment | Sweep, name: str) -> Sweep:
    if not isinstance(source, Sweep):
        raise ParameterError(f"the chart {name} needs a sweep.")
    return source
