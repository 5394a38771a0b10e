"""Success: is there any relevant document at the top?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from riskrank.measures.measure import Measure, register

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from riskrank.measures.ranking import Ranking


@register("wta", wta={"cutoff": 1})
@dataclass(frozen=True, repr=False, eq=False)
class Success(Measure):
    """1 if one of the first k documents is relevant, else 0. WTA (winner takes all) is Success@1."""

    name = "Success"
    summary = "success"
    needs_cutoff = True
    cutoff: int | None = None
    rel: int = 1

    def per_topic(self, ranking: Ranking) -> NDArray[np.float64]:
        """The measure's value for each topic."""
        return (ranking.up_to(self.cutoff).relevant(self.rel).count() > 0).astype(np.float64)
