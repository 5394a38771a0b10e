"""Risk against gain of an assessment: a dot per system, the break-even line, and the names that matter."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from riskrank.report.findings.assessment_findings import FEW_SYSTEMS, rivals, system_numbers
from riskrank.report.page.plots.gain_plot import HEIGHT, UNKNOWN, WIDTHS, GainPlot, are_near, placed_dot
from riskrank.report.page.plots.plot_names import (
    DOT,
    LINE,
    RING,
    Box,
    PlotName,
    Size,
    Spot,
    along,
    baseline_name,
    off_box,
    placed_names,
    plot_name,
)
from riskrank.report.page.plots.scale import scale, svg_points
from riskrank.report.page.plots.verdict_marks import verdict_classes
from riskrank.risk.inference.mirror_shift import weighted_mirror
from riskrank.risk.inference.unseen_losses import risk_interval
from riskrank.risk.paired import difference

if TYPE_CHECKING:
    from collections.abc import Sequence

    from riskrank.assessment.assessment import Assessment, SystemSummary
    from riskrank.report.page.plots.gain_plot import Dot
    from riskrank.report.page.plots.plot_names import PlotNames
    from riskrank.report.page.plots.scale import Scale
    from riskrank.risk.intervals import Interval

MANY_SYSTEMS = 150  # have small dots and few names
FRONTIER_NAMES = 3  # of many systems
LEAST_FRONTIER = 24  # px from left to right
MOST_GAINS = 3  # systems that are named for what they gain


@dataclass(frozen=True)
class TradeoffPlot(GainPlot):
    """All that is drawn of an assessment."""

    frontier: str  # points; empty where it could not be told from an axis
    is_few: bool
    is_many: bool

    def break_even(self, alpha: float) -> BreakEven:
        """Where gain is alpha times the risk."""
        return _break_even(self.x, self.y, alpha)

    def break_evens(self, alphas: Sequence[float]) -> list[BreakEven]:
        """At each of several alphas."""
        return [self.break_even(alpha) for alpha in alphas]

    def region(self, alpha: float) -> str:
        """Below break-even, as the points of a polygon."""
        end = self.break_even(alpha)
        corners = [(0.0, self.zero), (end.x, end.y), (100.0, end.y), (100.0, 100.0), (0.0, 100.0)]
        return svg_points(corners)


class BreakEven(NamedTuple):
    """Where the break-even line leaves the plot."""

    x: float
    y: float


def _break_even(x: Scale, y: Scale, alpha: float) -> BreakEven:
    end_x, end_y = x.high, alpha * x.high
    if end_y > y.high:
        end_x, end_y = y.high / alpha, y.high
    return BreakEven(x.place(end_x), y.height(end_y))


def is_on_chart(systems: Sequence[SystemSummary]) -> list[bool]:
    """Which systems a chart is for: not those whose risk is far above most others'."""
    return are_near(np.array([each.risk for each in systems]))


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
    height: int = HEIGHT,
    widths: tuple[int, int] = WIDTHS,
    cut: bool = True,
) -> TradeoffPlot:
    """The plot of an assessment at an alpha; `cut`: without the systems that are far off."""
    compared = rivals(assessment)
    is_on = is_on_chart(compared) if cut else [True] * len(compared)
    on = [each for each, keeps in zip(compared, is_on, strict=True) if keeps]
    is_few = len(compared) <= FEW_SYSTEMS
    risks = {each.system: _risk_interval(assessment, each) for each in on} if is_few else {}
    x, y = _scales(on, risks, chosen)
    numbers = system_numbers(assessment)
    verdicts = verdict_classes(assessment.significance, alpha)
    dots = [
        placed_dot(
            x, y, number=numbers[each.system], name=each.system, verdict=verdicts[numbers[each.system]],
            cost=each.risk, gain=each.gain, costs=risks.get(each.system, UNKNOWN), gains=each.gain_interval,
        )
        for each in sorted(on, key=lambda each: each.system == chosen)
    ]  # fmt: skip
    baseline = baseline_name(assessment.baseline)
    named = _named(on, chosen, is_few=is_few, is_many=len(compared) > MANY_SYSTEMS)
    even = _break_even(x, y, alpha)
    has_off = len(on) < len(compared)
    wide, narrow = (
        _placed(
            dots, named, chosen, Size(width, height), baseline=baseline, even=[(0.0, y.height(0)), even], is_few=is_few,
            has_off=has_off,
        )
        for width in widths
    )  # fmt: skip
    best = [] if is_few else [(x.place(each.risk), y.height(each.gain)) for each in frontier_of(on)]
    is_seen = bool(best) and (best[-1][0] - best[0][0]) * widths[0] / 100 >= LEAST_FRONTIER
    return TradeoffPlot(
        x=x,
        y=y,
        dots=dots,
        wide=wide,
        narrow=narrow,
        baseline=baseline,
        height=height,
        off=[each.system for each, keeps in zip(compared, is_on, strict=True) if not keeps],
        frontier=svg_points(best) if is_seen else "",
        is_few=is_few,
        is_many=len(compared) > MANY_SYSTEMS,
    )


