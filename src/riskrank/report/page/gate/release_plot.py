"""A number of each release as a line, with what it must not cross."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import accumulate
from typing import TYPE_CHECKING, NamedTuple

from riskrank.report.findings.digits import Digits, share_text
from riskrank.report.findings.gate_history_findings import NOT_SURELY, of_limit, use_text
from riskrank.report.page.plots.scale import Scale, Tick, scale, svg_points

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

MOST_DOTS = 60  # more would be a band
LEAST_TOP, MOST_TOP = 1.25, 3.0  # limits that are drawn: the line of the limit is never at the edge


class ReleaseDot(NamedTuple):
    """A release, in percent of the plot, and what is said of it."""

    x: float
    y: float
    kind: str  # gain, loss or, at 0 and where nobody is sure, open
    title: str


@dataclass(frozen=True)
class ReleasePlot:
    """Lines, which have gaps where there is no number; `line` is the height of the limit, or of 0."""

    curves: list[str]
    dots: list[ReleaseDot]
    ticks: list[Tick]
    line: float
    line_text: str
    has_region: bool  # beyond the limit


def use_plot(uses: Sequence[float], broken: Sequence[bool], labels: Sequence[str]) -> ReleasePlot:
    """How much of a limit each release used, and which broke it; what is far over it is drawn at the edge.

    >>> use_plot([0.5, 1.2], [False, True], ["v1", "v2"]).line
    28.57
    """
    largest = max((use for use in uses if math.isfinite(use)), default=0.0)
    top = min(max(LEAST_TOP, largest + 0.2), MOST_TOP)
    axis = Scale(0.0, top, 0.5 if top <= 2 else 1.0)
    dots = [
        ReleaseDot(
            _middle(i, len(uses)),
            axis.height(axis.within(use)),
            "loss" if broken[i] else "open" if use > 1 else "gain",
            f"{labels[i]}: {of_limit(use_text(use))}{NOT_SURELY if use > 1 and not broken[i] else ''}",
        )
        for i, use in enumerate(uses)
        if not math.isnan(use)
    ]
    ticks = [Tick(axis.height(value), share_text(value)) for value in axis.values if value != 1]
    if largest > MOST_TOP:  # and stands at the edge with what is less far over
        ticks = [Tick(tick.place, f"{'' if tick.place else '≥'}{tick.text}") for tick in ticks]
    return ReleasePlot(list(_curves(uses, axis)), _thinned(dots), ticks, axis.height(1.0), "limit", has_region=True)


def drift_plot(steps: Sequence[float]) -> ReleasePlot:
    """The changes of releases, added up from 0."""
    sums = list(accumulate(steps, initial=0.0))
    axis = scale(min(sums), max(sums), n_ticks=4)
    dots = [
        ReleaseDot(
            _middle(i, len(sums)),
            axis.height(value),
            "loss" if value < 0 else "gain" if value > 0 else "open",
            f"after {i} of {len(steps)}: {Digits(3).gain(value)}",
        )
        for i, value in enumerate(sums)
    ]
    ticks = [tick for tick in axis.y_ticks if tick.text != "0"]
    return ReleasePlot(list(_curves(sums, axis)), _thinned(dots), ticks, axis.height(0.0), "0", has_region=False)


def _middle(number: int, count: int) -> float:
    """The middle of a release's share of the width."""
    return round(100 * (number + 0.5) / count, 2)


def _curves(values: Sequence[float], axis: Scale) -> Iterator[str]:
    """A line for each row of known values."""
    row: list[tuple[float, float]] = []
    for i, value in enumerate((*values, math.nan)):
        if not math.isnan(value):
            row.append((_middle(i, len(values)), axis.height(axis.within(value))))
        elif row:
            yield svg_points(row)
            row = []


def _thinned(dots: Sequence[ReleaseDot]) -> list[ReleaseDot]:
    """Where there are many: those over the limit as far as there are few, and the last."""
    if len(dots) <= MOST_DOTS:
        return list(dots)
    over = [dot for dot in dots[:-1] if dot.kind == "loss"]
    return [*(over if len(over) < MOST_DOTS else []), dots[-1]]
