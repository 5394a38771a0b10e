"""What models that learn from clicks keep of the gain, against the pages that they re-rank: a dot per method, all
other parameters in grey, and the coin's line.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from riskrank.report.findings.click_findings import gain_interval, is_shown_to_gain
from riskrank.report.findings.digits import share_text
from riskrank.report.findings.points import points_text
from riskrank.report.page.clicks.methods import standard_of
from riskrank.report.page.plots.gain_plot import HEIGHT, WIDTHS, GainPlot, placed_dot
from riskrank.report.page.plots.plot_names import Box, PlotName, Size, Spot, along, off_box, placed_names, plot_name
from riskrank.report.page.plots.scale import Scale, scale, svg_points
from riskrank.tradeoff.clicks.click_table import NEAR, PARITY, STANDARD

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from riskrank.report.page.clicks.methods import Method
    from riskrank.report.page.plots.gain_plot import Dot
    from riskrank.report.page.plots.plot_names import PlotNames
    from riskrank.tradeoff.sweep import Sweep

BASELINE = "order shown, the baseline"
COIN, NARROW_COIN = f"{STANDARD} on some pages, at random", "at random"
COIN_NAME = 0.5  # of the coin's line, where its name stands
BRACKET = 6  # px from a dot to the bracket that reaches from it to the coin's line
LEAST_WIDTH = 0.01  # of the pages, that the axis holds


class GreyDot(NamedTuple):
    """A model with another parameter, and what is said of it; named by it where it beats all methods on these pages."""

    x: float
    y: float
    about: str
    name: str = ""


class Drop(NamedTuple):
    """From a method down to the coin's line, or up to it (kind gain or loss)."""

    number: int
    x: float
    top: float
    bottom: float
    kind: str

    def box(self, size: Size) -> Box:
        """What it covers, beside the method's interval."""
        (x, top), (_, bottom) = (size.point(self.x, end) for end in (self.top, self.bottom))
        return Box(x + BRACKET - 4, top, x + BRACKET + 4, bottom)


class ShareScale(Scale):
    """An axis of shares, in percent."""

    def text(self, value: float, *, signed: bool = False) -> str:
        """A tick; shares have no plus."""
        return f"{100 * value:.6g}%".replace("-", "−")


@dataclass(frozen=True)
class ClickPlot(GainPlot):
    """All that is drawn of a sweep over clicks; without a coin's line where Standard Gain gains nothing."""

    is_share: bool
    series: list[str]  # points
    coin: str
    others: list[GreyDot]
    drops: list[Drop]
    names_across: list[str]  # of the methods, from left to right


def click_plot(
    sweep: Sweep,
    methods: Sequence[Method],
    chosen: int,
    *,
    height: int = HEIGHT,
    widths: tuple[int, int] = WIDTHS,
) -> ClickPlot:
    """The plot of a sweep over clicks, with one of the methods chosen."""
    return _Drawing(sweep, methods, chosen).plot(height, widths)


