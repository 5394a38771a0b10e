"""Charts of what was learned from clicks: gain against pages re-ranked (Bennett et al. 2015, Fig. 1–3)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from riskrank.report.charts.catalogue import ChartKind
from riskrank.report.charts.sources import as_sweep
from riskrank.report.charts.style import HEIGHT, INK, QUIET, WIDTH, alt, chart_of, colour, layered, named, shape, tip
from riskrank.tradeoff.clicks.click_table import BOTH, LOWEST, PREFERENCE, RISK, STANDARD, chosen_models

if TYPE_CHECKING:
    from riskrank.assessment.assessment import Assessment
    from riskrank.tradeoff.sweep import Sweep

LOWEST_SHARE = -0.2  # of the gain; models that lose more stand at the edge
NAIVE = "Naive: Standard Gain on some pages, by coin"


def click_models(source: Assessment | Sweep) -> alt.LayerChart:
    """The chosen models: gain as a share of Standard Gain's against the share of pages re-ranked (left figures)."""
    sweep = _clicks(source, "click-models")
    rows: list[dict[str, Any]] = []
    for method, i in chosen_models(sweep).items():
        row = _row(sweep, i, method)
        is_known = any(row["label"] == other["label"] for other in rows)  # a model may stand for several methods
        rows.append(row | ({"parameter": ""} if is_known else {}))
    methods = [row["series"] for row in rows]
    points = chart_of(rows).encode(*_axes(sweep), colour(methods), tooltip=_tooltip())
    return layered(
        _naive(sweep),
        points.mark_point(filled=True, size=110, opacity=1).encode(shape(methods)),
        points.mark_text(align="left", dx=9, dy=-6, fontSize=10, color=INK).encode(
            text="parameter:N", color=alt.value(INK)
        ),
    ).properties(width=WIDTH, height=HEIGHT - 40)


def click_parameters(source: Assessment | Sweep) -> alt.LayerChart:
    """All models of each series, over the whole range of its parameter (right figures)."""
    sweep = _clicks(source, "click-parameters")
    rows = [_row(sweep, i, setting.series) for i, setting in enumerate(sweep.settings)]
    series = [name for name in sweep.series if name in (RISK, PREFERENCE, LOWEST) or name.startswith(BOTH)]
    base = chart_of(rows).encode(*_axes(sweep), colour(series))
    return layered(
        _naive(sweep),
        base.mark_line(opacity=0.5).encode(order="value:Q", tooltip=alt.value(None)),
        base.mark_point(filled=True, size=60, opacity=1).encode(shape(series), tooltip=_tooltip()),
    ).properties(width=WIDTH, height=HEIGHT - 40)


def _clicks(source: Assessment | Sweep, chart: str) -> Sweep:
    sweep = as_sweep(source, chart, needed="a sweep over clicks")
    chosen_models(sweep)  # refuses a sweep of another kind
    return sweep


def _row(sweep: Sweep, i: int, series: str) -> dict[str, Any]:
    test, reference = sweep.test, sweep.reference_model
    gain = float(test.gain[i])
    setting = sweep.settings[i]
    return {
        "series": named(series), "label": setting.label, "parameter": setting.label.rpartition(", ")[2],
        "value": setting.value, "reranked": float(test.reranked[i]), "gain": gain,
        "share": gain / float(test.gain[reference]) if test.gain[reference] > 0 else gain,
        "risk": float(test.risk[i]),
    }  # fmt: skip


def _axes(sweep: Sweep) -> tuple[alt.X, alt.Y]:
    title = f"gain, of {STANDARD}'s" if sweep.test.gain[sweep.reference_model] > 0 else "gain (mean change)"
    x = alt.X("reranked:Q", title="pages re-ranked").axis(format=".0%").scale(domainMin=0, nice=False)
    y = alt.Y("share:Q", title=title)
    if not sweep.test.gain[sweep.reference_model] > 0:
        return x, y
    top = float((sweep.test.gain / sweep.test.gain[sweep.reference_model]).max())
    return x, y.axis(format=".0%").scale(domain=[LOWEST_SHARE, max(1.0, top) + 0.05], nice=False, clamp=True)


def _naive(sweep: Sweep) -> alt.Chart:
    standard = _row(sweep, sweep.reference_model, STANDARD)
    ends = [{"line": NAIVE, "reranked": 0.0, "share": 0.0}, {**standard, "line": NAIVE}]
    dash = alt.StrokeDash("line:N", title=None).scale(domain=[NAIVE], range=[[6, 4]])
    line: alt.Chart = chart_of(ends).mark_line(color=QUIET).encode(*_axes(sweep), dash, tooltip=alt.value(None))
    return line


def _tooltip() -> list[alt.Tooltip]:
    return [
        tip("series", title="method"), tip("label", title="model"), tip("reranked", ".1%", "re-ranked"),
        tip("gain", "+.4f"), tip("share", ".1%", "of Standard Gain"), tip("risk", ".4f"),
    ]  # fmt: skip


CLICK_MODELS = ChartKind(click_models)
CLICK_PARAMETERS = ChartKind(click_parameters)
