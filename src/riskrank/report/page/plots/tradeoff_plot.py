"""Risk against gain: a dot per system, the break-even line, and the names that matter."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from riskrank.errors import one_line
from riskrank.report.findings.assessment_findings import FEW_SYSTEMS, rivals
from riskrank.report.page.plots.label_places import Box, box_of, placed_below, placed_labels, text_width
from riskrank.report.page.plots.scale import Tick, scale, svg_points
from riskrank.report.page.plots.verdict_marks import verdict_classes
from riskrank.risk.inference.mirror_shift import LOSS, MirrorShift
from riskrank.risk.paired import difference

if TYPE_CHECKING:
    from collections.abc import Sequence

    from riskrank.assessment.assessment import Assessment, SystemSummary
    from riskrank.report.page.plots.label_places import LabelPlace
    from riskrank.report.page.plots.scale import Scale
    from riskrank.typing import Floats

MANY_SYSTEMS = 150  # have small dots and few names
FAR = 3.0  # times the third quartile of risks: farther systems are off the chart
LEAST_SHOWN = 0.8  # of the systems are on it
FRONTIER_NAMES = 3  # of many systems
LONGEST_NAME = 28
WIDE, NARROW = 720, 302  # px: the two widths that names are placed for


class Dot(NamedTuple):
    """A system: its number in the assessment, its place in percent, and the reach of its intervals from there."""

    number: int
    name: str
    verdict: str
    x: float
    y: float
    up: float | None = None  # of the interval of its gain
    down: float | None = None
    left: float | None = None  # of the interval of its risk
    right: float | None = None


class Label(NamedTuple):
    """The name of a system, beside its dot."""

    dot: Dot
    place: LabelPlace


class PlotLabels(NamedTuple):
    """The names on a plot of one width, and where the baseline's stands."""

    names: list[Label]
    baseline: LabelPlace


@dataclass(frozen=True)
class TradeoffPlot:
    """All that is drawn, in percent of the plot; `x` and `y` are its axes."""

    x: Scale
    y: Scale
    x_ticks: list[Tick]
    y_ticks: list[Tick]
    zero: float
    dots: list[Dot]
    frontier: str  # points
    wide: PlotLabels
    narrow: PlotLabels
    baseline: str
    height: int  # px
    is_few: bool
    is_many: bool
    off: list[str]  # systems that are not on it

    def break_even(self, alpha: float) -> BreakEven:
        """Where gain is alpha times the risk."""
        end_x, end_y = self.x.high, alpha * self.x.high
        if end_y > self.y.high:
            end_x, end_y = self.y.high / alpha, self.y.high
        return BreakEven(self.x.place(end_x), self.y.height(end_y))

    def region(self, alpha: float) -> str:
        """Below break-even, as the points of a polygon."""
        end = self.break_even(alpha)
        corners = [(0.0, self.zero), (end.x, end.y), (100.0, end.y), (100.0, 100.0), (0.0, 100.0)]
        return svg_points(corners)


class BreakEven(NamedTuple):
    """Where the break-even line leaves the plot."""

    x: float
    y: float


def is_on_chart(systems: Sequence[SystemSummary]) -> list[bool]:
    """Which systems a chart is for: not those whose risk is far above most others'."""
    return are_near(np.array([each.risk for each in systems]))


def are_near(risks: Floats) -> list[bool]:
    """Which risks are not far above most others; of few, all."""
    if len(risks) <= FEW_SYSTEMS:
        return [True] * len(risks)
    limit = max(FAR * float(np.quantile(risks, 0.75)), float(np.quantile(risks, LEAST_SHOWN, method="higher")))
    return [bool(risk <= limit) for risk in risks]


def frontier_of(systems: Sequence[SystemSummary]) -> list[SystemSummary]:
    """The systems that gain more than all with less risk, least risk first."""
    highest, frontier = -math.inf, []
    for each in sorted(systems, key=lambda each: (each.risk, -each.gain)):
        if each.gain > highest:
            highest = each.gain
            frontier.append(each)
    return frontier


def tradeoff_plot(
    assessment: Assessment,
    chosen: str,
    alpha: float,
    *,
    height: int = 350,
    widths: tuple[int, int] = (WIDE, NARROW),
    cut: bool = True,
) -> TradeoffPlot:
    """The plot of an assessment at an alpha; `cut`: without the systems that are far off."""
    compared = rivals(assessment)
    is_on = is_on_chart(compared) if cut else [True] * len(compared)
    on = [each for each, keeps in zip(compared, is_on, strict=True) if keeps]
    is_few = len(compared) <= FEW_SYSTEMS
    risks = {each.system: _risk_interval(assessment, each) for each in on} if is_few else {}
    x, y = _scales(on, risks, chosen)
    numbers = {each.system: i for i, each in enumerate(assessment.systems)}
    verdicts = verdict_classes(assessment, alpha)
    dots = [_dot(each, numbers[each.system], verdicts, x, y, risks.get(each.system, ())) for each in on]
    baseline = f"{plot_name(assessment.baseline)}, the baseline"
    names = _names(on, chosen, is_few=is_few, is_many=len(compared) > MANY_SYSTEMS)
    wide, narrow = (
        _labels(dots, names, chosen, width=width, height=height, zero=y.height(0), baseline=baseline)
        for width in widths
    )
    best = "" if is_few else svg_points((x.place(each.risk), y.height(each.gain)) for each in frontier_of(on))
    return TradeoffPlot(
        x=x,
        y=y,
        x_ticks=[Tick(x.place(value), x.text(value)) for value in x.ticks],
        y_ticks=[Tick(y.height(value), y.text(value, signed=True)) for value in y.ticks],
        zero=y.height(0),
        dots=dots,
        frontier=best,
        wide=wide,
        narrow=narrow,
        baseline=baseline,
        height=height,
        is_few=is_few,
        is_many=len(compared) > MANY_SYSTEMS,
        off=[each.system for each, keeps in zip(compared, is_on, strict=True) if not keeps],
    )


