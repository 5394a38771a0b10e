"""Precision."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from riskrank.measures.measure import NEEDED, Measure, register
from riskrank.measures.swap_deltas import SwapDeltas, is_relevant, per_rank

if TYPE_CHECKING:
    from riskrank.data.ranking_data import RankingData
    from riskrank.measures.ranking import Ranking
    from riskrank.measures.tied_ranking import TiedRanking
    from riskrank.typing import Floats


@register("precision")
@dataclass(frozen=True, repr=False, eq=False)
class P(Measure):
    """Share of relevant documents in the first k; missing ranks count as not relevant."""

    name = "P"
    summary = "precision"
    largest = 1.0
    needs_cutoff = True
    cutoff: int = NEEDED
    rel: int = 1

    def per_topic(self, ranking: Ranking) -> Floats:
        return ranking.up_to(self.cutoff).relevant(self.rel).count() / self.cutoff

    def over_ties(self, tied: TiedRanking) -> Floats:
        relevant = tied.positional(lambda grade: grade >= self.rel, lambda _: 1.0, self.cutoff)
        return relevant / self.cutoff

    def swap_deltas(self, data: RankingData) -> SwapDeltas:
        """1 / k for each relevant document down to rank k."""
        discounts = per_rank(data, self.cutoff, lambda _: 1.0)
        return SwapDeltas(is_relevant(data, self.rel), discounts, np.full(data.n_queries, 1.0 / self.cutoff))
