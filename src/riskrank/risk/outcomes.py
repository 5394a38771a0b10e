"""Risk, reward and gain, counts of who won and lost, and all of it in one row."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from riskrank.errors import ParameterError
from riskrank.risk.paired import difference, mean, paired, topic_weights

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from riskrank.typing import Booleans, Floats, Integers


LARGE_LOSS = 0.20  # Wang et al. 2012 count topics that lose more than a fifth


def risk(system: ArrayLike, baseline: ArrayLike, *, weights: ArrayLike | None = None) -> float:
    """Mean loss against the baseline, 1/c Σ max(0, b_q − m_q) (Wang et al. 2012, Eq. 1); `weights` as in `urisk`.

    >>> round(risk([0.6, 0.3], [0.5, 0.5]), 3)
    0.1
    """
    delta = difference(*paired(system, baseline))
    return float(mean(np.maximum(0.0, -delta), topic_weights(weights, len(delta))))


def reward(system: ArrayLike, baseline: ArrayLike, *, weights: ArrayLike | None = None) -> float:
    """Mean win against the baseline, 1/c Σ max(0, m_q − b_q) (Wang et al. 2012, Eq. 2); `weights` as in `urisk`.

    >>> round(reward([0.6, 0.3], [0.5, 0.5]), 3)
    0.05
    """
    delta = difference(*paired(system, baseline))
    return float(mean(np.maximum(0.0, delta), topic_weights(weights, len(delta))))


def gain(system: ArrayLike, baseline: ArrayLike, *, weights: ArrayLike | None = None) -> float:
    """Mean difference: reward − risk; `weights` as in `urisk`.

    >>> round(gain([0.6, 0.3], [0.5, 0.5]), 3)
    -0.05
    """
    delta = difference(*paired(system, baseline))
    return float(mean(delta, topic_weights(weights, len(delta))))


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


@dataclass(frozen=True)
class RiskProfile:
    """Reward and risk, wins and losses, and their ratios; of several baselines, the mean of each number.

    A ratio is NaN where nothing is lost.
    """

    effectiveness: float
    reward: float
    risk: float
    reward_per_risk: float
    wins: float
    losses: float
    ties: float
    wins_per_loss: float
    large_losses: float


def risk_profile(system: ArrayLike, baselines: ArrayLike) -> RiskProfile:
    """A system against a baseline, or against each of several in turn (rows), every number averaged over them.

    The macro-averages of Dinçer et al. 2016, Table 7. Departures: none. The mean of ratios is not the ratio of means,
    and neither is what the mean of the baselines would give.

    >>> profile = risk_profile([0.6, 0.3, 0.5], [[0.5, 0.5, 0.5], [0.5, 0.2, 0.6]])
    >>> round(profile.reward_per_risk, 3), profile.wins_per_loss, profile.losses
    (1.25, 1.5, 1.0)
    """
    rows = np.atleast_2d(np.asarray(baselines, dtype=np.float64))
    if not len(rows):
        raise ParameterError("a profile needs at least one baseline.")
    return _mean_profile([_profile(system, row) for row in rows])


def per_unit(number: float, by: float) -> float:
    """One number per unit of another; NaN where that is 0.

    >>> per_unit(3.0, 2.0), per_unit(1.0, 0.0)
    (1.5, nan)
    """
    return number / by if by else math.nan


def _profile(system: ArrayLike, baseline: ArrayLike) -> RiskProfile:
    values, against = paired(system, baseline)
    won, lost, counted = reward(values, against), risk(values, against), outcomes(values, against)
    return RiskProfile(
        effectiveness=float(values.mean()) if len(values) else math.nan,
        reward=won,
        risk=lost,
        reward_per_risk=per_unit(won, lost),
        wins=counted.wins,
        losses=counted.losses,
        ties=counted.ties,
        wins_per_loss=per_unit(counted.wins, counted.losses),
        large_losses=counted.large_losses,
    )


def _mean_profile(profiles: list[RiskProfile]) -> RiskProfile:
    names = vars(profiles[0])
    return RiskProfile(**{name: float(np.mean([getattr(each, name) for each in profiles])) for name in names})
