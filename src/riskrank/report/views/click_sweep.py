"""How a sweep over clicks is shown: the paper's table, figures, a page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from riskrank.report.clicks.click_text import click_text
from riskrank.report.views import sweep as plain_sweep
from riskrank.tradeoff.clicks.click_table import click_table

if TYPE_CHECKING:
    from riskrank.tradeoff.clicks.click_sweep import ClickSweep
    from riskrank.tradeoff.operating_point import OperatingPoint


def text(sweep: ClickSweep) -> str:
    """The table of chosen models, and what it says."""
    return click_text(click_table(sweep), sweep.measure)


def notebook(sweep: ClickSweep) -> str:
    """The page in a frame."""
    from riskrank.report.page.frame import in_frame

    return in_frame(page(sweep))


def page(sweep: ClickSweep, *, point: OperatingPoint | None = None, title: str = "") -> str:
    """The chosen models; with an operating point, the page of any sweep."""
    if point is not None:
        return plain_sweep.page(sweep, point=point, title=title)
    from riskrank.report.clicks.click_page import click_page

    return click_page(sweep, title=title)
