"""URisk as an objective: losses against the baseline weigh 1 + alpha."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from riskrank.objectives.objective import Objective, register

if TYPE_CHECKING:
    from riskrank.kernels.state import Query, TrainingState


@register
@dataclass(frozen=True, repr=False)
class URisk(Objective):
    r"""Reward − (1 + alpha) · risk, exactly.

    .. math:: \Delta T = T(d_q + \delta) - T(d_q) ,\quad T(d) = d \text{ if } d \ge 0 \text{ else } (1 + \alpha) d

    Wang et al. 2012, Theorem 1. An alpha below 0 (above −1) seeks the upside: losses weigh less than gains.
    Departures: none.
    """

    alpha: float = 1.0

    name = "urisk"
    summary = "losses against the baseline weigh 1 + alpha (Wang et al. 2012)"

    @staticmethod
    def target(delta: float, query: Query, training: TrainingState) -> float:
        d = query.effectiveness - query.baseline
        return delta + training.alpha * (min(d + delta, 0.0) - min(d, 0.0))
