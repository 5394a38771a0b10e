"""Charts as Vega-Lite, and what they refuse."""

from __future__ import annotations

import json

import pytest

from riskrank.errors import ParameterError

pytest.importorskip("altair", reason="needs Altair")
style = pytest.importorskip("riskrank.report.charts.style")


def described(chart):
    return json.loads(json.dumps(style.vega_lite(chart), allow_nan=False))


def values(chart):
    """All rows of a chart, layer by layer."""
    spec = described(chart)
    parts = [part["data"] for part in [spec, *spec.get("layer", [])] if "data" in part]
    return [part["values"] if "values" in part else spec["datasets"][part["name"]] for part in parts]


def refused(call, message, error=ParameterError):
    with pytest.raises(error, match=message) as caught:
        call()
    assert "\n" not in str(caught.value)