def _risk_interval(assessment: Assessment, system: SystemSummary) -> Interval:
    """The risks that the test of the gain's interval does not reject."""
    if math.isnan(system.gain_interval[0]):
        return UNKNOWN
    delta = difference(assessment.scores[system.system], assessment.baseline_scores)
    return risk_interval(weighted_mirror(delta, assessment.scores.relative_weights), 1 - assessment.level)


def _scales(systems: Sequence[SystemSummary], risk_intervals: dict[str, Interval], chosen: str) -> tuple[Scale, Scale]:
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


def _named(systems: Sequence[SystemSummary], chosen: str, *, is_few: bool, is_many: bool) -> list[str]:
    """Whose names are written, the most important first."""
    if is_few:
        return list(dict.fromkeys([chosen, *(each.system for each in systems)]))
    best = sorted(systems, key=lambda each: -each.gain)[:MOST_GAINS]
    by_gain = [*best, *sorted(frontier_of(systems), key=lambda each: -each.gain)]
    if is_many:
        return list(dict.fromkeys([chosen, *(each.system for each in by_gain)]))[: 1 + FRONTIER_NAMES]
    riskiest = sorted(systems, key=lambda each: -each.risk)[:3]
    lowest = sorted(systems, key=lambda each: each.gain)[:1]
    return list(dict.fromkeys([chosen, *(each.system for each in [*by_gain, *riskiest, *lowest])]))


def _placed(
    dots: Sequence[Dot],
    named: Sequence[str],
    chosen: str,
    size: Size,
    *,
    baseline: str,
    even: Sequence[tuple[float, float]],
    is_few: bool,
    has_off: bool,
) -> PlotNames:
    """Names beside their dots, on no interval that is drawn, nor where break-even's may stand; few are all written, of
    many the first two, the chosen one and the one that gains most, if there is any way.
    """
    by_name = {dot.name: dot for dot in dots}
    names = [
        PlotName(plot_name(name), "chosen" if name == chosen else "model", by_name[name].x, by_name[name].y,
                 by_name[name].number)
        for name in named if name in by_name
    ]  # fmt: skip
    taken = [
        box for dot in dots if dot.left is not None or dot.name == chosen for box in dot.crosses(size)
    ]  # of many systems, only the chosen one has its interval drawn
    taken += [Box.around(size.point(dot.x, dot.y)) for dot in dots]
    taken += [off_box(size)] if has_off else []
    line = list(along(even, size))
    beside = [Box(box.left, box.top, box.right, box.bottom + LINE + 4) for box in line[len(line) // 2 :]]
    taken, avoided = (taken, [beside]) if is_few else ([*taken, *beside], [])
    spots = [] if is_few else [_spot(dot, chosen, size) for dot in dots]
    orders = [names] if is_few else [names, [*names[1:2], *names[:1], *names[2:]]]
    tried = [
        placed_names(order, size, taken, baseline=baseline, zero=even[0][1], avoided=avoided, spots=spots)
        for order in orders
    ]
    return max(tried, key=lambda each: len({place.name for place in each.names} & {*names[:2]}))


def _spot(dot: Dot, chosen: str, size: Size) -> Spot:
    """The chosen one has a ring."""
    return Spot(*size.point(dot.x, dot.y), reach=DOT + 2 * RING if dot.name == chosen else DOT)
