"""How a sweep is shown: the point to use, the trade-off, and what each step costs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from riskrank.report.text.sweep_text import sweep_text

if TYPE_CHECKING:
    from riskrank.tradeoff.operating_point import OperatingPoint
    from riskrank.tradeoff.sweep import Sweep

__all__ = ["notebook", "page", "text"]

text = sweep_text


def notebook(sweep: Sweep) -> str:
    """The finding, a small curve, and the first models."""
    from riskrank.report.page.sweeps.sweep_notebook import sweep_notebook

    return sweep_notebook(sweep)


def page(sweep: Sweep, *, point: OperatingPoint | None = None, title: str = "") -> str:
    """A self-contained page, with the point that was chosen."""
    from riskrank.report.page.sweeps.sweep_page import sweep_page

    return sweep_page(sweep, point=point, title=title)
