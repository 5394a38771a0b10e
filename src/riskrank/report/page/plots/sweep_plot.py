"""Gain against risk of a sweep: a curve per series, the coin's line, the budget, and the point that was chosen."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from riskrank.report.findings.sweep_findings import LEVEL, expected_changes, model_name, point_name
from riskrank.report.page.plots.label_places import Box, LabelPlace, box_of, placed_below, placed_labels, text_width
from riskrank.report.page.plots.scale import Scale, Tick, scale, svg_points
from riskrank.report.page.plots.tradeoff_plot import NARROW, WIDE, Dot, are_near, plot_name, reach
from riskrank.risk.inference.mirror_shift import GAIN, LOSS, MirrorShift
from riskrank.risk.inference.multiple_testing import holm

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from riskrank.risk.intervals import Interval
    from riskrank.tradeoff.operating_point import OperatingPoint
    from riskrank.tradeoff.sweep import Sweep
    from riskrank.typing import Floats

TOP = 20  # px that the words at the budget need
FAR_BUDGET = 2.0  # times the largest risk: farther, the budget is not drawn
ROOM = 1.14  # times the largest risk: its name has a place on the right
STEP = 6  # px between two places of a line that names keep free
MOST_CORNERS = 100  # of a selective curve
LONGEST_NAME = 40  # of a point
COIN_NAME = 0.45  # of the coin's line, where its name stands
NARROW_START = 30.0  # percent: left of it, the budget is named on its right


class Curve(NamedTuple):
    """A line: its kind (chosen, other, coin, selective or mixture) and its points."""

    kind: str
    points: str


class PlotName(NamedTuple):
    """What is written beside a place, in percent; kinds are chosen, model and aside."""

    text: str
    kind: str
    x: float
    y: float


class PlacedName(NamedTuple):
    """A name, and where it stands."""

    name: PlotName
    place: LabelPlace


class PlotNames(NamedTuple):
    """The names on a plot of one width, and where the baseline's stands."""

    names: list[PlacedName]
    baseline: LabelPlace


class Budget(NamedTuple):
    """The most risk that is allowed: its place in percent, and whether it is named on its right."""

    place: float
    text: str
    is_first: bool


@dataclass(frozen=True)
class SweepPlot:
    """All that is drawn, in percent of the plot."""

    x_ticks: list[Tick]
    y_ticks: list[Tick]
    zero: float
    curves: list[Curve]
    dots: list[Dot]
    point: Dot | None
    budget: Budget | None
    wide: PlotNames
    narrow: PlotNames
    baseline: str
    height: int  # px
    n_off: int  # models that are not on it


class _Line(NamedTuple):
    """A curve before it has places."""

    kind: str
    risks: Floats
    gains: Floats
    name: str


def sweep_plot(
    sweep: Sweep,
    point: OperatingPoint | None,
    *,
    height: int = 350,
    widths: tuple[int, int] = (WIDE, NARROW),
    with_curves: bool = True,
) -> SweepPlot:
    """The plot of a sweep; `with_curves`: with those of other ways to risk less."""
    chosen = point if point is not None and point.index is not None else None
    test = sweep.test
    is_near = are_near(test.risk)
    on = [i for i in range(len(sweep)) if is_near[i] or (chosen is not None and chosen.index == i)]
    lines = list(_lines(sweep, on, chosen, with_curves=with_curves))
    gains, risks = ((math.nan, math.nan),) * 2
    if chosen is not None:
        gains, risks = _intervals(expected_changes(chosen))
    budget = _budget(point, float(test.risk[on].max()))
    x, y = _scales(sweep, on, lines, chosen, (gains, risks), budget)
    dots = [
        Dot(i, model_name(sweep, i), verdict, x.place(float(test.risk[i])), y.height(float(test.gain[i])))
        for i, verdict in zip(range(len(sweep)), model_verdicts(sweep), strict=True)
        if i in on
    ]
    at = None if chosen is None else _point_dot(chosen, gains, risks, x, y)
    names = list(_names(dots, lines, at, chosen, x, y))
    curves = [Curve(line.kind, svg_points(_places(line, x, y))) for line in lines]
    limit = None if budget is None else Budget(x.place(budget), f"budget {budget:g}", x.place(budget) < NARROW_START)
    baseline = f"◆ {plot_name(sweep.baseline)}, the baseline"
    wide, narrow = (
        _placed(names, dots, at, [list(_places(line, x, y)) for line in lines], y.height(0), baseline,
                has_budget=limit is not None, size=(width, height))
        for width in widths
    )  # fmt: skip
    return SweepPlot(
        x_ticks=[Tick(x.place(value), x.text(value)) for value in x.ticks],
        y_ticks=[Tick(y.height(value), y.text(value, signed=True)) for value in y.ticks],
        zero=y.height(0),
        curves=curves,
        dots=dots,
        point=at,
        budget=limit,
        wide=wide,
        narrow=narrow,
        baseline=baseline,
        height=height,
        n_off=len(sweep) - len(on),
    )


