"""What a page of clicks keeps closed: all models, the paper's table, and how it was computed."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from riskrank.report.clicks.click_text import SIGNIFICANT, chosen_table
from riskrank.report.findings.click_findings import NAMES
from riskrank.report.findings.digits import share_text
from riskrank.report.findings.points import points_between
from riskrank.report.findings.words import counted
from riskrank.report.table import Table, TitledTable
from riskrank.report.text.sweep_text import summary_table
from riskrank.tradeoff.clicks.click_table import LOWEST, NEAR, PARITY, PREFERENCE, STANDARD

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from riskrank.report.page.clicks.methods import Method
    from riskrank.tradeoff.clicks.click_table import ClickRow, Standing, Standings
    from riskrank.tradeoff.sweep import Sweep


def click_tables(sweep: Sweep, rows: Sequence[ClickRow], standings: Standings) -> list[TitledTable]:
    """Each under a title that says what is in it."""
    models = counted(len(sweep), "model")
    paper, source = chosen_table(rows, sweep.measure), "Table 2 of Bennett et al. 2015, in hundredths"
    return [
        *([_standings(standings.by_method, sweep)] if standings.by_method else []),
        TitledTable("All parameters", summary_table(sweep), about=models, is_folded=True),
        TitledTable("As in the paper", paper, about=source, note=SIGNIFICANT, is_folded=True),
    ]


def _standings(known: Mapping[str, Standing], sweep: Sweep) -> TitledTable:
    """What methods keep where they are chosen."""
    rows = [
        [
            method, sweep.settings[each.model].value_label, share_text(each.gain_kept), share_text(each.reranked),
            share_text(each.at_random), _points(each),
        ]
        for method, each in sorted(known.items(), key=lambda item: (math.isnan(item[1].above), -item[1].above))
    ]  # fmt: skip
    header = ["method", "parameter", "gain kept", "re-ranked", "at random", "points more"]
    note = f"At random: what {STANDARD} keeps on as many pages, drawn at random. The method with most points leads."
    pages = "test pages: there were no others" if sweep.valid is None else "validation pages"
    n_pages = len((sweep.test if sweep.valid is None else sweep.valid).queries)
    return TitledTable(
        "Which method leads",
        Table(header, rows, words=(1,)),
        about=f"{n_pages:,} {pages}",
        note=note,
        is_folded=True,
    )


def _points(standing: Standing) -> str:
    points = points_between(standing.gain_kept, standing.at_random)
    return "–" if points is None else f"{points}".replace("-", "−")


def click_definitions(sweep: Sweep, methods: list[Method]) -> list[tuple[str, str]]:
    """What each column, line and picture means, as far as it is on the page."""
    judge = "the test pages themselves: there were no validation pages" if sweep.valid is None else "validation pages"
    names = {name for method in methods for name in (method.name, *method.also)}
    measure = NAMES.get(sweep.measure, sweep.measure)
    said = [
        ("Labels", "What was clicked and satisfied; nothing else says what is relevant."),
        ("Gain", f"Mean change of {measure} per test page against the order in which documents were shown."),
        (STANDARD, "Learns from clicks alone, with losses that weigh as much as wins (α = 0)."),
        ("α, β", "Losses weigh 1 + α in training. β is the weight of the order shown, where a satisfied click has 1."),
        ("Gain kept, risk kept", f"Gain and mean loss as a share of those of {STANDARD}."),
        ("Pages re-ranked", "The share of pages in another order than the one shown."),
        ("Gain per page moved", "The gain over the pages that are re-ranked alone."),
        ("At random", f"{STANDARD} on some pages, drawn at random: gain and pages re-ranked shrink alike."),
        ("Pairs that swap", "Kendall’s distance to the order shown: the share of a page’s pairs of documents."),
        ("Which model", f"Of each method, the one with the largest area under gain against re-ranking on {judge}."),
        ("Which leads", f"The method that is most points above {STANDARD} on as many random pages, on {judge}."),
        (
            "95% interval, filled dots",
            f"Student’s t over {counted(methods[0].row.n, 'page')}; a dot is filled where the test’s p is at most 0.05 "
            f"after Holm’s correction for {counted(len(methods), 'method')}. Intervals are not corrected; as shares "
            f"they take the gain of {STANDARD} as given.",
        ),
    ]
    if LOWEST in names:
        said.append((LOWEST, "Of this method the model with the largest gain, as in the paper."))
    if {PARITY, NEAR} & names:
        said.append(("RS", f"The risk-sensitive models nearest to {PREFERENCE} in gain, and in pages re-ranked."))
    return said
