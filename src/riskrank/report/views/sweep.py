"""How a sweep is shown: the trade-off, the operating point, and every model's queries."""

from __future__ import annotations

from typing import TYPE_CHECKING

from riskrank.assessment.assess import assess
from riskrank.report.charts.catalogue import has_charts
from riskrank.report.page.document import document, in_frame
from riskrank.report.page.plain_page import plain_page
from riskrank.report.page.section import assessed_section, figure
from riskrank.report.table import TitledTable
from riskrank.report.text.sweep_text import point_text, summary_table, sweep_text, sweep_words

if TYPE_CHECKING:
    from riskrank.tradeoff.operating_point import OperatingPoint
    from riskrank.tradeoff.sweep import Sweep

__all__ = ["notebook", "page", "text"]

text = sweep_text


def notebook(sweep: Sweep) -> str:
    """The page in a frame."""
    return in_frame(page(sweep))


def page(sweep: Sweep, *, point: OperatingPoint | None = None, title: str = "") -> str:
    """A self-contained page; tables and words where charts cannot be had."""
    alphas: tuple[float, ...] = (0.0, 1.0, 5.0, 10.0)
    if sweep.parameter == "alpha":  # those that the models were trained for
        alphas = tuple(dict.fromkeys([0.0, *(s.value for s in sweep.settings if s.value >= 0)]))
    assessment = assess(sweep.effectiveness(), sweep.baseline, alphas=alphas)
    words = [*([] if point is None else [point_text(point)]), *sweep_words(sweep)]
    tables = [TitledTable("All models", summary_table(sweep))]
    if not has_charts():
        return plain_page([assessment], words=words, tables=tables)
    section = assessed_section(
        assessment,
        words=words,
        tables=tables,
        first_figures=[figure("risk-gain", sweep, point=point), figure("reranked", sweep)],
        more_figures=[figure(name, sweep) for name in ("convergence", "distance", "distance-reward")],
    )
    return document(title or f"{sweep.measure} against {sweep.baseline}: {', '.join(sweep.series)}", [section])
