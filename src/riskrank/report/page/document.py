"""A whole page: sections and all that they need, in one file that works offline."""

from __future__ import annotations

from typing import TYPE_CHECKING

from riskrank.report.page.rendering import asset, render, script_json
from riskrank.report.page.vega import POLICY, vega_bundle

if TYPE_CHECKING:
    from collections.abc import Sequence

    from riskrank.report.page.section import Section


def document(title: str, sections: Sequence[Section]) -> str:
    """The page's text."""
    values = {
        "title": title,
        "policy": POLICY,
        "style": asset("page.css"),
        "sections": sections,
        "data": script_json([section.data for section in sections]),
        "vega": vega_bundle(),
        "script": asset("page.js"),
    }
    return render("page.html", values) + "\n"
