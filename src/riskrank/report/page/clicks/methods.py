"""The methods that a page of clicks shows: each with the model that was chosen for it, by what it gains."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from riskrank.report.findings.click_findings import LEVEL, shares_of_gain
from riskrank.report.findings.points import points_between
from riskrank.risk.inference.multiple_testing import holm
from riskrank.tradeoff.clicks.click_table import STANDARD, chosen_models, kept_at_random

if TYPE_CHECKING:
    from collections.abc import Sequence

    from riskrank.tradeoff.clicks.click_table import ClickRow
    from riskrank.tradeoff.sweep import Sweep


@dataclass(frozen=True)
class Method:
    """A method, by its number on the page: the model's place in the sweep, and what it does on the test pages."""

    number: int
    index: int
    row: ClickRow
    also: tuple[str, ...]  # other methods that the same model was chosen for
    verdict: str
    risk: float
    n_helped: int
    n_hurt: int
    above: float  # gain kept beyond a coin's that re-ranks as many pages; NaN where no coin does

    @property
    def name(self) -> str:
        """As the table has it."""
        return self.row.method

    @property
    def points(self) -> int | None:
        """The same in points; None where no coin does."""
        share = self.row.gain_share
        return points_between(share, share - self.above)

    @property
    def is_standard(self) -> bool:
        """Is it what the others are seen against?"""
        return self.row.method == STANDARD


def shown_methods(sweep: Sweep, table: Sequence[ClickRow]) -> list[Method]:
    """Each chosen model of the table once, those that gain most first; Holm's correction is for so many."""
    test, chosen = sweep.test, chosen_models(sweep)
    shares = shares_of_gain(table)
    rows = {row.method: replace(row, gain_share=share) for row, share in zip(table, shares, strict=True)}
    names: dict[int, list[str]] = {}
    for method, index in chosen.items():
        names.setdefault(index, []).append(method)
    order = sorted(names, key=lambda index: -rows[names[index][0]].gain)
    corrected = holm([rows[names[index][0]].p_value for index in order]).tolist()
    helped, hurt, *_ = test.outcomes
    methods = []
    for number, (index, p_value) in enumerate(zip(order, corrected, strict=True)):
        first, *also = names[index]
        methods.append(
            Method(
                number=number,
                index=index,
                row=rows[first],
                also=tuple(also),
                verdict=_verdict(rows[first], p_value),
                risk=float(test.risk[index]),
                n_helped=int(helped[index]),
                n_hurt=int(hurt[index]),
                above=rows[first].gain_share - kept_at_random(rows[first].reranked, rows[STANDARD].reranked),
            )
        )
    return methods


def standard_of(methods: Sequence[Method]) -> Method:
    """What the others are seen against."""
    return next(method for method in methods if method.is_standard)


def _verdict(row: ClickRow, p_value: float) -> str:
    if math.isnan(p_value):
        return "none"
    if p_value > LEVEL:
        return "open"
    return "gain" if row.gain > 0 else "loss"
