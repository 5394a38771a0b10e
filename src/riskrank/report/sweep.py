"""Sweeps as people see them: as text, as a page, as charts."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any

from riskrank.data.files import write_atomically
from riskrank.tradeoff import run_sweep as sweeping
from riskrank.tradeoff.sweep import SweepResults

if TYPE_CHECKING:
    import os

    from riskrank.tradeoff.operating_point import OperatingPoint


class Sweep(SweepResults):
    """The results of a sweep, with a text, a page and charts of them."""

    def chart(self, name: str = "risk-gain", **options: Any) -> Any:
        """An Altair chart: those of an assessment, and reranked, convergence, distance, distance-reward."""
        from riskrank.report.charts.catalogue import chart_named

        return chart_named(name)(self, **options)

    def to_html(
        self, path: str | os.PathLike[str] | None = None, *, point: OperatingPoint | None = None, title: str = ""
    ) -> str | None:
        """Write a self-contained page to `path`, or return it without one; `point`: the one that was chosen."""
        text = self._page(point, title)
        if path is None:
            return text
        write_atomically(path, text)
        return None

    def _page(self, point: OperatingPoint | None, title: str) -> str:
        from riskrank.report.page.page import sweep_page

        return sweep_page(self, point=point, title=title)

    def __repr__(self) -> str:
        from riskrank.report.text.sweep_text import sweep_text

        return sweep_text(self)

    def _repr_html_(self) -> str:
        from riskrank.report.page.page import in_frame

        return in_frame(self._page(None, ""))


@functools.wraps(sweeping.sweep)
def sweep(*arguments: Any, **options: Any) -> Sweep:
    """Train and judge (see `riskrank.tradeoff.run_sweep.sweep`), for people to look at."""
    found: Sweep = sweeping.sweep(*arguments, **{"kind": Sweep, **options})
    return found
