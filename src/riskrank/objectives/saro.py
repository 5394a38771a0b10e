"""SARO: alpha of each query by how surely it is at risk, where the query loses."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from riskrank.objectives.objective import Objective, register
from riskrank.parameters import one_of, whole
from riskrank.risk.georisk import normal_cdf
from riskrank.risk.paired import tradeoff
from riskrank.weights import weighted_deviation, weighted_error

if TYPE_CHECKING:
    from riskrank.kernels.state import Query, TrainingState
    from riskrank.typing import Floats

STANDARDISATIONS = ("error", "deviation")


@dataclass(frozen=True, repr=False)
class Adaptive(Objective):
    r"""Base of SARO and FARO: :math:`\alpha'_q = [1 - \Phi(T_q)] \, \alpha`.

    Parameters
    ----------
    standardise
        ``"error"`` is the papers' T_q = x_q / SE with x_q the trade-off d or (1 + alpha) d and SE its standard error;
        with thousands of queries nearly every alpha' is 0 or alpha. ``"deviation"`` is what the papers' code does,
        T_q = d_q / s_x without √c, which varies smoothly.
    refresh
        The scale (SE or s_x) is estimated after the first step and kept, or estimated anew after this many steps each.
    measure, truncation, sigma, normalise
        As in `Objective`; `alpha` is the most that losses may weigh more.
    """

    alpha: float = 1.0
    standardise: str = "deviation"
    refresh: int | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        one_of("standardise", self.standardise, STANDARDISATIONS)
        whole("refresh", self.refresh, 1, optional=True, alternative=" or None")

    def prepare(
        self, values: Floats, baselines: Floats, memory: dict[str, Any], weights: Floats | None = None
    ) -> tuple[Floats, Floats | None, Any]:
        """The alpha of each query is its state."""
        baseline = self.single_baseline(baselines, values)
        difference = self.difference(values, baselines)
        weighted = tradeoff(difference, self.alpha)
        step = int(memory.get("iteration", 0))  # as checkpoints call it
        memory["iteration"] = step + 1
        if step <= 1 or (self.refresh is not None and step % self.refresh == 0):
            memory["scale"] = self._scale(weighted, weights)
        scale = float(memory["scale"])
        numerator = weighted if self.standardise == "error" else difference
        standing = np.divide(numerator, scale, out=np.zeros(len(values)), where=scale > 0)
        return baseline, self.alpha * normal_cdf(-standing), self.training_state(values, baselines, weights)

    def _scale(self, tradeoffs: Floats, weights: Floats | None) -> float:
        if len(tradeoffs) < 2:
            return 0.0
        if weights is not None and self.standardise == "error":
            return float(weighted_error(tradeoffs, weights))
        deviation = weighted_deviation(tradeoffs, weights)
        return deviation / len(tradeoffs) ** 0.5 if self.standardise == "error" else deviation


@register
@dataclass(frozen=True, repr=False)
class SARO(Adaptive):
    """`URisk` with an alpha of its own for each query. Dinçer et al. 2014, §6.3."""

    name = "saro"
    summary = "URisk with alpha by how surely each query is at risk (Dinçer et al. 2014)"

    @staticmethod
    def target(delta: float, query: Query, training: TrainingState) -> float:
        d = query.effectiveness - query.baseline
        return delta + query.state * (min(d + delta, 0.0) - min(d, 0.0))
