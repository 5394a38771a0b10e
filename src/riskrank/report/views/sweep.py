"""How a sweep is shown."""

from __future__ import annotations

from typing import TYPE_CHECKING

from riskrank.report.text.sweep_text import sweep_text

if TYPE_CHECKING:
    from riskrank.tradeoff.operating_point import OperatingPoint
    from riskrank.tradeoff.sweep import Sweep

__all__ = ["notebook", "page", "text"]

text = sweep_text


def notebook(sweep: Sweep) -> str:
    """The page in a frame."""
    from riskrank.report.page.frame import in_frame

    return in_frame(page(sweep))


def page(sweep: Sweep, *, point: OperatingPoint | None = None, title: str = "") -> str:
    """The trade-off, the operating point if one was chosen, and every model's queries."""
    from riskrank.report.page.sweep_page import sweep_page

    return sweep_page(sweep, point=point, title=title)