def model_verdicts(sweep: Sweep) -> list[str]:
    """What each model's gain is shown to be, after Holm's correction."""
    delta = sweep.test.delta
    p_values = np.array([MirrorShift(each).p_value(0.0) for each in delta])
    known = ~np.isnan(p_values)
    corrected = np.full(len(p_values), math.nan)
    corrected[known] = holm(p_values[known])
    return [
        "none" if math.isnan(p) else "open" if p > LEVEL else "gain" if change.mean() > 0 else "loss"
        for p, change in zip(corrected.tolist(), delta, strict=True)
    ]


def risk_interval(changes: Floats) -> Interval:
    """The mean losses that the test does not reject."""
    low, high = MirrorShift(changes).interval(LOSS, 1 - LEVEL)
    return (low, high) if math.isnan(low) else (max(0.0, -high), max(0.0, -low))


def _intervals(changes: Floats) -> tuple[Interval, Interval]:
    return MirrorShift(changes).interval(GAIN, 1 - LEVEL), risk_interval(changes)


def _lines(sweep: Sweep, on: Sequence[int], chosen: OperatingPoint | None, *, with_curves: bool) -> Iterator[_Line]:
    """Those in the background first."""
    test, full = sweep.test, sweep.reference_model
    origin = np.zeros(1)
    if with_curves:
        for name in sweep.thresholds:
            curve = sweep.selective(name)
            order = np.argsort(curve["risk"], kind="stable")
            order = order[np.unique(np.linspace(0, len(order) - 1, MOST_CORNERS).round().astype(int))]
            about = f"{plot_name(model_name(sweep, full))} only by {plot_name(name)}"
            yield _Line("selective", np.asarray(curve["risk"])[order], np.asarray(curve["gain"])[order], about)
    if full in on and test.gain[full] > 0:
        ends = np.append(origin, test.risk[full]), np.append(origin, test.gain[full])
        yield _Line("coin", *ends, f"{plot_name(model_name(sweep, full))}, used less often")
    first = sweep.settings[full if chosen is None or chosen.index is None else chosen.index].series
    for series in sorted(sweep.series, key=lambda each: each == first):
        members = [i for i in sweep.members(series) if i in on]
        yield _Line("chosen" if series == first else "other", test.risk[members], test.gain[members], "")
    if chosen is not None and chosen.predictor is None and not chosen.is_used_always:
        model = chosen.index
        yield _Line("mixture", np.append(origin, test.risk[model]), np.append(origin, test.gain[model]), "")


def _budget(point: OperatingPoint | None, largest_risk: float) -> float | None:
    """A limit of the mean loss that is worth drawing."""
    if point is None or point.control is None or point.hurt_beyond is not None:
        return None
    budget = point.control.budget
    return budget if budget <= FAR_BUDGET * largest_risk else None


def _scales(
    sweep: Sweep,
    on: Sequence[int],
    lines: Sequence[_Line],
    chosen: OperatingPoint | None,
    intervals: tuple[Interval, Interval],
    budget: float | None,
) -> tuple[Scale, Scale]:
    test = sweep.test
    gains = [0.0, *test.gain[list(on)].tolist(), *(gain for line in lines for gain in line.gains.tolist())]
    risks = [0.0, *test.risk[list(on)].tolist(), *([] if budget is None else [budget])]
    if chosen is not None:
        gains += [chosen.gain, *(limit for limit in intervals[0] if math.isfinite(limit))]
        risks += [chosen.risk, *(limit for limit in intervals[1] if math.isfinite(limit))]
    largest = max(*risks, 1e-9)
    x = Scale(0.0, largest * ROOM, scale(0.0, largest, n_ticks=6).step)
    margin = (max(gains) - min(gains)) * 0.1 or 0.01
    return x, scale(min(gains), max(gains) + margin, n_ticks=6)


