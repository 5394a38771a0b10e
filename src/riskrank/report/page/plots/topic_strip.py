"""The changes of all topics, worst first, as one strip."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from riskrank.report.page.plots.scale import Tick

if TYPE_CHECKING:
    from collections.abc import Sequence

    from riskrank.report.page.plots.scale import Scale

MOST_BARS = 150  # with gaps between them
GAP = 0.12  # of a bar's width
LEAST = 0.7  # percent of the height that a bar has at least


class StripPaths(NamedTuple):
    """The bars of topics that gain, lose, and stay as they are, in units of topics × percent."""

    helped: str
    hurt: str
    equal: str


@dataclass(frozen=True)
class StripScale:
    """What all strips of a page have in common."""

    n_topics: int
    y: Scale

    @property
    def zero(self) -> float:
        """In percent from the top."""
        return self.y.height(0)

    @property
    def ticks(self) -> list[Tick]:
        """Of changes."""
        return self.y.y_ticks

    def loss_tick(self, loss: float) -> Tick | None:
        """Where a topic loses so much; None below all that is drawn."""
        return Tick(self.y.height(-loss), f"−{loss:g}" if loss else "0") if -loss >= self.y.low else None

    @property
    def gap(self) -> float:
        """Between two bars, in topics."""
        return GAP if self.n_topics <= MOST_BARS else 0.0


def strip_paths(
    changes: Sequence[float], places: Sequence[int], *, n_hurt: int, n_helped: int, scale: StripScale
) -> StripPaths:
    """Bars of topics, worst first; what is not kept is drawn as wide as the gap that it leaves."""
    helped, hurt, equal = [], [], []
    unit = 100 / (scale.y.high - scale.y.low)
    ends = [*places[1:], scale.n_topics]
    for change, start, end in zip(changes, places, ends, strict=True):
        size = round(max(abs(change) * unit, LEAST), 2)
        left, width = round(start + scale.gap / 2, 2), round(end - start - scale.gap, 2)
        if start < n_hurt:
            hurt.append(f"M{left:g} {scale.zero:g}v{size:g}h{width:g}v-{size:g}z")
        elif start >= scale.n_topics - n_helped:
            helped.append(f"M{left:g} {scale.zero:g}v-{size:g}h{width:g}v{size:g}z")
        else:
            equal.append(f"M{left:g} {scale.zero - LEAST / 2:g}h{width:g}v{LEAST:g}h-{width:g}z")
    return StripPaths("".join(helped), "".join(hurt), "".join(equal))


def losing_path(counts: Sequence[int], places: Sequence[int], *, n_systems: int, scale: StripScale) -> str:
    """How many systems lose each topic, hanging from the top."""
    parts = []
    for count, start, end in zip(counts, places, [*places[1:], scale.n_topics], strict=True):
        if count:
            left, width = round(start + scale.gap / 2, 2), round(end - start - scale.gap, 2)
            size = round(100 * count / n_systems, 1)
            parts.append(f"M{left:g} 0v{size:g}h{width:g}v-{size:g}z")
    return "".join(parts)
