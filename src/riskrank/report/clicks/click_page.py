"""The page of a sweep over clicks: the table of chosen models, the figures, and the pages that each one hurts."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from riskrank.data.effectiveness import Effectiveness
from riskrank.report.clicks.click_text import NAMES, SIGNIFICANT, click_cells, click_header, click_words
from riskrank.report.page.page import has_charts, page_spec, section, sweep_table, whole_page
from riskrank.report.page.plain_page import escape, plain_page
from riskrank.tradeoff.clicks.click_table import chosen_models, click_table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from riskrank.tradeoff.clicks.click_table import ClickRow
    from riskrank.tradeoff.sweep import Sweep

BEFORE = ("click-models", "click-parameters", "risk-gain")
SHOWN = "order shown"


def click_page(sweep: Sweep, *, title: str = "") -> str:
    """A self-contained page."""
    from riskrank.assessment.assess import assess

    rows = click_table(sweep)
    chosen: dict[str, int] = {}
    for method, i in chosen_models(sweep).items():
        if i not in chosen.values():  # a model may be the best of several kinds
            chosen[method] = i
    test = sweep.test
    scores = Effectiveness(
        measure=sweep.measure,
        systems=(SHOWN, *(f"{method}, {row.parameter}" for method, row in _named(rows, chosen).items())),
        topics=test.queries,
        matrix=np.vstack([test.baseline, test.values[list(chosen.values())]]),
    )
    assessment = assess(scores, SHOWN, alphas=(0.0, 1.0, 5.0))
    words = click_words(rows)
    every = f"<details><summary>All {len(sweep)} models</summary>{sweep_table(sweep, heading='')}</details>"
    tables = _table(rows, sweep.measure) + every
    if not has_charts():
        return plain_page([assessment], words=words, before=tables)
    from riskrank.report.charts import catalogue as charts
    from riskrank.report.charts import tradeoff as tradeoff_charts

    drawn = {name: page_spec(charts.CHARTS[name](sweep)) for name in BEFORE[:2]}
    # Of the chosen models only: the far outliers of a grid would hide all others.
    drawn["risk-gain"] = page_spec(tradeoff_charts.risk_gain(assessment))
    html, data = section(
        assessment, drawn, words=words, extra=tables, rankings=None, with_heading=False, before=BEFORE,
        after=("helped-hurt",),
    )  # fmt: skip
    name = title or f"Learning from clicks: {NAMES.get(sweep.measure, sweep.measure)}, {len(test.queries):,} test pages"
    return whole_page(name, [html], [data])


def _named(rows: Sequence[ClickRow], chosen: dict[str, int]) -> dict[str, ClickRow]:
    return {row.method: row for row in rows if row.method in chosen}


def _table(rows: Sequence[ClickRow], measure: str) -> str:
    head = "".join(f'<th scope="col">{escape(text)}</th>' for text in click_header(measure, list(rows[0].other_gains)))
    body = "".join("<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in click_cells(row)) + "</tr>" for row in rows)
    table = f'<table class="sweep"><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>'
    return f'<h3>Chosen models</h3><div class="scroll">{table}</div><p class="note">{escape(SIGNIFICANT)}</p>'
