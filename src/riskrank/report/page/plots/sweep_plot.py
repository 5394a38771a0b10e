"""Gain against risk of a sweep: a curve per series, the coin's line, the budget, and the point that was chosen."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from riskrank.report.findings.sweeps.budget_fit import not_shown_to_fit
from riskrank.report.findings.sweeps.model_words import model_name, point_name
from riskrank.report.findings.sweeps.shown_gains import LEVEL, expected_changes, leading_model
from riskrank.report.page.plots.gain_plot import HEIGHT, UNKNOWN, WIDTHS, GainPlot, are_near, placed_dot
from riskrank.report.page.plots.plot_names import (
    Box,
    PlotName,
    PlotNames,
    Size,
    along,
    baseline_name,
    frame_of,
    free_places,
    placed_names,
    plot_name,
)
from riskrank.report.page.plots.scale import Scale, scale, svg_points
from riskrank.report.page.sweeps.model_significance import point_verdict
from riskrank.risk.inference.mirror_shift import GAIN
from riskrank.risk.inference.unseen_losses import risk_interval

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from riskrank.report.page.plots.gain_plot import Dot
    from riskrank.risk.intervals import Interval
    from riskrank.tradeoff.operating_point import OperatingPoint
    from riskrank.tradeoff.sweep import Sweep
    from riskrank.typing import Floats

TOP = 20  # px that the words at the budget need
FAR_BUDGET = 2.0  # times the largest risk: farther, the budget is not drawn
RIGHT = 1.14  # times the largest risk: so far goes the axis, and the last name has a place
MOST_CORNERS = 100  # of a selective curve
LONGEST_POINT = 40  # characters of its name
COIN_NAME, SELECTIVE_NAME = 0.45, 0.7  # of their curves, where their names stand
OVER_WIDTH = 76  # px of "over budget"
OWN = -1  # the number of a point whose verdicts are not those of a model
NARROW_START = 30.0  # percent: left of it, the budget is named on its right


class Curve(NamedTuple):
    """Risks and gains on a line; kinds are chosen, other, coin, selective and mixture."""

    kind: str
    risks: Floats
    gains: Floats
    name: str = ""


class DrawnCurve(NamedTuple):
    """A curve's kind, its points, and what it shows."""

    kind: str
    points: str
    name: str


class BudgetLine(NamedTuple):
    """The most risk that is allowed: its place in percent, whether it is named on its right, and what is beyond."""

    place: float
    text: str
    is_first: bool
    beyond: str  # the class of these words; empty without room for them


@dataclass(frozen=True)
class SweepPlot(GainPlot):
    """All that is drawn of a sweep."""

    curves: list[DrawnCurve]
    point: Dot | None
    budget: BudgetLine | None


