"""A page with one chart."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from riskrank.report.page.rendering import render, script_json
from riskrank.report.page.vega import POLICY, vega_bundle

if TYPE_CHECKING:
    from collections.abc import Mapping


def chart_page(spec: Mapping[str, Any], *, title: str) -> str:
    """A self-contained page that draws a Vega-Lite chart."""
    values = {"title": title, "policy": POLICY, "vega": vega_bundle(), "spec": script_json(spec)}
    return render("chart_page.html", values) + "\n"
