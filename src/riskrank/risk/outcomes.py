"""Risk, reward and gain, and counts of who won and lost."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from riskrank.risk.paired import difference, mean, paired

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from riskrank.typing import Booleans, Floats, Integers


LARGE_LOSS = 0.20  # Wang et al. 2012 count topics that lose more than a fifth


def risk(system: ArrayLike, baseline: ArrayLike) -> float:
    """Mean loss against the baseline, 1/c Σ max(0, b_q − m_q) (Wang et al. 2012, Eq. 1).

    >>> round(risk([0.6, 0.3], [0.5, 0.5]), 3)
    0.1
    """
    return float(mean(np.maximum(0.0, -difference(*paired(system, baseline)))))


def reward(system: ArrayLike, baseline: ArrayLike) -> float:
    """Mean win against the baseline, 1/c Σ max(0, m_q − b_q) (Wang et al. 2012, Eq. 2).

    >>> round(reward([0.6, 0.3], [0.5, 0.5]), 3)
    0.05
    """
    return float(mean(np.maximum(0.0, difference(*paired(system, baseline)))))


def gain(system: ArrayLike, baseline: ArrayLike) -> float:
    """Mean difference: reward − risk.

    >>> round(gain([0.6, 0.3], [0.5, 0.5]), 3)
    -0.05
    """
    return float(mean(difference(*paired(system, baseline))))


@dataclass(frozen=True)
class Outcomes:
    """How many topics a system won, lost, left as they were, and lost by more than 20 %."""

    wins: int
    losses: int
    ties: int
    large_losses: int


def outcomes(system: ArrayLike, baseline: ArrayLike) -> Outcomes:
    """Count wins (d > 0), losses (d < 0), ties, and losses beyond 20 % of the baseline.

    >>> outcomes([0.6, 0.3, 0.45], [0.5, 0.5, 0.5])
    Outcomes(wins=1, losses=2, ties=0, large_losses=1)
    """
    m, b = paired(system, baseline)
    counted = count_outcomes(difference(m, b), b)
    return Outcomes(*(int(count) for count in counted))


def count_outcomes(delta: Floats, baseline: Floats) -> tuple[Integers, ...]:
    """Wins, losses, ties and large losses of each row of differences; NaN topics count as none of them."""
    return (
        (delta > 0).sum(axis=-1),
        (delta < 0).sum(axis=-1),
        (delta == 0).sum(axis=-1),
        is_large_loss(delta, baseline).sum(axis=-1),
    )


def is_large_loss(delta: Floats, baseline: Floats) -> Booleans:
    """Which topics lose more than 20 % of what the baseline had: d/b < −0.20, b > 0."""
    # A loss of exactly a fifth is not beyond it, whatever the last bit of 0.9 − 0.72 says.
    return (baseline > 0) & (delta < -(LARGE_LOSS + 1e-12) * baseline)
