"""A page inside another, as notebooks show it."""

from __future__ import annotations

from riskrank.report.page.rendering import render

HEIGHT = 760


def in_frame(page: str) -> str:
    """A frame that holds a whole page."""
    return render("frame.html", {"page": page, "height": HEIGHT})
