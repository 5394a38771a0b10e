"""All charts by name: Altair objects, for notebooks and for papers.

A package outside adds its own through the entry-point group ``riskrank.charts``, in its ``pyproject.toml``::

    [project.entry-points."riskrank.charts"]
    my-chart = "my_package:MY_CHART"
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from riskrank.errors import ParameterError
from riskrank.registry import Registry

if TYPE_CHECKING:
    from collections.abc import Callable

    from riskrank.typing import AltairChart, PathLike

FORMATS = ("png", "svg", "pdf", "html", "json")


@dataclass(frozen=True)
class ChartKind:
    """How a chart is drawn from an assessment or a sweep."""

    draw: Callable[..., AltairChart]
    caption: object = None  # no longer shown; other packages may still give one


CHARTS: Registry[ChartKind] = Registry(
    "chart",
    group="riskrank.charts",
    homes={
        "risk-gain": "riskrank.report.charts.risk_gain:RISK_GAIN",
        "helped-hurt": "riskrank.report.charts.helped_hurt:HELPED_HURT",
        "topics": "riskrank.report.charts.topics:TOPICS",
        "exploratory": "riskrank.report.charts.exploratory:EXPLORATORY",
        "georisk": "riskrank.report.charts.georisk:GEORISK",
        "convergence": "riskrank.report.charts.convergence:CONVERGENCE",
        "distance": "riskrank.report.charts.distance:DISTANCE",
        "distance-reward": "riskrank.report.charts.distance:DISTANCE_REWARD",
        "reranked": "riskrank.report.charts.reranked:RERANKED",
        "click-models": "riskrank.report.clicks.click_charts:CLICK_MODELS",
        "click-parameters": "riskrank.report.clicks.click_charts:CLICK_PARAMETERS",
    },
)


def save_chart(chart: AltairChart, path: PathLike, *, scale: float = 2.0) -> None:
    """Write a chart as PNG, SVG, PDF, Vega-Lite JSON or a page, by the file's ending."""
    from riskrank.files.writing import write_atomically

    write_atomically(path, chart_content(chart, path, scale=scale))


def chart_content(chart: AltairChart, path: PathLike, *, scale: float = 2.0) -> bytes:
    """What is written for a chart to a file of this name."""
    import json
    from pathlib import Path

    from riskrank.files.writing import as_bytes
    from riskrank.report.charts.style import vega, vega_lite

    kind = Path(path).suffix.lower().removeprefix(".")
    if kind not in FORMATS:
        raise ParameterError(f"{path} must end in one of {', '.join('.' + each for each in FORMATS)}.")
    spec = vega_lite(chart, ink="#222222")
    if kind == "html":
        from riskrank.report.page.document import chart_page

        content: str | bytes = chart_page(spec, title=Path(path).stem)
    elif kind == "json":
        content = json.dumps(spec, ensure_ascii=False, indent=1) + "\n"
    elif kind == "png":
        content = _with_mark(vega.vegalite_to_png(spec, scale=scale))
    elif kind == "svg":
        content = vega.vegalite_to_svg(spec) + "\n<!-- drawn by riskrank -->\n"
    else:
        content = b"% drawn by riskrank\nstartxref".join(vega.vegalite_to_pdf(spec).rsplit(b"startxref", 1))
    return as_bytes(content)


def _with_mark(png: bytes) -> bytes:
    """An image that says by what it was drawn: a chunk of text before its last one, which is empty."""
    import zlib

    text = b"tEXtSoftware\0riskrank"
    chunk = (len(text) - 4).to_bytes(4) + text + zlib.crc32(text).to_bytes(4)
    return png[:-12] + chunk + png[-12:]
