"""Gain against risk."""

from __future__ import annotations

from typing import TYPE_CHECKING

from riskrank.assessment.assessment import Assessment
from riskrank.report.charts.catalogue import ChartKind
from riskrank.report.charts.style import HEIGHT, INK, QUIET, WIDTH, alt, chart_of, colour, layered, shape, tip
from riskrank.report.charts.tradeoff_rows import (
    BREAK_EVEN,
    COIN,
    CONVEX,
    NEAR_OPTIMAL,
    chosen_rows,
    line_rows,
    tradeoff_rows,
)
from riskrank.risk.paired import checked_alpha

if TYPE_CHECKING:
    from riskrank.tradeoff.operating_point import OperatingPoint
    from riskrank.tradeoff.sweep import Sweep

DASHES = {BREAK_EVEN: [6, 4], COIN: [2, 3], NEAR_OPTIMAL: [1, 0], CONVEX: [10, 2, 2, 2]}


def risk_gain(source: Assessment | Sweep, *, alpha: float = 1.0, point: OperatingPoint | None = None) -> alt.LayerChart:
    """Gain against risk: each model or system, the line where URisk is 0, and what a coin would give.

    Wang et al. 2012, Fig. 2. Above the break-even line, gain outweighs losses that weigh alpha more; above the line of
    proportional reduction, a model does better than using the reference model less often.
    """
    checked_alpha(alpha)
    rows = tradeoff_rows(source)
    lines = [] if isinstance(source, Assessment) else line_rows(source, rows)
    chosen = chosen_rows(point)
    margin = 1.25 if isinstance(source, Assessment) else 1.08  # for names beside the points
    most_risk = max([row["risk"] for row in rows] + [1e-9]) * margin
    gains = [0.0, *(row["gain"] for row in [*rows, *chosen])]
    edge = max(max(gains) - min(gains), 1e-9) * 0.08
    x = alt.X("risk:Q", title="risk (mean loss)").scale(domain=[0, most_risk], nice=False, zero=False)
    y = alt.Y("gain:Q", title="gain (mean change)").scale(domain=[min(gains) - edge, max(gains) + edge], nice=False)
    even = [{"line": BREAK_EVEN, "risk": risk, "order": k} for k, risk in enumerate((0.0, most_risk))]
    dashes = DASHES if lines else {BREAK_EVEN: DASHES[BREAK_EVEN]}
    dash = alt.StrokeDash("line:N", title=None).scale(domain=list(dashes), range=list(dashes.values()))
    series = list(dict.fromkeys(row["series"] for row in rows))
    base = chart_of(rows).encode(x, y, colour(series))
    tooltip = [tip("label", title="model"), tip("risk", ".4f"), tip("gain", "+.4f"), tip("reward", ".4f")]
    tooltip.append(tip("reranked", ".1%", "re-ranked"))
    layers = [
        chart_of([*even, *lines])
        .transform_calculate(gain=f"datum.line == '{BREAK_EVEN}' ? alpha * datum.risk : datum.gain")
        .mark_line(color=QUIET, strokeWidth=1.4, clip=True)
        .encode(x, y, dash, order="order:Q", tooltip=alt.value(None)),
        base.mark_line(opacity=0.55, clip=True).encode(order="order:Q", tooltip=alt.value(None)),
        base.mark_point(filled=True, size=70, opacity=1, clip=True).encode(shape(series), tooltip=tooltip),
        chart_of([row for row in rows if row["tag"]])
        .mark_text(align="left", dx=8, dy=-5, fontSize=10, clip=True, color=INK)
        .encode(x, y, text="tag:N", tooltip=alt.value(None)),
    ]
    if chosen:
        ring = chart_of(chosen).encode(x, y, tooltip=tooltip)
        layers += [
            ring.mark_point(size=330, strokeWidth=2.2, color=INK, filled=False),
            ring.mark_text(dy=-17, fontWeight="bold", color=INK).encode(text=alt.value("chosen")),
        ]
    weight = alt.param(name="alpha", value=alpha)
    return layered(*layers).add_params(weight).properties(width=WIDTH, height=HEIGHT)


RISK_GAIN = ChartKind(risk_gain)
