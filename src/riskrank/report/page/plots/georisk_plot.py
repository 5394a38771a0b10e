"""GeoRisk of every system as losses weigh more: a line each, the chosen one in ink (Dinçer et al. 2016, Fig. 3)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from riskrank.report.findings.assessment_findings import FEW_SYSTEMS
from riskrank.report.page.plots.plot_names import LINE, plot_name, text_width
from riskrank.report.page.plots.scale import Tick, scale, svg_points

if TYPE_CHECKING:
    from collections.abc import Sequence

    from riskrank.assessment.assessment import Assessment

HEIGHT = 220  # px


class GeoRiskLine(NamedTuple):
    """A system: its number, its points, and where its name stands at the right, in px; None where it is not named."""

    number: int
    name: str
    points: str
    is_baseline: bool
    name_height: float | None


@dataclass(frozen=True)
class GeoRiskPlot:
    """All that is drawn, in percent of the plot, and which systems have the largest."""

    x_ticks: list[Tick]
    y_ticks: list[Tick]
    lines: list[GeoRiskLine]
    about: str
    height: int = HEIGHT

    @property
    def is_many(self) -> bool:
        """Are there too many lines to name them all?"""
        return any(line.name_height is None for line in self.lines)

    @property
    def names_width(self) -> int:
        """In px, with the gap before them."""
        named = (line.name for line in self.lines if line.name_height is not None)
        return round(LINE + max(text_width(name, is_strong=True) for name in named))


def georisk_plot(assessment: Assessment, values: Sequence[Sequence[float | None]]) -> GeoRiskPlot | None:
    """From GeoRisk of each system at each alpha of the grid; None where there is nothing to compare."""
    alphas = assessment.grid
    known = {i: [value for value in row if value is not None] for i, row in enumerate(values)}
    drawn = {i: row for i, row in known.items() if len(row) == len(alphas)}
    if len(drawn) < 2 or len(alphas) < 2:
        return None
    numbers = [value for row in drawn.values() for value in row]
    x, y = scale(alphas[0], alphas[-1], n_ticks=5), scale(min(numbers), max(numbers), n_ticks=4)
    names = {i: assessment.systems[i].system for i in drawn}
    largest = _largest(drawn)
    named = drawn if len(drawn) <= FEW_SYSTEMS + 1 else (largest[0], largest[-1])
    heights = _apart({i: y.height(drawn[i][-1]) * HEIGHT / 100 for i in named})
    lines = [
        GeoRiskLine(
            number=i,
            name=plot_name(names[i]),
            points=svg_points((x.place(alpha), y.height(value)) for alpha, value in zip(alphas, row, strict=True)),
            is_baseline=assessment.systems[i].is_baseline,
            name_height=heights.get(i),
        )
        for i, row in drawn.items()
    ]
    y_ticks = [Tick(y.height(value), y.text(value)) for value in y.values]
    return GeoRiskPlot(x.x_ticks, y_ticks, lines, _about(alphas, largest, names))


def _apart(heights: dict[int, float]) -> dict[int, float]:
    """Names from the top, each at least a line below the one before it; the last stays on the plot."""
    placed: dict[int, float] = {}
    lowest = float("-inf")
    for i in sorted(heights, key=lambda i: heights[i]):
        lowest = max(heights[i], lowest + LINE)
        placed[i] = lowest
    highest = float(HEIGHT)
    for i in reversed(placed):
        placed[i] = min(placed[i], highest)
        highest = placed[i] - LINE
    return placed


def _largest(values: dict[int, list[float]]) -> list[int]:
    """Who has the largest, at each alpha."""
    systems = list(values)
    return [systems[column.index(max(column))] for column in zip(*values.values(), strict=True)]


def _about(alphas: Sequence[float], largest: Sequence[int], names: dict[int, str]) -> str:
    """Who has the largest, at the smallest weight and at the largest."""
    first, last = (plot_name(names[i]) for i in (largest[0], largest[-1]))
    if len(set(largest)) == 1:
        return f"{first} has the largest at every α"
    if largest[0] == largest[-1]:
        return f"{first} has the largest at α = {alphas[0]:g} and at α = {alphas[-1]:g}"
    return f"{first} has the largest at α = {alphas[0]:g}, {last} at α = {alphas[-1]:g}"
