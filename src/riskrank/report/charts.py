"""Charts of assessments and sweeps: Altair objects, for the page, for notebooks and for papers."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from riskrank.errors import ParameterError, listing, nearest, one_line, quoted
from riskrank.report.assessment import Assessment
from riskrank.report.page_data import thinned
from riskrank.risk.paired import checked_alpha, difference
from riskrank.risk.zrisk import deviations
from riskrank.tradeoff.curves import hull, near_optimal_hull
from riskrank.tradeoff.sweep import SweepResults

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Container, Mapping, Sequence

    from riskrank.report.assessment import SystemSummary
    from riskrank.tradeoff.operating_point import OperatingPoint

try:
    import altair as alt
    import vl_convert
except ImportError as missing:
    raise ParameterError("charts need Altair and vl-convert: pip install 'riskrank[report]'.") from missing

# Okabe and Ito's colours, which colour-blind people can tell apart; shapes say the same once more.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#8A8A8A", "#AA4499")
HELPED, HURT, QUIET = "#0072B2", "#D55E00", "#8A8A8A"
WIDTH, HEIGHT = 560, 340
MOST_SERIES = len(COLOURS)
LINES = ("break-even (URisk = 0)", "proportional reduction (coin)", "near-optimal hull", "convex hull")
MOST_TOPICS = 2000  # that a chart shows; beyond, the middle is thinned, never the ends
PROTOTYPE = {
    "constructor", "hasOwnProperty", "isPrototypeOf", "propertyIsEnumerable", "toLocaleString", "toString", "valueOf",
    "__defineGetter__", "__defineSetter__", "__lookupGetter__", "__lookupSetter__",
}  # fmt: skip
INK = "currentColor"  # the page's own, light or dark


def risk_gain(source: Assessment | SweepResults, *, alpha: float = 1.0, point: OperatingPoint | None = None) -> Any:
    """Gain against risk: each model or system, the line where URisk is 0, and what a coin would give.

    Wang et al. 2012, Fig. 2. Above the break-even line, gain outweighs losses that weigh alpha more; above the line of
    proportional reduction, a model does better than using the boldest model less often.
    """
    checked_alpha(alpha)
    rows, lines = _tradeoff_rows(source)
    picked = _chosen_rows(point)
    room = 1.08 if isinstance(source, SweepResults) else 1.25  # for names beside the points
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
        _chart([*even, *lines])
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
    base = _chart(rows).encode(x, y, colour(series))
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
        _chart([row for row in rows if row["tag"]])
        .mark_text(align="left", dx=8, dy=-5, fontSize=10, clip=True, color=INK)
        .encode(x, y, text="tag:N", tooltip=alt.value(None)),
    ]
    if picked:
        ring = _chart(picked).encode(x, y, tooltip=tooltip)
        layers += [
            ring.mark_point(size=330, strokeWidth=2.2, color=INK, filled=False),
            ring.mark_text(dy=-17, fontWeight="bold", color=INK).encode(text=alt.value("chosen")),
        ]
    return alt.layer(*layers).add_params(weight).properties(width=WIDTH, height=HEIGHT)


def _tradeoff_rows(source: Assessment | SweepResults) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
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


def helped_hurt(source: Assessment | SweepResults, *, systems: Sequence[str] | None = None) -> Any:
    """Queries helped and hurt by relative change, in steps of 10 % (Wang et al. 2012, Fig. 3).

    Unchanged queries are left out, as there; those that rise from 0 have a bar of their own.
    """
    wanted = None if systems is None else [named(system) for system in systems]
    rows = [row for row in helped_hurt_rows(source) if wanted is None or row["system"] in wanted]
    names = list(dict.fromkeys(row["system"] for row in rows))
    buckets = list(dict.fromkeys(row["bucket"] for row in rows))
    return (
        _chart(rows, name="helped")
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


def helped_hurt_rows(source: Assessment | SweepResults) -> list[dict[str, Any]]:
    """A row per system and bucket."""
    if isinstance(source, SweepResults):
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


def topics(source: Assessment | SweepResults, *, system: str | None = None, alpha: float = 0.0) -> Any:
    """The change of every topic, worst first; those that stand out at alpha are marked."""
    assessment = as_assessment(source)
    rows = topic_rows(assessment, _one(assessment, system), alpha)
    return (
        _chart(rows, name="topics")
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


def exploratory(source: Assessment | SweepResults, *, system: str | None = None, alpha: float = 1.0) -> Any:
    """T_J of every topic: how far it lies from the mean, in standard errors (Dinçer et al. 2014, Fig. 2)."""
    assessment = as_assessment(source)
    name = _one(assessment, system)
    rows = topic_rows(assessment, name, alpha, by="t_j")
    critical = assessment.explore(name, alpha=alpha).critical_value
    edges = [] if math.isnan(critical) else [{"t_j": -critical}, {"t_j": critical}]
    limits = _chart(edges, name="limits")
    points = _chart(rows, name="explored")
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


def georisk(source: Assessment | SweepResults, *, largest_alpha: float = 20.0) -> Any:
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
        _chart(rows)
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


def convergence(source: Assessment | SweepResults) -> Any:
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
    lines = _chart(rows).mark_line().encode(x, y, colour(names, "system"))
    dots = (
        _chart(marks)
        .mark_point(filled=True, size=60)
        .encode(x, y, colour(names, "system"), tooltip=["system:N", alt.Tooltip("step:Q", title="95 % reached after")])
    )
    return alt.layer(lines, dots).properties(width=WIDTH, height=HEIGHT - 60)


def distance(source: Assessment | SweepResults) -> Any:
    """How far rankings moved from the baseline's: queries by Kendall distance (Wang et al. 2012, Fig. 5)."""
    return _by_distance(source, "share", "share of queries", ".0%")


