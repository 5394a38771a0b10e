"""A paper's figure as it is drawn: places of points in percent, on the paper's axes."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from riskrank.report.page.plots.scale import Scale, Tick, scale, svg_points

if TYPE_CHECKING:
    from collections.abc import Sequence

    from riskrank.papers.outcome import FigureSeries, PaperFigure

HEIGHT = 320
NEAR_X, NEAR_Y = 25.0, 6.0  # percent within which names of points would run into each other
MIDDLE = (35.0, 65.0)  # percent between which the names of points stand over them
MOST_COUNTED = 12  # ticks that have room on a narrow screen
SHADES = 9  # kinds of lines that are told apart; further ones begin again


class DrawnPoint(NamedTuple):
    """A point, and how far its interval reaches (in percent)."""

    x: float
    y: float
    low: float | None
    high: float | None


class DrawnSeries(NamedTuple):
    """Points of one series; a line joins them if it is one."""

    name: str
    kind: str
    shade: int
    line: str
    points: list[DrawnPoint]
    is_below: bool = False  # does its name stand below it?

    @property
    def is_single(self) -> bool:
        """Is it one point, named where it stands?"""
        return self.kind == "points" and len(self.points) == 1

    @property
    def anchor(self) -> str:
        """Where its name begins, so that a long one stays within a narrow plot."""
        x = self.points[0].x
        return "start" if x < MIDDLE[0] else "end" if x > MIDDLE[1] else "middle"


@dataclass(frozen=True)
class FigurePlot:
    """All that is drawn of a figure."""

    title: str
    note: str
    x_title: str
    y_title: str
    x_ticks: Sequence[Tick]
    y_ticks: Sequence[Tick]
    zero: float
    series: list[DrawnSeries]
    height: int = HEIGHT


def figure_plot(figure: PaperFigure) -> FigurePlot:
    """A figure's points on axes that hold all of them."""
    x = _x_scale(figure)
    y = _scale([value for series in figure.series for value in (*series.y, *series.low, *series.high)])
    drawn = _apart([_drawn(figure, series, i % SHADES, x, y) for i, series in enumerate(figure.series)])
    ticks = _powers(x) if figure.is_log_x else x.x_ticks
    unsigned = [tick._replace(text=tick.text.lstrip("+")) for tick in y.y_ticks]
    return FigurePlot(
        title=figure.title, note=figure.note, x_title=figure.x_title, y_title=figure.y_title, x_ticks=ticks,
        y_ticks=unsigned, zero=y.height(min(max(0.0, y.low), y.high)), series=drawn,
    )  # fmt: skip


def _x_scale(figure: PaperFigure) -> Scale:
    """The axis of x ends where the points do; of a few whole numbers (cut-offs, bins) each has a tick, and no other."""
    values = [_x(figure, value) for series in figure.series for value in series.x]
    known = sorted(set(values))
    is_counted = len(known) > 1 and known == [known[0] + i for i in range(len(known))] and known[0].is_integer()
    if is_counted and len(known) <= MOST_COUNTED and all(series.kind == "line" for series in figure.series):
        return Scale(known[0], known[-1], 1.0)
    return _scale(values, around=0.0)


def _apart(series: list[DrawnSeries]) -> list[DrawnSeries]:
    """Names of single points stand above them, but below the lower one of two that lie near each other."""
    places = [(i, each.points[0]) for i, each in enumerate(series) if each.is_single]
    lower = {
        i
        for i, own in places
        for k, other in places
        if abs(other.x - own.x) < NEAR_X and abs(other.y - own.y) < NEAR_Y and (other.y, k) < (own.y, i)
    }
    return [each._replace(is_below=i in lower) for i, each in enumerate(series)]


def _x(figure: PaperFigure, value: float) -> float:
    return math.log10(value) if figure.is_log_x else float(value)


def _powers(axis: Scale) -> list[Tick]:
    """Ticks of a logarithmic axis at whole powers: 2 is 100."""
    return [Tick(axis.place(value), f"{10.0**value:,.12g}") for value in axis.values if value.is_integer()]


def _scale(values: Sequence[float], *, around: float = 0.04) -> Scale:
    """An axis that holds all values, with a share of their range around them; none is negative if they are not."""
    known = [value for value in values if math.isfinite(value)] or [0.0, 1.0]
    margin = (max(known) - min(known)) * around if max(known) > min(known) else abs(known[0]) * 0.1 or 1.0
    low = min(known) - margin
    return scale(0.0 if low < 0 <= min(known) else low, max(known) + margin, n_ticks=5)


def _drawn(figure: PaperFigure, series: FigureSeries, shade: int, x: Scale, y: Scale) -> DrawnSeries:
    places = [
        (x.place(_x(figure, a)), y.height(b)) for a, b in zip(series.x, series.y, strict=True) if math.isfinite(b)
    ]
    ends: list[tuple[float | None, float | None]] = [(None, None)] * len(places)
    if series.low:
        ends = [(y.height(low), y.height(high)) for low, high in zip(series.low, series.high, strict=True)]
    points = [DrawnPoint(*place, *end) for place, end in zip(places, ends, strict=True)]
    return DrawnSeries(series.name, series.kind, shade, svg_points(places) if series.kind == "line" else "", points)
