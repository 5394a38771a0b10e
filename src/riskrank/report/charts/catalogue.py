"""Charts of assessments and sweeps: Altair objects, for the page, for notebooks and for papers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from riskrank.errors import ParameterError, nearest, quoted
from riskrank.report.charts.style import described
from riskrank.report.charts.topics import exploratory, georisk, helped_hurt, topics
from riskrank.report.charts.tradeoff import convergence, distance, distance_reward, reranked, risk_gain
from riskrank.report.clicks.click_charts import click_models, click_parameters

if TYPE_CHECKING:
    import os
    from collections.abc import Callable

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
    "click-models": click_models,
    "click-parameters": click_parameters,
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

    import vl_convert

    from riskrank.data.files import write_atomically

    kind = Path(path).suffix.lower().removeprefix(".")
    if kind not in FORMATS:
        raise ParameterError(f"{path} must end in one of {', '.join('.' + each for each in FORMATS)}.")
    spec = described(chart, ink="#222222")
    if kind == "html":
        from riskrank.report.page.page import chart_page

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
