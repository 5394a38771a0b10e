"""Sweeps over clicks as people see them: the paper's table, figures, a page."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any

from riskrank.report.clicks.click_text import click_text
from riskrank.report.sweep import Sweep
from riskrank.tradeoff.clicks import click_sweep as trained
from riskrank.tradeoff.clicks.click_table import click_table

if TYPE_CHECKING:
    import polars as pl

    from riskrank.tradeoff.operating_point import OperatingPoint


class ClickSweep(Sweep):
    """The results of a sweep over clicks; its `table` is Table 2 of Bennett et al. 2015."""

    @property
    def table(self) -> pl.DataFrame:
        """The chosen models on the test pages."""
        import polars as pl

        return pl.DataFrame([row.to_dict() for row in click_table(self)])

    def _page(self, point: OperatingPoint | None, title: str) -> str:
        if point is not None:
            return super()._page(point, title)
        from riskrank.report.clicks.click_page import click_page

        return click_page(self, title=title)

    def __repr__(self) -> str:
        return click_text(click_table(self), self.measure)


@functools.wraps(trained.click_sweep)
def click_sweep(*arguments: Any, **options: Any) -> ClickSweep:
    """Train and judge (see `riskrank.tradeoff.clicks.click_sweep.click_sweep`), for people to look at."""
    found: ClickSweep = trained.click_sweep(*arguments, **{"kind": ClickSweep, **options})
    return found
