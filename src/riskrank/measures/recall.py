"""Recall."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from riskrank.measures.measure import Measure, register
from riskrank.measures.ranking import Ranking, ratio

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@register("recall")
@dataclass(frozen=True, repr=False, eq=False)
class R(Measure):
    """Share of the relevant documents that stand in the first k."""

    name = "R"
    summary = "recall"
    needs_cutoff = True
    cutoff: int | None = None
    rel: int = 1

    def per_topic(self, ranking: Ranking) -> NDArray[np.float64]:
        """The measure's value for each topic."""
        found = ranking.up_to(self.cutoff).relevant(self.rel)
        return ratio(found.count(), ranking.judgments.count(self.rel))
