"""A check as a bullet: the value as a bar, the limit as a tick, the region beyond it, the interval as a whisker."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Literal, NamedTuple

from riskrank.report.page.plots.scale import Scale

if TYPE_CHECKING:
    from riskrank.risk.budget.check import Check

MARGIN = 0.1  # of the axis, beyond all that is drawn
EDGE = 15.0  # percent: nearer to an end of the axis, the limit's text stays inside it


class Span(NamedTuple):
    """A part of the axis, in percent of it."""

    start: float
    width: float

    @property
    def end(self) -> float:
        """Where it ends."""
        return self.start + self.width


class Bullet(NamedTuple):
    """Places in percent of the width; `beyond` is where a value breaks the limit."""

    value: Span
    beyond: Span
    limit: float
    zero: float
    interval: Span | None

    @property
    def anchor(self) -> Literal["start", "middle", "end"]:
        """Of what is written below the limit."""
        return "start" if self.limit < EDGE else "end" if self.limit > 100 - EDGE else "middle"

    @property
    def zero_anchor(self) -> Literal["middle", "end"]:
        """Of the 0 below the axis, which is narrow."""
        return "end" if self.zero > 100 - EDGE / 5 else "middle"

    @property
    def is_zero_named(self) -> bool:
        """Is zero somewhere else than at the left end, with space below it?"""
        return self.zero > 0 and abs(self.zero - self.limit) > 2 * EDGE


def check_bullet(check: Check) -> Bullet | None:
    """From zero to the value; lower limits are broken on their left. None where no limit was set, or no value is known.

    >>> from riskrank.risk import Check
    >>> check_bullet(Check("risk", 0.1, 0.4, False, "", (), interval=(0.2, 0.5))).limit
    18.18
    """
    if math.isnan(check.limit) or not math.isfinite(check.value) or check.name in ("missing", "protected"):
        return None
    is_lower, interval = not check.is_upper, check.interval
    ends = [0.0, check.value, check.limit, *(end for end in interval if math.isfinite(end))]
    low, high = min(ends), max(ends)
    margin = MARGIN * (high - low) or 1.0
    low, high = low - margin * is_lower, high + margin * (high > 0 or not is_lower)
    if check.name in ("hurt", "severe"):
        high = min(high, 1.0)
    axis = Scale(low, high, high - low)
    return Bullet(
        value=_span(axis, *sorted((0.0, check.value))),
        beyond=_span(axis, low, check.limit) if is_lower else _span(axis, check.limit, high),
        limit=axis.place(check.limit),
        zero=axis.place(0.0),
        interval=_span(axis, *interval) if all(map(math.isfinite, interval)) else None,
    )


def _span(axis: Scale, start: float, end: float) -> Span:
    return Span(axis.place(start), round(axis.place(end) - axis.place(start), 2))
