"""How a sweep over clicks is shown: the table of chosen models, the figures, and the pages that each one hurts."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from riskrank.assessment.assess import assess
from riskrank.data.effectiveness import Effectiveness
from riskrank.report.charts.catalogue import has_charts
from riskrank.report.clicks.click_text import SIGNIFICANT, chosen_table, click_text, click_words
from riskrank.report.findings.click_findings import NAMES
from riskrank.report.page.document import document, in_frame
from riskrank.report.page.plain_page import plain_page
from riskrank.report.page.section import assessed_section, figure
from riskrank.report.table import TitledTable
from riskrank.report.text.sweep_text import summary_table
from riskrank.report.views import sweep as plain_sweep
from riskrank.tradeoff.clicks.click_table import chosen_models, click_table, leading_method

if TYPE_CHECKING:
    from collections.abc import Sequence

    from riskrank.assessment.assessment import Assessment
    from riskrank.tradeoff.clicks.click_table import ClickRow
    from riskrank.tradeoff.operating_point import OperatingPoint
    from riskrank.tradeoff.sweep import Sweep

SHOWN = "order shown"


def text(sweep: Sweep) -> str:
    """The method that leads, and the table of chosen models."""
    is_fresh = sweep.valid is not None
    return click_text(click_table(sweep), sweep.measure, leading_method(sweep), is_fresh=is_fresh)


def notebook(sweep: Sweep) -> str:
    """The page in a frame."""
    return in_frame(page(sweep))


def page(sweep: Sweep, *, point: OperatingPoint | None = None, title: str = "") -> str:
    """A self-contained page; tables and words where charts cannot be had; with a point, the page of any sweep."""
    if point is not None:
        return plain_sweep.page(sweep, point=point, title=title)
    rows = click_table(sweep)
    assessment = _assessed(sweep, rows)
    words = click_words(rows)
    tables = [
        TitledTable("Chosen models", chosen_table(rows, sweep.measure), note=SIGNIFICANT),
        TitledTable(f"All {len(sweep)} models", summary_table(sweep), is_folded=True),
    ]
    if not has_charts():
        return plain_page([assessment], words=words, tables=tables)
    # Risk and gain of the chosen models only: the far outliers of a grid would hide all others.
    figures = [figure("click-models", sweep), figure("click-parameters", sweep), figure("risk-gain", assessment)]
    section = assessed_section(assessment, words=words, tables=tables, first_figures=figures)
    name = NAMES.get(sweep.measure, sweep.measure)
    return document(title or f"Learning from clicks: {name}, {len(sweep.test.queries):,} test pages", [section])


def _assessed(sweep: Sweep, rows: Sequence[ClickRow]) -> Assessment:
    """The chosen models against the order shown, each once: a model may be the best of several kinds."""
    chosen: dict[str, int] = {}
    for method, i in chosen_models(sweep).items():
        if i not in chosen.values():
            chosen[method] = i
    parameters = {row.method: row.parameter for row in rows}
    test = sweep.test
    scores = Effectiveness(
        measure=sweep.measure,
        systems=(SHOWN, *(f"{method}, {parameters[method]}" for method in chosen)),
        topics=test.queries,
        matrix=np.vstack([test.baseline, test.values[list(chosen.values())]]),
        unit="page",
    )
    return assess(scores, SHOWN, alphas=(0.0, 1.0, 5.0))
