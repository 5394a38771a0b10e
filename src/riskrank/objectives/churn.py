"""Churn as an objective: stay near the baseline's ranking."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from riskrank.objectives.objective import Objective, register
from riskrank.weights import weighted_mean

if TYPE_CHECKING:
    from riskrank.kernels.state import Query, TrainingState
    from riskrank.typing import Floats


@register
@dataclass(frozen=True, repr=False)
class Churn(Objective):
    r"""The measure − alpha · Kendall distance to the baseline's ranking (share of pairs in the other order).

    .. math:: \Delta T = \delta - \alpha \, \Delta K

    Wang et al. 2012, §6, name the Kendall distance as a risk; the form is ours. Pairs of equally good documents count
    too: they are drawn to the baseline's order. With several baselines, the first one's ranking is the one to keep.
    """

    alpha: float = 1.0

    name = "churn"
    summary = "the measure − alpha · Kendall distance to the baseline's ranking"
    with_churn = True

    @staticmethod
    def churn_target(delta: float, distance: float, query: Query, training: TrainingState) -> float:
        return delta - training.alpha * distance

    def churn_value(self, values: Floats, baselines: Floats, distances: Floats, weights: Floats | None = None) -> float:
        return float(weighted_mean(values, weights) - self.alpha * weighted_mean(distances, weights))
