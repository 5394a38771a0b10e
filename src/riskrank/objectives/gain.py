"""The measure itself: plain LambdaMART."""

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
class Gain(Objective):
    """The mean of the measure over queries, whatever the baseline does. Burges et al. 2006."""

    name = "gain"
    summary = "the mean of the measure, without regard to risk"
    needs_baseline = False

    def value(self, values: Floats, baselines: Floats, weights: Floats | None = None) -> float:
        return float(weighted_mean(values, weights))

    @staticmethod
    def target(delta: float, query: Query, training: TrainingState) -> float:
        return delta
