"""Precision."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from riskrank.measures.measure import Measure, register

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from riskrank.measures.ranking import Ranking


@register("precision")
@dataclass(frozen=True, repr=False, eq=False)
class P(Measure):
    """Share of relevant documents in the first k; missing ranks count as not relevant."""

    name = "P"
    summary = "precision"
    needs_cutoff = True
    cutoff: int | None = None
    rel: int = 1

    def per_topic(self, ranking: Ranking) -> NDArray[np.float64]:
        """The measure's value for each topic."""
        assert self.cutoff is not None  # noqa: S101 (needs_cutoff)
        return ranking.up_to(self.cutoff).relevant(self.rel).count() / self.cutoff
