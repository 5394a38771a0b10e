"""Sweeps over clicks as people see them: the paper's table, figures, a page."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any

from riskrank.data.files import write_atomically
from riskrank.report.click_text import click_text
from riskrank.report.sweep import Sweep
from riskrank.tradeoff import click_sweep as trained
from riskrank.tradeoff.click_table import click_table

if TYPE_CHECKING:
    import os

    import polars as pl

    from riskrank.tradeoff.operating_point import OperatingPoint


class ClickSweep(Sweep):
    """The results of a sweep over clicks; its `table` is Table 2 of Bennett et al. 2015."""

    @property
    def table(self) -> pl.DataFrame:
        """The chosen models on the test pages."""
        import polars as pl

        return pl.DataFrame([row.to_dict() for row in click_table(self)])

    def to_html(
        self, path: str | os.PathLike[str] | None = None, *, point: OperatingPoint | None = None, title: str = ""
    ) -> str | None:
        """Write a self-contained page to `path`, or return it without one."""
        if point is not None:
            return super().to_html(path, point=point, title=title)
        from riskrank.report.click_page import click_page

        text = click_page(self, title=title)
        if path is None:
            return text
        write_atomically(path, text)
        return None

    def __repr__(self) -> str:
        return click_text(click_table(self), self.measure)

    def _repr_html_(self) -> str:
        from riskrank.report.click_page import click_page
        from riskrank.report.page import in_frame

        return in_frame(click_page(self))


@functools.wraps(trained.click_sweep)
def click_sweep(*arguments: Any, **options: Any) -> ClickSweep:
    """Train and judge (see `riskrank.tradeoff.click_sweep.click_sweep`), for people to look at."""
    found: ClickSweep = trained.click_sweep(*arguments, **{"kind": ClickSweep, **options})
    return found
