"""How a sweep over clicks is shown: the method that leads, what it keeps and what it moves, and the table of all."""

from __future__ import annotations

from typing import TYPE_CHECKING

from riskrank.report.clicks.click_text import click_text
from riskrank.report.views import sweep as plain_sweep
from riskrank.tradeoff.clicks.click_table import click_table, method_standings

if TYPE_CHECKING:
    from riskrank.tradeoff.operating_point import OperatingPoint
    from riskrank.tradeoff.sweep import Sweep


def text(sweep: Sweep) -> str:
    """The method that leads, and the table of chosen models."""
    return click_text(click_table(sweep), sweep.measure, method_standings(sweep))


def notebook(sweep: Sweep) -> str:
    """The finding, a small plot, and the methods."""
    from riskrank.report.page.clicks.click_notebook import click_notebook

    return click_notebook(sweep)


def page(sweep: Sweep, *, point: OperatingPoint | None = None, title: str = "") -> str:
    """A self-contained page; with a point, that of any sweep."""
    if point is not None:
        return plain_sweep.page(sweep, point=point, title=title)
    from riskrank.report.page.clicks.click_page import click_page

    return click_page(sweep, title=title)