def sweep_plot(
    sweep: Sweep,
    point: OperatingPoint | None,
    verdicts: Sequence[str],
    *,
    height: int = HEIGHT,
    widths: tuple[int, int] = WIDTHS,
    with_curves: bool = True,
) -> SweepPlot:
    """The plot of a sweep; `verdicts` of its models; `with_curves`: with those of other ways to risk less."""
    chosen = point if point is not None and point.index is not None else None
    test, is_near = sweep.test, are_near(sweep.test.risk)
    on = [i for i in range(len(sweep)) if is_near[i] or (chosen is not None and chosen.index == i)]
    curves = list(_curves(sweep, on, chosen, with_curves=with_curves))
    gains, risks = UNKNOWN, UNKNOWN
    if chosen is not None:
        mirror = test.mirror(expected_changes(chosen))
        gains, risks = mirror.interval(GAIN, 1 - LEVEL), risk_interval(mirror, 1 - LEVEL)
    budget = _budget(point, float(test.risk[on].max()))
    x, y = _scales(sweep, on, curves, chosen, (gains, risks), budget)
    dots = [
        placed_dot(
            x, y, number=i, name=model_name(sweep, i), verdict=verdicts[i], cost=float(test.risk[i]),
            gain=float(test.gain[i]),
        )
        for i in on
    ]  # fmt: skip
    at = None
    if chosen is not None and chosen.index is not None:
        at = placed_dot(
            x, y, number=chosen.index if chosen.predictor is None else OWN, name=point_name(chosen),
            verdict=point_verdict(chosen, verdicts), cost=chosen.risk, gain=chosen.gain, costs=risks, gains=gains,
        )  # fmt: skip
    unproven = [] if budget is None else not_shown_to_fit(sweep, point)
    names = list(_names(dots, curves, at, chosen, unproven, x, y))
    places = [list(_places(curve, x, y)) for curve in curves]
    limit = None if budget is None else _budget_line(budget, x, widths)
    baseline = baseline_name(sweep.baseline)
    wide, narrow = (
        _placed(names, dots, at, places, Size(width, height), zero=y.height(0), baseline=baseline,
                budget=limit)
        for width in widths
    )  # fmt: skip
    return SweepPlot(
        x=x,
        y=y,
        dots=dots,
        wide=wide,
        narrow=narrow,
        baseline=baseline,
        height=height,
        off=[model_name(sweep, i) for i in range(len(sweep)) if i not in on],
        curves=[
            DrawnCurve(curve.kind, svg_points(each), curve.name) for curve, each in zip(curves, places, strict=True)
        ],
        point=at,
        budget=limit,
    )


def _curves(sweep: Sweep, on: Sequence[int], chosen: OperatingPoint | None, *, with_curves: bool) -> Iterator[Curve]:
    """Those in the background first."""
    test, reference = sweep.test, sweep.reference_model
    origin = np.zeros(1)
    if with_curves:
        for name in sweep.thresholds:
            curve = sweep.selective(name)
            order = np.argsort(curve["risk"], kind="stable")
            order = order[np.unique(np.linspace(0, len(order) - 1, MOST_CORNERS).round().astype(int))]
            side = "high" if curve["apply"] == "above" else "low"
            which = plot_name(sweep.words_of(name), LONGEST_POINT)
            about = f"{plot_name(model_name(sweep, reference))} only where {which} is {side}"
            yield Curve("selective", np.asarray(curve["risk"])[order], np.asarray(curve["gain"])[order], about)
    if reference in on and test.gain[reference] > 0:
        ends = np.append(origin, test.risk[reference]), np.append(origin, test.gain[reference])
        yield Curve("coin", *ends, f"{plot_name(model_name(sweep, reference))} used less often, at random")
    first = sweep.settings[reference if chosen is None or chosen.index is None else chosen.index].series
    for series in sorted(sweep.series, key=lambda each: each == first):
        members = [i for i in sweep.members(series) if i in on]
        yield Curve("chosen" if series == first else "other", test.risk[members], test.gain[members])
    model = _used_less_often(sweep, chosen)
    if with_curves and model is not None and model in on:
        name = f"{plot_name(model_name(sweep, model))} used less often, at random"
        yield Curve("mixture", np.append(origin, test.risk[model]), np.append(origin, test.gain[model]), name)


def _used_less_often(sweep: Sweep, chosen: OperatingPoint | None) -> int | None:
    """The model that a line joins with the baseline: the one that a coin was chosen for, or that leads."""
    if chosen is not None:
        is_coin = chosen.predictor is None and not chosen.is_used_always
        return chosen.index if is_coin else None
    leading = leading_model(sweep)
    return leading if leading != sweep.reference_model and sweep.test.gain[leading] > 0 else None


def _budget(point: OperatingPoint | None, largest_risk: float) -> float | None:
    """A limit of the mean loss that is worth drawing."""
    if point is None or point.control is None or point.hurt_beyond is not None:
        return None
    budget = point.control.budget
    return budget if budget <= FAR_BUDGET * largest_risk else None


def _budget_line(budget: float, x: Scale, widths: tuple[int, int]) -> BudgetLine:
    """The words for what is beyond it are left out where they would be cut."""
    place = x.place(budget)
    wide, narrow = ((100 - place) * width / 100 > OVER_WIDTH for width in widths)
    beyond = "" if place < NARROW_START or not wide else "over" if narrow else "over wide-only"
    return BudgetLine(place, f"budget {budget:g}", place < NARROW_START, beyond)


