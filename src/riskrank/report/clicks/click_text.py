"""What was learned from clicks, as the table of Bennett et al. 2015 (Table 2) and in words."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from riskrank.errors import p_text
from riskrank.report.findings.click_findings import NAMES, click_findings, gain_interval, shares_of_gain
from riskrank.report.findings.digits import share_text
from riskrank.report.findings.words import counted, joined
from riskrank.report.table import Table
from riskrank.report.text.formatting import aligned, decimals, signed
from riskrank.report.text.terminal import interval_glyphs, paragraph, style
from riskrank.tradeoff.clicks.click_table import BOTH, NEAR, PARITY, PREFERENCE, RISK, STANDARD

if TYPE_CHECKING:
    from collections.abc import Sequence

    from riskrank.report.findings.digits import Digits
    from riskrank.tradeoff.clicks.click_table import ClickRow, Standings

LEVEL = 0.05
GLYPH = 12
LEGEND = (
    "kept, risk: of Standard Gain's gain and risk; moved: pages re-ranked\n"
    "α: losses weigh 1 + α in training; β: weight of the order shown beside clicks"
)
SIGNIFICANT = "* differs from the order shown (paired t-test, p ≤ 0.05, two-sided)."


def click_header(measure: str, others: Sequence[str] = ()) -> list[str]:
    """The titles of the columns; `others`: further measures."""
    name = NAMES.get(measure, measure)
    return [
        "method", "parameter", name, f"Δ{name}", *(f"Δ{NAMES.get(other, other)}" for other in others), f"Δ{name}/R",
        "% re-ranked", "% risk", "% gain", "K-τ", "K-τ|R", "p",
    ]  # fmt: skip


def click_cells(row: ClickRow) -> list[str]:
    """A row as text: all in hundredths, as in the paper."""
    star = "*" if row.p_value <= LEVEL else ""
    return [
        row.method, row.parameter, _hundredth(row.effectiveness), signed(100 * row.gain, 3) + star,
        *(signed(100 * value, 3) for value in row.other_gains.values()),
        "" if math.isnan(row.gain_per_reranked) else signed(100 * row.gain_per_reranked, 2),
        _hundredth(row.reranked), _hundredth(row.risk_share), _hundredth(row.gain_share), _hundredth(row.kendall_tau),
        _hundredth(row.kendall_tau_reranked), "" if math.isnan(row.p_value) else p_text(row.p_value),
    ]  # fmt: skip


def chosen_table(rows: Sequence[ClickRow], measure: str) -> Table:
    """The chosen models, a row each."""
    header = click_header(measure, list(rows[0].other_gains))
    return Table(header, [click_cells(row) for row in rows], kind="sweep")


def click_text(
    rows: Sequence[ClickRow], measure: str, standings: Standings, *, part: str = "test", styled: bool = False
) -> str:
    """The first screen: the method that leads, and one table; `part` of the prepared pages."""
    said = click_findings(rows, measure, standings)
    shown = said.digits.score(rows[0].effectiveness - rows[0].gain)
    context = f"{NAMES.get(measure, measure)} against the order shown ({shown}), {counted(rows[0].n, f'{part} page')}"
    first = paragraph(joined(said.headline, said.beside), styled=styled)
    return "\n\n".join([first, context, _methods(rows, said.digits, standings.leader if styled else None), LEGEND])


def _methods(rows: Sequence[ClickRow], digits: Digits, leader: str | None) -> str:
    """A line per method, but for the risk-sensitive models that only stand beside others."""
    kept = [row for row in rows if row.method not in (PARITY, NEAR) or row.method == leader]
    limits = [gain_interval(row) for row in kept]
    shares = dict(zip((row.method for row in rows), shares_of_gain(rows), strict=True))
    glyphs = interval_glyphs([(low, row.gain, high) for row, (low, high) in zip(kept, limits, strict=True)], GLYPH)
    cells = [
        [row.method, row.parameter.replace(" = ", "="), digits.gain(row.gain), glyph, share_text(shares[row.method]),
         share_text(row.reranked), share_text(row.risk_share)]
        for row, glyph in zip(kept, glyphs, strict=True)
    ]  # fmt: skip
    header = ["method", "parameter", "gain", "95% interval", "kept", "moved", "risk"]
    lines = aligned(header, cells, left=("method", "parameter", "95% interval")).splitlines()
    for i, row in enumerate(kept, start=1):
        if row.method == leader:
            lines[i] = style(lines[i], "strong")
    return "\n".join(lines)


def click_numbers(rows: Sequence[ClickRow], measure: str, *, part: str = "test") -> str:
    """All numbers: the paper's table, and what it says."""
    table = chosen_table(rows, measure)
    shown = decimals(100 * (rows[0].effectiveness - rows[0].gain), 2)
    name = NAMES.get(measure, measure)
    first = f"{rows[0].n:,} {part} pages; the order shown has {name} {shown}; all numbers are in hundredths"
    lines = aligned(table.header, table.rows, left=("method", "parameter"))
    return "\n".join([first, "", lines, "", SIGNIFICANT, *click_words(rows)])


def click_words(rows: Sequence[ClickRow]) -> list[str]:
    """What the table says, in a few sentences."""
    by_method = {row.method: row for row in rows}
    standard = by_method[STANDARD]
    if not standard.gain > 0:
        return [f"{STANDARD} gains nothing on these pages: there is nothing to keep."]
    words = []
    for method in (PREFERENCE, PARITY, BOTH) if PREFERENCE in by_method else (RISK, BOTH):
        row = by_method.get(method)
        if row is None:
            continue
        title = "The risk-sensitive model nearest to it in gain" if method == PARITY else method
        risk = "" if math.isnan(row.risk_share) else f", with {_percent(row.risk_share)} of the risk"
        words.append(
            f"{title} ({row.parameter}) has {_percent(row.gain_share)} of {STANDARD}'s gain and re-ranks "
            f"{_percent(row.reranked, 1)} of the pages instead of {_percent(standard.reranked, 1)}{risk}."
        )
    return words or [f"{STANDARD} re-ranks {_percent(standard.reranked, 1)} of the pages; there is no other model."]


def _hundredth(value: float) -> str:
    return "" if math.isnan(value) else decimals(100 * value, 2)


def _percent(value: float, digits: int = 0) -> str:
    return f"{decimals(100 * value, digits)}%"
