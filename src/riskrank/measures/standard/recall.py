"""Recall."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from riskrank.measures.measure import NEEDED, Measure, register
from riskrank.measures.ranking import Ranking, ratio
from riskrank.measures.swap_deltas import SwapDeltas, inverse, is_relevant, per_rank, total

if TYPE_CHECKING:
    from riskrank.data.ranking_data import RankingData
    from riskrank.measures.tied_ranking import TiedRanking
    from riskrank.typing import Floats


@register("recall")
@dataclass(frozen=True, repr=False, eq=False)
class R(Measure):
    """Share of the relevant documents that stand in the first k."""

    name = "R"
    summary = "recall"
    largest = 1.0
    needs_cutoff = True
    cutoff: int = NEEDED
    rel: int = 1

    def per_topic(self, ranking: Ranking) -> Floats:
        relevant = ranking.up_to(self.cutoff).relevant(self.rel)
        return ratio(relevant.count(), ranking.judgments.count(self.rel))

    def over_ties(self, tied: TiedRanking) -> Floats:
        relevant = tied.positional(lambda grade: grade >= self.rel, lambda _: 1.0, self.cutoff)
        return ratio(relevant, tied.documents.judgments.count(self.rel))

    def swap_deltas(self, data: RankingData) -> SwapDeltas:
        """1 / relevant documents for each one down to rank k."""
        relevant = is_relevant(data, self.rel)
        discounts = per_rank(data, self.cutoff, lambda _: 1.0)
        return SwapDeltas(relevant, discounts, inverse(total(relevant, data)))
