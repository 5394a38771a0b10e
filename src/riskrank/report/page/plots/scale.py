"""From numbers to places on an axis."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable

STEPS = (1.0, 2.0, 2.5, 5.0, 10.0)
MARGIN = 0.05  # of an axis without ticks, at both ends
DIGITS = 2  # of places in percent: finer than a pixel


class Tick(NamedTuple):
    """A place on an axis, in percent, and what is written there."""

    place: float
    text: str


class Scale(NamedTuple):
    """An axis from `low` to `high`, with a tick at each multiple of `step`."""

    low: float
    high: float
    step: float

    def place(self, value: float) -> float:
        """In percent of the axis."""
        return round(100 * (value - self.low) / (self.high - self.low), DIGITS)

    def height(self, value: float) -> float:
        """In percent from the top, as SVG has it."""
        return round(100 - self.place(value), DIGITS)

    def within(self, value: float) -> float:
        """The value, or the end of the axis that it lies beyond."""
        return min(max(value, self.low), self.high)

    @property
    def values(self) -> list[float]:
        """Of the ticks, from low to high."""
        first, last = math.ceil(self.low / self.step - 1e-9), math.floor(self.high / self.step + 1e-9)
        return [round(i * self.step, 12) for i in range(first, last + 1)]

    @property
    def x_ticks(self) -> list[Tick]:
        """Along the bottom of a plot."""
        return [Tick(self.place(value), self.text(value)) for value in self.values]

    @property
    def y_ticks(self) -> list[Tick]:
        """Along its side, signed."""
        return [Tick(self.height(value), self.text(value, signed=True)) for value in self.values]

    def text(self, value: float, *, signed: bool = False) -> str:
        """A tick, with the decimals that the step needs."""
        if not value:
            return "0"
        decimals = max(0, -math.floor(math.log10(self.step) + 1e-9))
        if abs(self.step * 10**decimals - round(self.step * 10**decimals)) > 1e-6:
            decimals += 1
        sign = "−" if value < 0 else "+" if signed else ""
        return f"{sign}{abs(value):.{decimals}f}"


def scale(low: float, high: float, *, n_ticks: int = 6) -> Scale:
    """An axis that holds both numbers, ends at round ones, and has about so many ticks.

    >>> scale(-0.03, 0.32).values
    [-0.1, 0.0, 0.1, 0.2, 0.3, 0.4]
    """
    if not high > low:
        low, high = low - 0.5, high + 0.5
    rough = (high - low) / n_ticks
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(power * part for part in STEPS if power * part >= rough * (1 - 1e-9))
    return Scale(step * math.floor(low / step + 1e-9), step * math.ceil(high / step - 1e-9), step)


def scale_around(values: Iterable[float]) -> Scale:
    """An axis without ticks that holds all numbers, with a little margin.

    >>> scale_around([0.0, 0.1]).place(0.05)
    50.0
    """
    known = [value for value in values if math.isfinite(value)]
    margin = MARGIN * (max(known) - min(known)) or 1.0
    return Scale(min(known) - margin, max(known) + margin, math.inf)


def svg_points(places: Iterable[tuple[float, float]]) -> str:
    """Places as SVG writes them.

    >>> svg_points([(0.0, 100.0), (50.0, 2.5)])
    '0,100 50,2.5'
    """
    return " ".join(f"{x:g},{y:g}" for x, y in places)