def plot_name(name: str, limit: int = LONGEST_NAME) -> str:
    """A name in one line, cut where it is too long to stand beside a dot."""
    return one_line(name, limit=limit)


def _risk_interval(assessment: Assessment, system: SystemSummary) -> tuple[float, float]:
    """The risks that the test of the gain's interval does not reject."""
    if math.isnan(system.gain_interval[0]):
        return math.nan, math.nan
    delta = difference(assessment.scores[system.system], assessment.baseline_scores)
    low, high = MirrorShift(delta).interval(LOSS, 1 - assessment.level)
    return max(0.0, -high), max(0.0, -low)


def _scales(
    systems: Sequence[SystemSummary], risk_intervals: dict[str, tuple[float, float]], chosen: str
) -> tuple[Scale, Scale]:
    """Of risks and gains; intervals count where they are drawn."""
    gains, risks = [0.0], [0.0]
    for each in systems:
        gains.append(each.gain)
        risks.append(each.risk)
        if risk_intervals or each.system == chosen:
            gains += [limit for limit in each.gain_interval if not math.isnan(limit)]
        risks += [limit for limit in risk_intervals.get(each.system, ()) if not math.isnan(limit)]
    x = scale(0.0, max(max(risks) * 1.04, 1e-9), n_ticks=5)
    margin = (max(gains) - min(gains)) * 0.04 or 0.01
    return x, scale(min(*gains, -margin), max(*gains, margin), n_ticks=6)


def _dot(
    system: SystemSummary, number: int, verdicts: Sequence[str], x: Scale, y: Scale, risks: Sequence[float]
) -> Dot:
    place, top = x.place(system.risk), y.height(system.gain)
    up, down = reach([y.height(y.within(limit)) for limit in reversed(system.gain_interval)], top)
    left, right = reach([x.place(x.within(limit)) for limit in risks], place)
    return Dot(number, system.system, verdicts[number], place, top, up, down, left, right)


def reach(ends: Sequence[float], center: float) -> tuple[float | None, float | None]:
    """How far an interval goes from its middle, in percent; nothing where there is none."""
    if len(ends) != 2 or any(map(math.isnan, ends)):
        return None, None
    return round(ends[0] - center, 2), round(ends[1] - center, 2)


def _names(systems: Sequence[SystemSummary], chosen: str, *, is_few: bool, is_many: bool) -> list[str]:
    """Whose names are written, the most important first."""
    if is_few:
        return list(dict.fromkeys([chosen, *(each.system for each in systems)]))
    by_gain = sorted(frontier_of(systems), key=lambda each: -each.gain)
    if is_many:
        return list(dict.fromkeys([chosen, *(each.system for each in by_gain[:FRONTIER_NAMES])]))
    riskiest = sorted(systems, key=lambda each: -each.risk)[:3]
    lowest = sorted(systems, key=lambda each: each.gain)[:1]
    return list(dict.fromkeys([chosen, *(each.system for each in [*by_gain, *riskiest, *lowest])]))


def _labels(
    dots: list[Dot], names: list[str], chosen: str, *, width: int, height: int, zero: float, baseline: str
) -> PlotLabels:
    pixels = [(dot.x * width / 100, dot.y * height / 100) for dot in dots]
    by_name = {dot.name: i for i, dot in enumerate(dots)}
    wanted = {by_name[name]: text_width(plot_name(name), is_strong=name == chosen) for name in names if name in by_name}
    origin = (0.0, zero * height / 100)
    frame = Box(2, 2, width - 2, height - 4)
    lines = [
        box for dot, pixel in zip(dots, pixels, strict=True) for box in _crosses(dot, pixel, width, height, chosen)
    ]
    around = [Box(x - 6, y - 6, x + 6, y + 6) for x, y in pixels]
    below = placed_below(origin, text_width(baseline), frame, [*lines, *around])
    taken = [*lines, box_of(below, origin, text_width(baseline))]
    labels = [Label(dots[place.number], place) for place in placed_labels(pixels, wanted, frame, taken)]
    return PlotLabels(labels, below)


def _crosses(dot: Dot, pixel: tuple[float, float], width: int, height: int, chosen: str) -> list[Box]:
    """What the lines of intervals cover, where they are drawn."""
    x, y = pixel
    boxes = []
    if dot.up is not None and dot.down is not None and (dot.left is not None or dot.name == chosen):
        boxes.append(Box(x - 1, y + dot.up * height / 100, x + 1, y + dot.down * height / 100))
    if dot.left is not None and dot.right is not None:
        boxes.append(Box(x + dot.left * width / 100, y - 1, x + dot.right * width / 100, y + 1))
    return boxes
