"""Charts as a page shows them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from riskrank.report.charts.catalogue import CHARTS

if TYPE_CHECKING:
    from typing import Unpack

    from riskrank.assessment.assessment import Assessment
    from riskrank.tradeoff.sweep import Sweep
    from riskrank.typing import ChartOptions


@dataclass(frozen=True)
class Figure:
    """A chart by its name, as Vega-Lite, and what is said above it."""

    name: str
    caption: str
    spec: dict[str, Any]


def figure(name: str, source: Assessment | Sweep, **options: Unpack[ChartOptions]) -> Figure:
    """A chart that becomes as wide as the page lets it."""
    from riskrank.report.charts.style import described

    kind = CHARTS[name]
    spec = described(kind.draw(source, **options))
    spec["width"] = "container"
    spec["autosize"] = {"type": "fit-x", "contains": "padding"}
    return Figure(name, kind.caption_of(source), spec)


def without_rows(drawn: Figure) -> Figure:
    """The same chart, for the page's script to fill with rows."""
    spec = dict(drawn.spec)
    if "layer" in spec:
        spec["layer"] = [_emptied(layer) for layer in spec["layer"]]
    return Figure(drawn.name, drawn.caption, _emptied(spec))


def _emptied(part: dict[str, Any]) -> dict[str, Any]:
    if "values" not in part.get("data", {}):
        return part
    return part | {"data": {"name": part["data"]["name"], "values": []}}
