"""How many topics changed by how much, in steps of a fifth."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

    from riskrank.risk.helped_hurt import HelpedHurt

N_HURT = 5  # of the bars; the others are of topics that gain, the last of those that more than double or rise from 0
EDGES = ((0, "−100%"), (2, "−60%"), (4, "−20%"), (5, "0"), (6, "+20%"), (8, "+60%"), (10, "+100%"))


class OutlinedBar(NamedTuple):
    """How many there are of a model's own, and of another one's, which are an outline."""

    own: int
    outline: int


def outlined(bars: Sequence[int], others: Sequence[int] | None) -> list[OutlinedBar]:
    """Bars of a model, with those of another one where there is one."""
    return [OutlinedBar(*counts) for counts in zip(bars, others or [0] * len(bars), strict=True)]


def change_bars(histogram: HelpedHurt) -> list[int]:
    """Topics in each fifth, from those that lose all to those that more than double.

    >>> from riskrank.risk import helped_hurt
    >>> change_bars(helped_hurt([0.5, 0.2, 0.3, 0.7], [0.5, 0.4, 0.0, 0.5]))
    [0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 1]
    """
    tenths = histogram.count
    fifths = [tenths[2 * i] + tenths[2 * i + 1] for i in range(len(tenths) // 2)]
    return [*fifths, tenths[-1] + histogram.from_zero]
