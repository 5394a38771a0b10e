"""FARO: alpha of each query by how surely it is at risk, on every query."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from riskrank.objectives.objective import register
from riskrank.objectives.saro import Adaptive

if TYPE_CHECKING:
    from riskrank.kernels.state import Query, TrainingState


@register
@dataclass(frozen=True, repr=False)
class FARO(Adaptive):
    """Every change weighs 1 + the query's alpha, losses or not. Dinçer et al. 2014, §6.3."""

    name = "faro"
    summary = "all changes weigh 1 + alpha by how surely each query is at risk (Dinçer et al. 2014)"

    @staticmethod
    def target(delta: float, query: Query, training: TrainingState) -> float:
        return (1.0 + query.state) * delta


@register
@dataclass(frozen=True, repr=False)
class TStarFARO(FARO):
    """FARO against the within-query mean of several baselines. Dinçer et al. 2016, §6.

    `FARO` takes that mean too where there are several: with the same baselines, both have the same gradients.
    """

    name = "tstar_faro"
    summary = "FARO against the within-query mean of several baselines (Dinçer et al. 2016)"