def _scales(
    sweep: Sweep,
    on: Sequence[int],
    curves: Sequence[Curve],
    chosen: OperatingPoint | None,
    intervals: tuple[Interval, Interval],
    budget: float | None,
) -> tuple[Scale, Scale]:
    test = sweep.test
    gains = [0.0, *test.gain[list(on)].tolist(), *(gain for curve in curves for gain in curve.gains.tolist())]
    risks = [0.0, *test.risk[list(on)].tolist(), *([] if budget is None else [budget])]
    if chosen is not None:
        gains += [chosen.gain, *(limit for limit in intervals[0] if math.isfinite(limit))]
        risks += [chosen.risk, *(limit for limit in intervals[1] if math.isfinite(limit))]
    largest = max(*risks, 1e-9)
    x = Scale(0.0, largest * RIGHT, scale(0.0, largest, n_ticks=6).step)
    margin = (max(gains) - min(gains)) * 0.1 or 0.01
    return x, scale(min(gains), max(gains) + margin, n_ticks=6)


def _places(curve: Curve, x: Scale, y: Scale) -> Iterator[tuple[float, float]]:
    for risk, gain in zip(curve.risks.tolist(), curve.gains.tolist(), strict=True):
        yield x.place(risk), y.height(gain)


def _names(
    dots: Iterable[Dot],
    curves: Iterable[Curve],
    at: Dot | None,
    chosen: OperatingPoint | None,
    unproven: Sequence[int],
    x: Scale,
    y: Scale,
) -> Iterator[PlotName]:
    """The most important first; `unproven` models lie within the budget and are not shown to."""
    if at is not None:
        yield PlotName(plot_name(at.name.removesuffix(" of queries"), LONGEST_POINT), "chosen", at.x, at.y)
    for dot in dots:
        if chosen is None or not (chosen.is_used_always and dot.number == chosen.index):
            text = f"{plot_name(dot.name)}{', not shown to fit' if dot.number in unproven else ''}"
            yield PlotName(text, "model", dot.x, dot.y)
    for curve in curves:
        if curve.kind == "coin":
            risk, gain = COIN_NAME * curve.risks[-1], COIN_NAME * curve.gains[-1]
            yield PlotName(curve.name, "aside", x.place(risk), y.height(gain))
        elif curve.kind == "selective":
            middle = int(SELECTIVE_NAME * (len(curve.risks) - 1))
            risk, gain = float(curve.risks[middle]), float(curve.gains[middle])
            yield PlotName(curve.name, "aside", x.place(risk), y.height(gain))


def _placed(
    names: Sequence[PlotName],
    dots: Sequence[Dot],
    at: Dot | None,
    curves: Sequence[Sequence[tuple[float, float]]],
    size: Size,
    *,
    zero: float,
    baseline: str,
    budget: BudgetLine | None,
) -> PlotNames:
    """Names on no dot and no other name; those of models on a line or the budget where there is no other place."""
    lines, limit = [box for places in curves for box in along(places, size)], []
    taken = [Box.around(size.point(dot.x, dot.y)) for dot in (*dots, *([] if at is None else [at]))]
    taken += [] if at is None else at.crosses(size)
    if budget is not None:
        x = budget.place * size.width / 100
        limit = [Box(x - 1, 0, x + 1, size.height)]
    top = 2 if budget is None else TOP
    models, asides = ([name for name in names if (name.kind == "aside") is aside] for aside in (False, True))
    avoided = [limit, lines]
    placed = placed_names(models, size, taken, baseline=baseline, zero=zero, top=top, is_above=True, avoided=avoided)
    taken += [*lines, *limit, *placed.boxes(size, baseline=baseline, zero=zero)]
    return PlotNames([*placed.names, *free_places(asides, size, frame_of(size, top), taken)], placed.baseline)
