"""Vega, as pages carry it along, and what it may do there."""

from __future__ import annotations

from functools import lru_cache

POLICY = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline' 'unsafe-eval'; img-src data: blob:"


@lru_cache(maxsize=1)
def vega_bundle() -> str:
    """The script of Vega, Vega-Lite and Vega-Embed."""
    from riskrank.report.charts.style import alt, vega

    version = ".".join(alt.SCHEMA_VERSION.removeprefix("v").split(".")[:2])
    script = vega.javascript_bundle(vl_version=version)  # type: ignore[call-arg]  # its snippet may be left out
    return f"(() => {{{script}}})();"
