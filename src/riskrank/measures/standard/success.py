"""Success: is there any relevant document at the top?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from riskrank.measures.measure import NEEDED, Measure, register
from riskrank.measures.swap_deltas import SwapDeltas, is_relevant, per_rank, tied_first_relevant, total

if TYPE_CHECKING:
    from riskrank.data.ranking_data import RankingData
    from riskrank.measures.ranking import Ranking
    from riskrank.measures.tied_ranking import TiedRanking
    from riskrank.typing import Floats


@register(wta={"cutoff": 1})
@dataclass(frozen=True, repr=False, eq=False)
class Success(Measure):
    """1 if one of the first k documents is relevant, else 0. WTA (winner takes all) is Success@1."""

    name = "Success"
    summary = "success"
    largest = 1.0
    needs_cutoff = True
    cutoff: int = NEEDED
    rel: int = 1

    def per_topic(self, ranking: Ranking) -> Floats:
        return (ranking.up_to(self.cutoff).relevant(self.rel).count() > 0).astype(np.float64)

    def over_ties(self, tied: TiedRanking) -> Floats:
        first = tied.stops(tied.relevant(self.rel))  # the chance that the first relevant document has this rank
        return tied.sum(first, self.cutoff)

    def swap_deltas(self, data: RankingData) -> SwapDeltas:
        """A swap matters when it brings in the only relevant document, or takes it out."""
        relevant = is_relevant(data, self.rel)
        norm = (total(relevant, data) > 0).astype(np.float64)
        return SwapDeltas(
            relevant, per_rank(data, self.cutoff, lambda _: 1.0), norm, _value, _delta, 3, tied_first_relevant
        )


def _value(gains: Floats, discounts: Floats, _norm: float, work: Floats) -> float:
    """The value; `work` keeps the number of relevant documents within the cut-off."""
    relevant = 0.0
    for r in range(len(gains)):
        relevant += gains[r] * discounts[r]
    work[0, 0] = relevant
    return min(relevant, 1.0)


def _delta(a: int, b: int, gains: Floats, discounts: Floats, _norm: float, work: Floats) -> float:
    relevant = work[0, 0] + (gains[b] - gains[a]) * (discounts[a] - discounts[b])
    delta: float = min(relevant, 1.0) - min(work[0, 0], 1.0)
    return delta