def distance_reward(source: Assessment | SweepResults) -> Any:
    """The mean reward of the queries in each bin of Kendall distance (Wang et al. 2012, §5.9)."""
    return _by_distance(source, "reward", "mean reward in the bin", ".3f")


def _by_distance(source: Assessment | SweepResults, what: str, title: str, form: str) -> Any:
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
        _chart(rows)
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


def _per_setting(sweep: SweepResults) -> list[list[dict[str, Any]]]:
    rows = sweep.distances().to_dicts()
    size = len(rows) // len(sweep.settings)
    return [rows[i * size : (i + 1) * size] for i in range(len(sweep.settings))]


def reranked(source: Assessment | SweepResults) -> Any:
    """Gain against the share of queries re-ranked, with the line of a coin (Bennett et al. 2015, Fig. 1)."""
    sweep = _sweep(source, "reranked")
    rows, _ = _tradeoff_rows(sweep)
    full = {"reranked": float(sweep.test.reranked[sweep.full]), "gain": float(sweep.test.gain[sweep.full])}
    series = list(dict.fromkeys(row["series"] for row in rows))
    x = alt.X("reranked:Q", title="queries re-ranked").axis(format=".0%").scale(domainMin=0, nice=False)
    y = alt.Y("gain:Q", title="gain (mean change)")
    naive = (
        _chart([{"reranked": 0.0, "gain": 0.0}, full])
        .mark_line(strokeDash=[2, 3], color=QUIET)
        .encode(x, y, tooltip=alt.value(None))
    )
    base = _chart(rows).encode(x, y, colour(series))
    dots = base.mark_point(filled=True, size=60, opacity=1).encode(
        shape(series),
        tooltip=[
            alt.Tooltip("label:N", title="model"), alt.Tooltip("reranked:Q", format=".1%"),
            alt.Tooltip("gain:Q", format="+.4f"),
        ],
    )  # fmt: skip
    lines = base.mark_line(opacity=0.5).encode(order="order:Q")
    return alt.layer(naive, lines, dots).properties(width=WIDTH, height=HEIGHT - 40)


CHARTS: dict[str, Callable[..., Any]] = {
    "risk-gain": risk_gain,
    "helped-hurt": helped_hurt,
    "topics": topics,
    "exploratory": exploratory,
    "georisk": georisk,
    "convergence": convergence,
    "distance": distance,
    "distance-reward": distance_reward,
    "reranked": reranked,
}
FORMATS = ("png", "svg", "pdf", "html", "json")


def chart_named(name: str) -> Callable[..., Any]:
    """A chart by its name."""
    if name not in CHARTS:
        raise ParameterError(f"unknown chart {quoted(name)}.{nearest(name, list(CHARTS))} Known: {', '.join(CHARTS)}.")
    return CHARTS[name]


