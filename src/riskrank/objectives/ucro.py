"""U-CRO as printed by Dinçer et al. 2016."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from riskrank.objectives.objective import Objective, register

if TYPE_CHECKING:
    from riskrank.kernels.state import Query, TrainingState

ROUNDING = 1e-12  # a swap that ends at the baseline is no loss, whatever the last bits say


@register
@dataclass(frozen=True, repr=False)
class UCRO(Objective):
    r"""The change, times 1 + alpha where the query would stand below the baseline after it.

    Dinçer et al. 2016, Eq. 9, as printed. It differs from `URisk` when a swap crosses the baseline. Departures: none.
    """

    alpha: float = 1.0

    name = "ucro"
    summary = "changes that end below the baseline weigh 1 + alpha (Dinçer et al. 2016, Eq. 9)"

    @staticmethod
    def target(delta: float, query: Query, training: TrainingState) -> float:
        ends_below = query.effectiveness + delta < query.baseline - ROUNDING
        return (1.0 + training.alpha) * delta if ends_below else delta
