"""Gain against the share of queries that are re-ranked."""

from __future__ import annotations

from typing import TYPE_CHECKING

from riskrank.report.charts.catalogue import ChartKind
from riskrank.report.charts.sources import as_sweep
from riskrank.report.charts.style import HEIGHT, QUIET, WIDTH, alt, chart_of, colour, layered, shape, tip
from riskrank.report.charts.tradeoff_rows import tradeoff_rows

if TYPE_CHECKING:
    from riskrank.assessment.assessment import Assessment
    from riskrank.tradeoff.sweep import Sweep


def reranked(source: Assessment | Sweep) -> alt.LayerChart:
    """Gain against the share of queries re-ranked, with the line of a coin (Bennett et al. 2015, Fig. 1)."""
    sweep = as_sweep(source, "reranked")
    rows = tradeoff_rows(sweep)
    test, reference = sweep.test, sweep.reference_model
    end = {"reranked": float(test.reranked[reference]), "gain": float(test.gain[reference])}
    series = list(dict.fromkeys(row["series"] for row in rows))
    x = alt.X("reranked:Q", title="queries re-ranked").axis(format=".0%").scale(domainMin=0, nice=False)
    y = alt.Y("gain:Q", title="gain (mean change)")
    naive = (
        chart_of([{"reranked": 0.0, "gain": 0.0}, end])
        .mark_line(strokeDash=[2, 3], color=QUIET)
        .encode(x, y, tooltip=alt.value(None))
    )
    base = chart_of(rows).encode(x, y, colour(series))
    dots = base.mark_point(filled=True, size=60, opacity=1).encode(
        shape(series), tooltip=[tip("label", title="model"), tip("reranked", ".1%"), tip("gain", "+.4f")]
    )
    lines = base.mark_line(opacity=0.5).encode(order="order:Q")
    return layered(naive, lines, dots).properties(width=WIDTH, height=HEIGHT - 40)


RERANKED = ChartKind(reranked)
