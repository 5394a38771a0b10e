"""What was learned from clicks, as the table of Bennett et al. 2015 (Table 2) and in words."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from riskrank.report.text import aligned, number, p_text, signed
from riskrank.tradeoff.click_sweep import BOTH, PREFERENCE
from riskrank.tradeoff.click_table import PARITY, STANDARD

if TYPE_CHECKING:
    from collections.abc import Sequence

    from riskrank.tradeoff.click_table import ClickRow

LEVEL = 0.05
NAMES = {"AP": "MAP"}  # the mean over pages has a name of its own
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
        *(signed(100 * value, 3) for value in row.other_gains.values()), signed(100 * row.gain_per_reranked, 2),
        _hundredth(row.reranked), _hundredth(row.risk_share), _hundredth(row.gain_share), _hundredth(row.kendall_tau),
        _hundredth(row.kendall_tau_reranked), p_text(row.p_value),
    ]  # fmt: skip


def click_text(rows: Sequence[ClickRow], measure: str) -> str:
    """The table, and what it says."""
    table = aligned(
        click_header(measure, list(rows[0].other_gains)),
        [click_cells(row) for row in rows],
        left=("method", "parameter"),
    )
    shown = 100 * (rows[0].effectiveness - rows[0].gain)
    name = NAMES.get(measure, measure)
    first = f"{rows[0].n:,} test pages; the order shown has {name} {number(shown, 2)}; all numbers are in hundredths"
    return "\n".join([first, "", table, "", SIGNIFICANT, *click_words(rows)])


def click_words(rows: Sequence[ClickRow]) -> list[str]:
    """What the table says, in a few sentences."""
    by_method = {row.method: row for row in rows}
    full = by_method[STANDARD]
    if not full.gain > 0:
        return [f"{STANDARD} gains nothing on these pages: there is nothing to keep."]
    words = []
    own = by_method.get(PREFERENCE)
    if own is not None:
        words.append(
            f"{PREFERENCE} ({own.parameter}) keeps {own.gain_share:.0%} of the gain and re-ranks "
            f"{own.reranked:.1%} of the pages instead of {full.reranked:.1%}."
        )
    parity = by_method.get(PARITY)
    if own is not None and parity is not None:
        words.append(
            f"The risk-sensitive model nearest in gain ({parity.parameter}, {parity.gain_share:.0%}) re-ranks "
            f"{parity.reranked:.1%}."
        )
    both = by_method.get(BOTH)
    if both is not None:
        words.append(
            f"Both together ({both.parameter}) keep {both.gain_share:.0%} of the gain, re-rank {both.reranked:.1%} and "
            f"have {both.risk_share:.0%} of the risk."
        )
    return words


def _hundredth(value: float) -> str:
    return "" if math.isnan(value) else number(100 * value, 2)
