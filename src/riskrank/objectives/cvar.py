"""CVaR as an objective: the worst share of queries."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from riskrank.errors import ParameterError
from riskrank.objectives.objective import Objective, register
from riskrank.parameters import positive_share
from riskrank.risk.cvar import DEFAULT_SHARE, smallest_of_worst, worst_losses
from riskrank.weights import weighted_mean

if TYPE_CHECKING:
    from riskrank.kernels.state import Query
    from riskrank.typing import Floats


class Worst(NamedTuple):
    """The weight of losses beyond the threshold that the worst share of queries exceeds."""

    weight: float
    threshold: float


@register
@dataclass(frozen=True, repr=False)
class CVaR(Objective):
    r"""Mean gain − alpha · mean loss of the worst `share` of queries.

    .. math:: T(d) = d + \frac{\alpha}{share} \min(d + v, 0)

    with v the smallest loss among the worst share (Rockafellar and Uryasev 2002), found anew at each step. With
    share = 1 it is `URisk`.
    """

    alpha: float = 1.0
    share: float = DEFAULT_SHARE

    name = "cvar"
    summary = "mean gain − alpha · mean loss of the worst share of queries"

    def __post_init__(self) -> None:
        super().__post_init__()
        positive_share("share", self.share)
        if self.alpha / self.share <= -1:
            raise ParameterError(f"alpha must be above −share ({-self.share:g}), got {self.alpha!r}.", "alpha")

    def prepare(
        self, values: Floats, baselines: Floats, memory: dict[str, Any], weights: Floats | None = None
    ) -> tuple[Floats, Floats | None, Any]:
        baseline = self.single_baseline(baselines, values)
        losses = np.maximum(0.0, -self.difference(values, baselines))
        threshold = smallest_of_worst(losses, self.share, weights) if self.share < 1 else 0.0
        return baseline, None, Worst(float(self.alpha / self.share), threshold)

    def value(self, values: Floats, baselines: Floats, weights: Floats | None = None) -> float:
        difference = self.difference(values, baselines)
        worst = worst_losses(difference[None, :], self.share, weights)[0]
        return float(weighted_mean(difference, weights) - self.alpha * worst)

    @staticmethod
    def target(delta: float, query: Query, training: Worst) -> float:
        beyond = query.effectiveness - query.baseline + training.threshold
        return delta + training.weight * (min(beyond + delta, 0.0) - min(beyond, 0.0))
