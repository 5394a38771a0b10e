"""Average precision."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from riskrank.measures.measure import Measure, register
from riskrank.measures.ranking import Ranking, ratio

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@register("map", "map_cut")
@dataclass(frozen=True, repr=False, eq=False)
class AP(Measure):
    """Mean of the precision at each relevant document; those not retrieved count 0 (trec_eval map)."""

    name = "AP"
    summary = "average precision"
    cutoff: int | None = None
    rel: int = 1

    def per_topic(self, ranking: Ranking) -> NDArray[np.float64]:
        """The measure's value for each topic."""
        found = ranking.up_to(self.cutoff).relevant(self.rel)
        so_far = found.before(found.grade >= self.rel) + 1
        return ratio(found.sum(so_far / found.rank), ranking.judgments.count(self.rel))
