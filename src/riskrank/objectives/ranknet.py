"""RankNet: every pair of differently labelled documents counts the same."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from riskrank.measures import Measure  # noqa: TC001 (a dataclass field)
from riskrank.measures.standard.pair_accuracy import PairAccuracy
from riskrank.objectives.objective import Objective, register

if TYPE_CHECKING:
    from riskrank.kernels.state import Query, TrainingState


@register
@dataclass(frozen=True, repr=False)
class RankNet(Objective):
    """Weight 1 for every pair. Burges et al. 2005; 2006, Eq. 3.

    The measure says which pairs there are: with the pairwise accuracy, all of different labels.
    """

    measure: Measure | str = "PairAccuracy"

    name = "ranknet"
    summary = "every pair of differently labelled documents counts the same"
    needs_baseline = False

    @property
    def counts_pairs(self) -> bool:
        """As it was published; such gradients need no loop over the pairs."""
        return self.truncation is None and self.normalise == "none" and isinstance(self.measure, PairAccuracy)

    @staticmethod
    def target(delta: float, query: Query, training: TrainingState) -> float:
        return 1.0 if delta > 0.0 else (-1.0 if delta < 0.0 else 0.0)
