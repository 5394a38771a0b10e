"""Gain against what it costs, risk or pages re-ranked: the axes, a dot with its intervals, and who is far off."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from riskrank.report.findings.assessment_findings import FEW_SYSTEMS
from riskrank.report.page.plots.plot_names import CLEARANCE, Box

if TYPE_CHECKING:
    from riskrank.report.page.plots.plot_names import PlotNames, Size
    from riskrank.report.page.plots.scale import Scale
    from riskrank.risk.intervals import Interval
    from riskrank.typing import Floats

HEIGHT = 350  # px
WIDTHS = (720, 292)  # px: wide and narrow, the two that names are placed for
FAR = 3.0  # times the third quartile of risks: what has more is off the chart
LEAST_SHOWN = 0.8  # of all are on it
UNKNOWN = (math.nan, math.nan)


class Dot(NamedTuple):
    """A system or model: its number, its place in percent, and the reach of its intervals from there."""

    number: int
    name: str
    verdict: str
    x: float
    y: float
    up: float | None = None  # of the interval of its gain
    down: float | None = None
    left: float | None = None  # of the interval of its cost
    right: float | None = None

    def crosses(self, size: Size) -> list[Box]:
        """What the lines of its intervals cover."""
        x, y = size.point(self.x, self.y)
        boxes = []
        if self.up is not None and self.down is not None:
            top, bottom = (size.point(0, self.y + end)[1] for end in (self.up, self.down))
            boxes.append(Box(x - CLEARANCE, top, x + CLEARANCE, bottom))
        if self.left is not None and self.right is not None:
            left, right = (size.point(self.x + end, 0)[0] for end in (self.left, self.right))
            boxes.append(Box(left, y - CLEARANCE, right, y + CLEARANCE))
        return boxes


@dataclass(frozen=True)
class GainPlot:
    """What all plots of gain and its cost have, in percent of the plot; `x` and `y` are its axes."""

    x: Scale
    y: Scale
    dots: list[Dot]
    wide: PlotNames
    narrow: PlotNames
    baseline: str
    height: int  # px
    off: list[str]  # those that are not on it

    @property
    def zero(self) -> float:
        """The baseline's height."""
        return self.y.height(0)


def placed_dot(
    x: Scale,
    y: Scale,
    *,
    number: int,
    name: str,
    verdict: str,
    cost: float,
    gain: float,
    costs: Interval = UNKNOWN,
    gains: Interval = UNKNOWN,
) -> Dot:
    """A dot on its axes; intervals end where they do."""
    place, height = x.place(cost), y.height(gain)
    up, down = _reach([y.height(y.within(limit)) for limit in reversed(gains)], height)
    left, right = _reach([x.place(x.within(limit)) for limit in costs], place)
    return Dot(number, name, verdict, place, height, up, down, left, right)


def _reach(ends: list[float], center: float) -> tuple[float | None, float | None]:
    """How far an interval goes from its middle; nothing where there is none."""
    if any(map(math.isnan, ends)):
        return None, None
    return round(ends[0] - center, 2), round(ends[1] - center, 2)


def are_near(risks: Floats) -> list[bool]:
    """Which risks are not far above most others; of few, all."""
    if len(risks) <= FEW_SYSTEMS:
        return [True] * len(risks)
    limit = max(FAR * float(np.quantile(risks, 0.75)), float(np.quantile(risks, LEAST_SHOWN, method="higher")))
    return [bool(risk <= limit) for risk in risks]