def save_chart(chart: Any, path: str | os.PathLike[str], *, scale: float = 2.0) -> None:
    """Write a chart as PNG, SVG, PDF, Vega-Lite JSON or a page, by the file's ending."""
    import json
    from pathlib import Path

    from riskrank.data.files import write_atomically

    kind = Path(path).suffix.lower().removeprefix(".")
    if kind not in FORMATS:
        raise ParameterError(f"{path} must end in one of {', '.join('.' + each for each in FORMATS)}.")
    spec = described(chart, ink="#222222")
    if kind == "html":
        from riskrank.report.page import chart_page

        write_atomically(path, chart_page(spec, title=Path(path).stem))
        return
    if kind == "json":
        write_atomically(path, json.dumps(spec, ensure_ascii=False, indent=1) + "\n")
        return
    if kind == "png":
        write_atomically(path, vl_convert.vegalite_to_png(spec, scale=scale))
    elif kind == "svg":
        write_atomically(path, vl_convert.vegalite_to_svg(spec))
    else:
        write_atomically(path, vl_convert.vegalite_to_pdf(spec))


def described(chart: Any, *, ink: str = INK) -> dict[str, Any]:
    """A chart as Vega-Lite, with one look for all; colours of text and axes come from where it stands."""
    styled = (
        chart.configure(background="transparent", font="system-ui, Helvetica, Arial, sans-serif")
        .configure_view(stroke=None)
        .configure_axis(
            labelColor=ink, titleColor=ink, domainColor=ink, tickColor=ink, gridColor=ink, gridOpacity=0.12,
            labelFontSize=11, titleFontSize=12, titleFontWeight="normal",
        )
        .configure_legend(labelColor=ink, titleColor=ink, orient="bottom", columns=3, labelLimit=260, symbolLimit=24)
        .configure_text(color=ink)
        .configure_title(color=ink)
    )  # fmt: skip
    spec: dict[str, Any] = styled.to_dict(validate=False)  # each part was checked when it was made
    # Legends below each other; Vega knows this, Altair's schema does not.
    spec["config"]["legend"]["layout"] = {"bottom": {"direction": "vertical", "anchor": "start"}}
    return spec


def colour(names: Sequence[str], field: str = "series", *, quiet: Container[str] = ()) -> Any:
    """Colours for names; more of them than there are colours begin again, and those in `quiet` are grey."""
    palette = [QUIET if name in quiet else COLOURS[i % MOST_SERIES] for i, name in enumerate(names)]
    shown = alt.Color(f"{field}:N", title=None, sort=list(names)).scale(domain=list(names), range=palette)
    return shown.legend(symbolOpacity=1)


def shape(names: Sequence[str]) -> Any:
    """Shapes for the same names."""
    forms = ("circle", "square", "triangle-up", "diamond", "cross", "triangle-down", "triangle-right", "triangle-left")
    chosen = [forms[i % len(forms)] for i in range(len(names))]
    return alt.Shape("series:N", title=None, sort=list(names)).scale(domain=list(names), range=chosen)


def named(name: str) -> str:
    """A user's name as charts take it: Vega keeps names in objects and expressions, where some have a meaning."""
    plain = one_line(name, limit=200)
    return f"\u200b{plain}" if plain in PROTOTYPE else plain


def rivals(assessment: Assessment) -> list[SystemSummary]:
    """All systems but the baseline."""
    return [system for system in assessment.systems if not system.is_baseline and not math.isnan(system.gain)]


def as_assessment(source: Assessment | SweepResults) -> Assessment:
    """A sweep's models as systems against the baseline."""
    if isinstance(source, Assessment):
        return source
    from riskrank.report.assess import assess

    return assess(source.effectiveness(), source.baseline)


def _chart(rows: Sequence[Mapping[str, Any]], name: str | None = None) -> Any:
    """A chart of plain rows; a name lets the page replace them."""
    data: dict[str, Any] = {"values": list(rows)}
    return alt.Chart(alt.InlineData(**(data if name is None else {**data, "name": name})))


def _one(assessment: Assessment, system: str | None) -> str:
    names = [each.system for each in rivals(assessment)]
    if not names:
        raise ParameterError("there is no system to show beside the baseline.")
    if system is not None and system not in names:
        raise ParameterError(f"no system {quoted(system)}. There are: {listing(names)}.{nearest(system, names)}")
    return names[0] if system is None else system


def _sweep(source: Assessment | SweepResults, name: str) -> SweepResults:
    if not isinstance(source, SweepResults):
        raise ParameterError(f"the chart {name} needs a sweep.")
    return source


def _number(value: Any) -> float | None:
    return float(value) if math.isfinite(value) else None
