"""Success: is there any relevant document at the top?"""

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


@register("wta", wta={"cutoff": 1})
@dataclass(frozen=True, repr=False, eq=False)
class Success(Measure):
    """1 if one of the first k documents is relevant, else 0. WTA (winner takes all) is Success@1."""

    name = "Success"
    summary = "success"
    needs_cutoff = True
    cutoff: int | None = None
    rel: int = 1

    def per_topic(self, ranking: Ranking) -> Floats:
        """The measure's value for each topic."""
        return (ranking.up_to(self.cutoff).relevant(self.rel).count() > 0).astype(np.float64)

    def swaps(self, data: RankingData) -> Swaps:
        """A swap matters when it brings in the only relevant document, or takes it out."""
        relevant = is_relevant(data, self.rel)
        norm = (total(relevant, data) > 0).astype(np.float64)
        return Swaps(relevant, per_rank(data, self.cutoff, lambda _: 1.0), norm, _prepare, _change, 1)


def _prepare(gains, discounts, norm, work):  # type: ignore[no-untyped-def] # noqa: ARG001 (compiled)
    """The value; `work` keeps the number of relevant documents within the cut-off."""
    found = 0.0
    for r in range(len(gains)):
        found += gains[r] * discounts[r]
    work[0, 0] = found
    return min(found, 1.0)


def _change(a, b, gains, discounts, norm, work):  # type: ignore[no-untyped-def] # noqa: ARG001 (compiled)
    found = work[0, 0] + (gains[b] - gains[a]) * (discounts[a] - discounts[b])
    return min(found, 1.0) - min(work[0, 0], 1.0)
