"""Reciprocal rank."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from riskrank.measures.measure import Measure, register

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from riskrank.measures.ranking import Ranking


@register("mrr", "recip_rank")
@dataclass(frozen=True, repr=False, eq=False)
class RR(Measure):
    """One over the rank of the first relevant document; 0 without one (trec_eval recip_rank)."""

    name = "RR"
    summary = "reciprocal rank of the first relevant document"
    cutoff: int | None = None
    rel: int = 1

    def per_topic(self, ranking: Ranking) -> NDArray[np.float64]:
        """The measure's value for each topic."""
        found = ranking.up_to(self.cutoff).relevant(self.rel)
        values = np.zeros(ranking.judgments.n_topics)
        np.maximum.at(values, found.topic, 1.0 / found.rank)
        return values
