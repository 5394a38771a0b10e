"""The figures of an experiment as a picture (SVG), panel beside panel, on the paper's axes."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from riskrank.report.papers.figure_plot import figure_plot

if TYPE_CHECKING:
    from collections.abc import Sequence

    from riskrank.papers.outcome import PaperFigure
    from riskrank.report.papers.figure_plot import DrawnSeries, FigurePlot

WIDTH, HEIGHT, LEFT, TOP, LINE = 380, 240, 62, 30, 15  # of a panel's axes, of what stands around them, of a legend
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00", "#000000", "#7f7f7f", "#8c510a")
BAR_SHARE = 0.8  # of the room between two bars


def picture(figures: Sequence[PaperFigure]) -> str:
    """All figures of an experiment."""
    plots = [figure_plot(figure) for figure in figures]
    lines = max(len(plot.series) for plot in plots)
    width, height = len(plots) * (LEFT + WIDTH + 20), TOP + HEIGHT + 50 + LINE * (lines + 1)
    panels = "\n".join(_panel(plot, LEFT + i * (LEFT + WIDTH + 20)) for i, plot in enumerate(plots))
    style = 'font-family="sans-serif" font-size="11"'
    size = f'width="{width}" height="{height}" viewBox="0 0 {width} {height}"'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} {style}>\n'
        f'<rect width="100%" height="100%" fill="#fff"/>\n{panels}\n</svg>\n'
    )


def _panel(plot: FigurePlot, left: int) -> str:
    parts = [
        f'<g transform="translate({left} {TOP})">',
        _text(WIDTH / 2, -12, plot.title, 'text-anchor="middle" font-weight="bold"'),
        *(
            f'<path d="M0 {_y(place)}H{WIDTH}" stroke="#ddd"/>{_text(-6, _y(place) + 4, text, _END)}'
            for place, text in plot.y_ticks
        ),
        *(_text(_x(place), HEIGHT + 16, text, 'text-anchor="middle"') for place, text in plot.x_ticks),
        _text(WIDTH / 2, HEIGHT + 32, plot.x_title, 'text-anchor="middle"'),
        _text(0, 0, plot.y_title, f'text-anchor="middle" transform="translate(-46 {HEIGHT / 2}) rotate(-90)"'),
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="none" stroke="#888"/>',
    ]
    n_bars = sum(series.kind == "bars" for series in plot.series)  # side by side, as their places are
    for i, series in enumerate(plot.series):
        colour = COLOURS[i % len(COLOURS)]
        parts.append(_series(series, colour, _y(plot.zero), BAR_SHARE / max(n_bars, 1)))
        y = HEIGHT + 46 + LINE * i
        parts.append(f'<path d="M0 {y - 4}h18" stroke="{colour}" stroke-width="3"/>{_text(24, y, series.name)}')
    if plot.note:
        parts.append(_text(0, HEIGHT + 46 + LINE * len(plot.series), plot.note, 'font-size="10" fill="#555"'))
    return "\n".join([*parts, "</g>"])


def _series(series: DrawnSeries, colour: str, zero: float, bar_share: float) -> str:
    marks = []
    width = WIDTH * bar_share / max(len(series.points), 1)
    for point in series.points:
        x, y = _x(point.x), _y(point.y)
        if series.kind == "bars":
            first, last = min(y, zero), max(y, zero)
            marks.append(f'<rect x="{x - width / 2:.1f}" y="{first}" width="{width:.1f}" height="{last - first:.1f}"/>')
            continue
        if point.low is not None and point.high is not None:
            marks.append(f'<path d="M{x} {_y(point.low)}V{_y(point.high)}" stroke="{colour}"/>')
        if series.kind == "points":
            marks.append(f'<circle cx="{x}" cy="{y}" r="3.5"/>')
    places = " ".join(f"{_x(point.x)},{_y(point.y)}" for point in series.points)
    line = f'<polyline points="{places}" fill="none" stroke="{colour}" stroke-width="1.5"/>'
    return f'<g fill="{colour}">{line if series.kind == "line" else ""}{"".join(marks)}</g>'


_END = 'text-anchor="end"'


def _text(x: float, y: float, text: str, style: str = "") -> str:
    return f'<text x="{x:g}" y="{y:g}" {style}>{escape(text)}</text>'


def _x(percent: float) -> float:
    return round(percent * WIDTH / 100, 1)


def _y(percent: float) -> float:
    return round(percent * HEIGHT / 100, 1)