class _Drawing:
    """Shares of Standard Gain's gain; gains themselves where it has none."""

    def __init__(self, sweep: Sweep, methods: Sequence[Method], chosen: int) -> None:
        self.sweep, self.methods, self.chosen = sweep, methods, chosen
        full = float(sweep.test.gain[sweep.reference_model])
        self.is_share = is_shown_to_gain(standard_of(methods).row)
        self.unit = full if self.is_share else 1.0
        self.values = [float(gain) / self.unit for gain in sweep.test.gain]
        self.reranked = [float(share) for share in sweep.test.reranked]
        of_methods = [self.values[method.index] for method in methods]
        floor = -max(1.0, *of_methods) if self.is_share else -max(map(abs, of_methods))
        self.on = [i for i, value in enumerate(self.values) if value >= floor]
        self.shown = [method for method in methods if method.index in self.on]
        self.x, self.y = self._scales()

    def _scales(self) -> tuple[Scale, Scale]:
        widest = scale(0.0, max(LEAST_WIDTH, *(self.reranked[i] for i in self.on)), n_ticks=5)
        limits = [limit for method in self.shown for limit in self._interval(method) if math.isfinite(limit)]
        values = [0.0, 1.0 if self.is_share else 0.0, *limits, *(self.values[i] for i in self.on)]
        low, high = min(values), max(values)
        if len(self.on) < len(self.values):  # room for how many are off the chart
            low = min(low, -0.08 * high)
        margin = (high - low) * 0.05 or 0.01
        step = scale(low, high + margin, n_ticks=6).step
        side = ShareScale if self.is_share else Scale
        return (
            ShareScale(0.0, min(widest.high, 1.0), widest.step),
            side(low - margin if low < 0 else 0.0, high + margin, step),
        )

    def _interval(self, method: Method) -> tuple[float, float]:
        low, high = gain_interval(method.row)
        return low / self.unit, high / self.unit

    def _place(self, index: int) -> tuple[float, float]:
        return self.x.place(self.reranked[index]), self.y.height(self.values[index])

    def plot(self, height: int, widths: tuple[int, int]) -> ClickPlot:
        dots, drops = [self._dot(method) for method in self.shown], list(self._drops())
        series = [[self._place(i) for i in self.sweep.members(name) if i in self.on] for name in self.sweep.series]
        full = self.sweep.reference_model
        coin = [(0.0, self.y.height(0)), self._place(full)] if self.is_share and self.reranked[full] > 0 else []
        drawn = {method.index for method in self.shown}
        best = self._best_other(drawn)
        higher = "" if best is None else f"{self.sweep.settings[best].value_label}, not chosen"
        others = [
            GreyDot(*self._place(i), self._about(i), higher if i == best else "")
            for i in self.on if i not in drawn
        ]  # fmt: skip
        wide, narrow = (
            self._names(dots, drops, others, [*series, coin], Size(width, height), is_narrow=width == min(widths))
            for width in widths
        )
        return ClickPlot(
            x=self.x,
            y=self.y,
            dots=dots,
            wide=wide,
            narrow=narrow,
            baseline=BASELINE,
            height=height,
            off=[self._off(i) for i in range(len(self.sweep)) if i not in self.on],
            is_share=self.is_share,
            series=[svg_points(places) for places in series if len(places) > 1],
            coin=svg_points(coin),
            others=others,
            drops=drops,
            names_across=[_label(method) for method in sorted(self.shown, key=lambda each: self._place(each.index))],
        )

    def _dot(self, method: Method) -> Dot:
        index = method.index
        return placed_dot(
            self.x, self.y, number=method.number, name=self._about(index), verdict=method.verdict,
            cost=self.reranked[index], gain=self.values[index], gains=self._interval(method),
        )  # fmt: skip

    def _drops(self) -> Iterator[Drop]:
        """Nothing for Standard Gain, where no coin re-ranks as many pages, and where it keeps as much."""
        for method in self.shown:
            if method.points:
                x, y = self._place(method.index)
                coin = self.y.height(self.values[method.index] - method.above)
                kind = "gain" if method.above > 0 else "loss"
                yield Drop(method.number, x, min(y, coin), max(y, coin), kind)

    def _best_other(self, drawn: set[int]) -> int | None:
        """Of the models that were not chosen, the highest above the coin's line, if no method is as high."""
        full = self.sweep.reference_model
        others = [i for i in self.on if i not in drawn and self.reranked[i] <= self.reranked[full]]
        if not others or not self.is_share or not self.reranked[full] > 0:
            return None
        above = {i: self.values[i] - self.reranked[i] / self.reranked[full] for i in others}
        best = max(others, key=above.__getitem__)
        known = [method.above for method in self.methods if not math.isnan(method.above)]
        return best if above[best] > max(known, default=0.0) else None

    def _setting(self, index: int) -> str:
        return self.sweep.settings[index].label

    def _about(self, index: int) -> str:
        """A model in a line."""
        value = self.values[index]
        gains = f"keeps {share_text(value)} of the gain" if self.is_share else f"gains {self._gain(value)}"
        return f"{self._setting(index)}: {gains}, re-ranks {share_text(self.reranked[index])} of the pages"

    def _off(self, index: int) -> str:
        value = self.values[index]
        return f"{self._setting(index)} ({share_text(value) if self.is_share else self._gain(value)})"

    @staticmethod
    def _gain(value: float) -> str:
        return f"{value:+.4f}".replace("-", "−")

    def _names(
        self,
        dots: Sequence[Dot],
        drops: Sequence[Drop],
        others: Sequence[GreyDot],
        lines: Sequence[Sequence[tuple[float, float]]],
        size: Size,
        *,
        is_narrow: bool,
    ) -> PlotNames:
        """Of methods, of the coin's line, and how far above it a method is; the chosen one's first. Where it is narrow,
        methods that are neither chosen nor the standard come last.
        """
        by_number = {method.number: method for method in self.methods}
        methods = [
            PlotName(plot_name(_label(by_number[dot.number])), "method", dot.x, dot.y, dot.number)
            for dot in sorted(dots, key=lambda dot: (dot.number != self.chosen, not by_number[dot.number].is_standard))
        ]
        names = methods[:2] if is_narrow else methods
        if lines[-1]:
            (_, bottom), (right, top) = lines[-1]
            x, y = COIN_NAME * right, bottom + COIN_NAME * (top - bottom)
            names.append(PlotName(NARROW_COIN if is_narrow else COIN, "aside", x, y))
        for drop in sorted(drops, key=lambda drop: drop.number != self.chosen):
            middle = (drop.top + drop.bottom) / 2
            points, at = by_number[drop.number].points or 0, drop.x + 100 * BRACKET / size.width
            names.append(PlotName(points_text(points), drop.kind, at, middle, drop.number))
        names += [PlotName(plot_name(other.name), "aside", other.x, other.y) for other in others if other.name]
        names = list(dict.fromkeys([*names, *methods]))
        taken = [Box.around(size.point(dot.x, dot.y)) for dot in dots]
        taken += [drop.box(size) for drop in drops if drop.number == self.chosen]
        taken += [off_box(size)] if len(self.on) < len(self.values) else []
        curves = [box for line in lines for box in along(line, size)]
        curves += [box for dot in dots for box in dot.crosses(size)]
        spots = [Spot(*size.point(dot.x, dot.y)) for dot in dots]
        zero = self.y.height(0)
        curves += along([(0, zero), (100, zero)], size)
        avoided = [[Box.around(size.point(other.x, other.y)) for other in others], curves]
        return placed_names(
            names, size, taken, baseline=BASELINE, zero=zero, is_above=True, avoided=avoided, spots=spots
        )


def _label(method: Method) -> str:
    """Short where the table says what the method is."""
    return f"RS, {method.row.parameter}" if method.name in (PARITY, NEAR) else method.name
