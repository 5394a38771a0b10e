"""Reciprocal rank."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from riskrank.measures.measure import Measure, register
from riskrank.measures.swaps import Swaps, is_relevant, per_rank, total

if TYPE_CHECKING:
    from riskrank.data.ranking_data import RankingData
    from riskrank.measures.ranking import Ranking
    from riskrank.typing import Floats


@register("mrr", "recip_rank")
@dataclass(frozen=True, repr=False, eq=False)
class RR(Measure):
    """One over the rank of the first relevant document; 0 without one (trec_eval recip_rank)."""

    name = "RR"
    summary = "reciprocal rank of the first relevant document"
    cutoff: int | None = None
    rel: int = 1

    def per_topic(self, ranking: Ranking) -> Floats:
        """The measure's value for each topic."""
        found = ranking.up_to(self.cutoff).relevant(self.rel)
        values = np.zeros(ranking.judgments.n_topics)
        np.maximum.at(values, found.topic, 1.0 / found.rank)
        return values

    def swaps(self, data: RankingData) -> Swaps:
        """Only the first relevant rank, and the one that would become the first, matter."""
        relevant = is_relevant(data, self.rel)
        norm = (total(relevant, data) > 0).astype(np.float64)
        return Swaps(relevant, per_rank(data, self.cutoff, lambda rank: 1.0 / rank), norm, _prepare, _change, 1)


def _prepare(gains, discounts, norm, work):  # type: ignore[no-untyped-def] # noqa: ARG001 (compiled)
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


def _change(a, b, gains, discounts, norm, work):  # type: ignore[no-untyped-def] # noqa: ARG001 (compiled)
    first, second = int(work[0, 0]), int(work[0, 1])
    if gains[a] > gains[b]:  # the relevant one falls
        return discounts[min(b, second)] - discounts[a] if a == first else 0.0
    return discounts[a] - discounts[first] if gains[b] > gains[a] and a < first else 0.0
