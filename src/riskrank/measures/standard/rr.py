"""Reciprocal rank."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from riskrank.measures.measure import Measure, register
from riskrank.measures.swap_deltas import SwapDeltas, is_relevant, per_rank, tied_first_relevant, total

if TYPE_CHECKING:
    from riskrank.data.ranking_data import RankingData
    from riskrank.measures.ranking import Ranking
    from riskrank.measures.tied_ranking import TiedRanking
    from riskrank.typing import Floats


@register("mrr", "recip_rank")
@dataclass(frozen=True, repr=False, eq=False)
class RR(Measure):
    """One over the rank of the first relevant document; 0 without one (trec_eval recip_rank)."""

    name = "RR"
    summary = "reciprocal rank of the first relevant document"
    largest = 1.0
    cutoff: int | None = None
    rel: int = 1

    def per_topic(self, ranking: Ranking) -> Floats:
        relevant = ranking.up_to(self.cutoff).relevant(self.rel)
        values = np.zeros(ranking.judgments.n_topics)
        np.maximum.at(values, relevant.topic, 1.0 / relevant.rank)
        return values

    def over_ties(self, tied: TiedRanking) -> Floats:
        first = tied.stops(tied.relevant(self.rel))  # the chance that the first relevant document has this rank
        return tied.sum(first / tied.documents.rank, self.cutoff)

    def swap_deltas(self, data: RankingData) -> SwapDeltas:
        """Only the first relevant rank, and the one that would become the first, matter."""
        relevant = is_relevant(data, self.rel)
        norm = (total(relevant, data) > 0).astype(np.float64)
        return SwapDeltas(
            relevant, per_rank(data, self.cutoff, lambda rank: 1.0 / rank), norm, _value, _delta, 3, tied_first_relevant
        )


def _value(gains: Floats, discounts: Floats, _norm: float, work: Floats) -> float:
    """The value; `work` keeps the first two relevant ranks."""
    n = len(gains)
    first, second = n, n
    for r in range(n):
        if gains[r] > 0.0:
            if first == n:
                first = r
            else:
                second = r
                break
    work[0, 0], work[0, 1] = first, second
    return discounts[first] if first < n else 0.0


def _delta(a: int, b: int, gains: Floats, discounts: Floats, _norm: float, work: Floats) -> float:
    first, second = int(work[0, 0]), int(work[0, 1])
    if gains[a] > gains[b]:  # the relevant one falls
        return discounts[min(b, second)] - discounts[a] if a == first else 0.0
    return discounts[a] - discounts[first] if gains[b] > gains[a] and a < first else 0.0
