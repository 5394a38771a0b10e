"""A number and its interval, drawn in a cell of a table."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable

    from riskrank.report.page.plots.scale import Scale


class IntervalGlyph(NamedTuple):
    """A number and its interval, in percent of the glyph; `side` is -1 or 1 where the number lies beyond it."""

    middle: float | None
    low: float | None
    high: float | None
    side: int = 0


def interval_glyph(scale: Scale, value: float, limits: Iterable[float]) -> IntervalGlyph:
    """Of a number within the scale; without a line where its limits are not known."""
    low, high = (None if math.isnan(limit) else scale.place(limit) for limit in limits)
    return IntervalGlyph(scale.place(value), low, high)
