"""Rank-biased precision."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from riskrank.errors import MeasureError
from riskrank.measures.measure import Measure, register
from riskrank.measures.swap_deltas import SwapDeltas, is_relevant, per_rank, usable_labels
from riskrank.parameters import inside

if TYPE_CHECKING:
    from riskrank.data.ranking_data import RankingData
    from riskrank.measures.ranking import Judgments, Ranking
    from riskrank.measures.tied_ranking import TiedRanking
    from riskrank.typing import Floats


@register()
@dataclass(frozen=True, repr=False, eq=False)
class RBP(Measure):
    r"""Gain seen by a user who goes on to the next rank with probability p: :math:`(1-p) \sum_r g_r p^{r-1}`.

    Moffat and Zobel 2008. With `rel` the gain is 1 from that grade on; without it, the grade over the highest
    grade in the judgments.
    """

    name = "RBP"
    summary = "rank-biased precision"
    largest = 1.0
    cutoff: int | None = None
    p: float = 0.8
    rel: int | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        inside("p of RBP", self.p, 0, 1, error=MeasureError)

    def describe(self, judgments: Judgments) -> str:
        gains = f"grade / {judgments.highest:g}" if self.rel is None else f"1 from grade {self.rel}"
        return f"{self.summary}, gains {gains}"

    def per_topic(self, ranking: Ranking) -> Floats:
        top = ranking.up_to(self.cutoff)
        gain = self._gain(top.grade, ranking.judgments)
        with np.errstate(under="ignore"):
            return (1 - self.p) * top.sum(gain * self.p ** (top.rank - 1.0))

    def over_ties(self, tied: TiedRanking) -> Floats:
        judgments = tied.documents.judgments
        with np.errstate(under="ignore"):
            return (1 - self.p) * tied.positional(
                lambda grade: self._gain(grade, judgments), lambda rank: self.p ** (rank - 1.0), self.cutoff
            )

    def swap_deltas(self, data: RankingData) -> SwapDeltas:
        """Gain × (1 − p) p^(rank − 1)."""
        labels = usable_labels(data)
        highest = max(data.highest_label, 0.0) or 1.0
        gains = labels / highest if self.rel is None else is_relevant(data, self.rel)
        discounts = per_rank(data, self.cutoff, lambda rank: (1.0 - self.p) * self.p ** (rank - 1.0))
        return SwapDeltas(gains, discounts, np.ones(data.n_queries))

    def _gain(self, grade: Floats, judgments: Judgments) -> Floats:
        if self.rel is None:
            return grade / max(judgments.highest, np.finfo(float).tiny)
        return (grade >= self.rel).astype(np.float64)
