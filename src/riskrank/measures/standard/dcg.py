"""Discounted cumulative gain, not normalised."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from riskrank.errors import MeasureError
from riskrank.measures.measure import Measure, register
from riskrank.measures.swap_deltas import SwapDeltas, per_rank, usable_labels

if TYPE_CHECKING:
    from riskrank.data.ranking_data import RankingData
    from riskrank.measures.ranking import Judgments, Ranking
    from riskrank.measures.tied_ranking import TiedRanking
    from riskrank.typing import Floats

LARGEST_EXPONENT = 1000  # 2^1000 summed over any ranking is still a double


@register()
@dataclass(frozen=True, repr=False, eq=False)
class DCG(Measure):
    r"""Gain of each document, discounted by rank: :math:`\sum_{r \le k} g(l_r) / \log_2(1 + r)`.

    `dcg` and `gains` as in nDCG.
    """

    name = "DCG"
    summary = "discounted cumulative gain"
    is_smoother_deeper = True
    cutoff: int | None = None
    dcg: str | None = None
    gains: dict[int, float] | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        name, dcg, gains = self.name, self.dcg, self.gains
        if dcg not in (None, "log2", "exp-log2"):
            raise MeasureError(f"dcg of {name} must be 'log2' (gain = grade) or 'exp-log2' (2^grade − 1), got {dcg!r}.")
        if gains is None:
            return
        if dcg == "exp-log2":
            raise MeasureError(f"{name} takes either gains= or dcg='exp-log2', not both.")
        if not isinstance(gains, dict) or any(
            not isinstance(k, int) or not isinstance(v, int | float) or v < 0 for k, v in gains.items()
        ):
            raise MeasureError(f"gains of {name} must map grades to gains from 0, like {{1:1,2:3}}, got {gains!r}.")

    def describe(self, judgments: Judgments) -> str:
        if self.gains is not None:
            gains = "gains " + ", ".join(f"{grade}→{gain:g}" for grade, gain in sorted(self.gains.items()))
        else:
            gains = "gains 2^grade − 1" if self._is_exponential(judgments.source) else "gains = grade"
        return f"{self.summary}, {gains}"

    def per_topic(self, ranking: Ranking) -> Floats:
        top = ranking.up_to(self.cutoff)
        return top.sum(self.gain_of(top.grade, ranking.judgments.source) / np.log2(1.0 + top.rank))

    def over_ties(self, tied: TiedRanking) -> Floats:
        source = tied.documents.judgments.source
        return tied.positional(
            lambda grade: self.gain_of(grade, source), lambda rank: 1.0 / np.log2(1.0 + rank), self.cutoff
        )

    def swap_deltas(self, data: RankingData) -> SwapDeltas:
        """Gain × 1 / log2(1 + rank)."""
        discounts = per_rank(data, self.cutoff, lambda rank: 1.0 / np.log2(1.0 + rank))
        return SwapDeltas(self.gain_of(usable_labels(data), "labels"), discounts, np.ones(data.n_queries))

    def gain_of(self, grade: Floats, source: str) -> Floats:
        """What documents of these grades are worth, in judgments from qrels or labels."""
        if self.gains is not None:
            return np.array([float(self.gains.get(g, g)) for g in grade.tolist()])
        if not self._is_exponential(source):
            return grade
        highest = grade.max(initial=0.0)
        if highest > LARGEST_EXPONENT:
            raise MeasureError(f"grade {highest:g} is too large for gains 2^grade − 1. Use dcg='log2' or gains=.")
        gain: Floats = np.exp2(grade) - 1
        return gain

    def _is_exponential(self, source: str) -> bool:
        return self.dcg == "exp-log2" or (self.dcg is None and source == "labels")