def _point_dot(point: OperatingPoint, gains: Interval, risks: Interval, x: Scale, y: Scale) -> Dot:
    place, top = x.place(point.risk), y.height(point.gain)
    up, down = reach([y.height(limit) for limit in reversed(gains)], top)
    left, right = reach([x.place(limit) for limit in risks], place)
    number = -1 if point.index is None else point.index
    return Dot(number, point_name(point), "gain", place, top, up, down, left, right)


def _places(line: _Line, x: Scale, y: Scale) -> Iterator[tuple[float, float]]:
    for risk, gain in zip(line.risks.tolist(), line.gains.tolist(), strict=True):
        yield x.place(risk), y.height(gain)


def _names(
    dots: Iterable[Dot],
    lines: Iterable[_Line],
    at: Dot | None,
    chosen: OperatingPoint | None,
    x: Scale,
    y: Scale,
) -> Iterator[PlotName]:
    """The most important first."""
    if at is not None:
        yield PlotName(plot_name(at.name.removesuffix(" of queries"), LONGEST_NAME), "chosen", at.x, at.y)
    for dot in dots:
        if chosen is None or not (chosen.is_used_always and dot.number == chosen.index):
            yield PlotName(plot_name(dot.name), "model", dot.x, dot.y)
    for line in lines:
        if line.kind == "coin":
            yield PlotName(
                line.name, "aside", x.place(COIN_NAME * line.risks[-1]), y.height(COIN_NAME * line.gains[-1])
            )
        elif line.kind == "selective":
            middle = int(0.7 * (len(line.risks) - 1))
            yield PlotName(line.name, "aside", x.place(float(line.risks[middle])), y.height(float(line.gains[middle])))


def _placed(
    names: Sequence[PlotName],
    dots: Sequence[Dot],
    at: Dot | None,
    lines: Sequence[Sequence[tuple[float, float]]],
    zero: float,
    baseline: str,
    *,
    has_budget: bool,
    size: tuple[int, int],
) -> PlotNames:
    """Names on no dot, no line and no other name, as far as there is room."""
    width, height = size
    frame = Box(2, TOP if has_budget else 2, width - 2, height - 4)
    taken = [box for line in lines for box in _along(line, width, height)]
    taken += [_around(dot, width, height) for dot in (*dots, *([at] if at is not None else []))]
    if at is not None and at.up is not None and at.down is not None:
        x, y = at.x * width / 100, at.y * height / 100
        taken.append(Box(x - 1, y + at.up * height / 100, x + 1, y + at.down * height / 100))
    if at is not None and at.left is not None and at.right is not None:
        x, y = at.x * width / 100, at.y * height / 100
        taken.append(Box(x + at.left * width / 100, y - 1, x + at.right * width / 100, y + 1))
    origin = (0.0, zero * height / 100)
    below = _beside_origin(origin, text_width(baseline), frame, taken)
    taken.append(box_of(below, origin, text_width(baseline)))
    anchors = [(name.x * width / 100, name.y * height / 100) for name in names]
    widths = {i: text_width(name.text, is_strong=name.kind == "chosen") for i, name in enumerate(names)}
    placed = placed_labels(anchors, widths, frame, taken)
    return PlotNames([PlacedName(names[place.number], place) for place in placed], below)


def _beside_origin(origin: tuple[float, float], width: float, frame: Box, taken: Sequence[Box]) -> LabelPlace:
    """Above the axis, as far left as there is room for the baseline's name; below it where there is none."""
    for x in range(10, int(frame.right), STEP):
        place = LabelPlace(0, x, -8, is_left=False, has_leader=False)
        box = box_of(place, origin, width)
        if box.is_inside(frame) and not any(box.meets(other) for other in taken):
            return place
    return placed_below(origin, width, frame, taken)


def _around(dot: Dot, width: int, height: int) -> Box:
    x, y = dot.x * width / 100, dot.y * height / 100
    return Box(x - 6, y - 6, x + 6, y + 6)


def _along(places: Sequence[tuple[float, float]], width: int, height: int) -> Iterator[Box]:
    """Small boxes on a line."""
    pixels = [(x * width / 100, y * height / 100) for x, y in places]
    for (x1, y1), (x2, y2) in pairwise(pixels):
        n_steps = max(1, round(math.hypot(x2 - x1, y2 - y1) / STEP))
        for k in range(n_steps + 1):
            x, y = x1 + (x2 - x1) * k / n_steps, y1 + (y2 - y1) * k / n_steps
            yield Box(x - 1, y - 1, x + 1, y + 1)
