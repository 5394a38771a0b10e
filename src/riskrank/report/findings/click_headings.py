"""The headings of the page of a sweep over clicks: each says what the picture or table below it shows."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from riskrank.report.findings.click_findings import is_shown_to_gain
from riskrank.report.findings.digits import share_text
from riskrank.tradeoff.clicks.click_table import STANDARD

if TYPE_CHECKING:
    from collections.abc import Sequence

    from riskrank.tradeoff.clicks.click_table import ClickRow


def kept_heading(rows: Sequence[ClickRow], leader: str, above: float) -> str:
    """What the picture shows of the method that leads, which is Standard Gain where none does.

    `above`: what it keeps beyond Standard Gain on as many random pages; NaN where that re-ranks fewer on all.
    """
    by_method = {row.method: row for row in rows}
    if not by_method[STANDARD].gain > 0:
        return f"{STANDARD} has no gain to keep"
    if not is_shown_to_gain(by_method[STANDARD]):
        if leader == STANDARD:
            return f"The gain of {STANDARD} could be chance"
        one, other = by_method[leader], by_method[STANDARD]
        return f"{leader} re-ranks {share_text(one.reranked)} of the pages, {STANDARD} {share_text(other.reranked)}"
    if leader == STANDARD:
        no_better = f"No method is seen to keep more than {STANDARD} on as many random pages"
        return no_better if len(rows) > 1 else f"{STANDARD} against the order shown"
    if math.isnan(above):
        return f"{leader} re-ranks more pages than {STANDARD}"
    kept = by_method[leader].gain_share
    return f"{leader}: {share_text(kept)} of the gain; {STANDARD} on as many random pages: {share_text(kept - above)}"


def verdicts_heading(methods: Sequence[str], verdicts: Sequence[str]) -> str:
    """Which methods gain, and which lose; verdicts are gain, loss, open or none.

    >>> verdicts_heading(["A", "B", "C"], ["gain", "open", "loss"])
    '1 of 3 methods gains significantly; C loses significantly'
    """
    count = len(methods)
    gaining = [method for method, verdict in zip(methods, verdicts, strict=True) if verdict == "gain"]
    losing = [method for method, verdict in zip(methods, verdicts, strict=True) if verdict == "loss"]
    if count == 1:
        return f"{methods[0]} {'gains' if gaining else 'loses' if losing else 'neither gains nor loses'} significantly"
    if len(gaining) == count:
        return "Every method gains significantly; they differ in how many pages they move"
    said = f"{len(gaining)} of {count} methods {'gains' if len(gaining) == 1 else 'gain'} significantly"
    if not gaining:
        said = "No method gains significantly"
    if losing:
        said += f"; {f'{losing[0]} loses' if len(losing) == 1 else f'{len(losing)} lose'} significantly"
    return said


def pages_hurt_heading(method: str, n_hurt: int, n_pages: int, n_standard: int | None) -> str:
    """How many pages are hurt, with Standard Gain's beside them.

    >>> pages_hurt_heading("Weight-Initial-Pref", 120, 6040, 448)
    'Weight-Initial-Pref hurts 120 of 6,040 pages, Standard Gain 448'
    """
    hurts = f"{n_hurt:,} of {n_pages:,} pages" if n_hurt else "no page"
    return f"{method} hurts {hurts}{'' if n_standard is None else f', {STANDARD} {n_standard:,}'}"


def moved_heading(method: str, swapped: float, standard: float | None) -> str:
    """How far the pages move that are re-ranked at all: the mean share of pairs of documents that swap.

    >>> moved_heading("Weight-Initial-Pref", 0.031, 0.062)
    'Where Weight-Initial-Pref re-ranks, 3% of the pairs swap on average, 6% with Standard Gain'
    """
    if math.isnan(swapped):
        return f"{method} re-ranks no page"
    beside = "" if standard is None or math.isnan(standard) else f", {standard:.0%} with {STANDARD}"
    return f"Where {method} re-ranks, {swapped:.0%} of the pairs swap on average{beside}"
