"""Normalised discounted cumulative gain."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from riskrank.measures.measure import Measure, register
from riskrank.measures.ranking import Judgments, Ranking, ratio
from riskrank.measures.standard.dcg import (
    describe_gains,
    discounted_gains,
    gain_rule,
    ideal_gains,
    log_discounts,
    training_gains,
)
from riskrank.measures.swap_deltas import SwapDeltas, best_total, inverse

if TYPE_CHECKING:
    from riskrank.data.ranking_data import RankingData
    from riskrank.typing import Floats


@register("ndcg_cut")
@dataclass(frozen=True, repr=False, eq=False)
class nDCG(Measure):
    r"""DCG over the DCG of the best possible ranking.

    .. math:: \mathrm{nDCG@}k = \frac{\sum_{r \le k} g(l_r) / \log_2(1 + r)}{\text{the same, best first}}

    Järvelin and Kekäläinen 2002. `dcg` chooses the gain g: ``'log2'`` is the grade itself (trec_eval),
    ``'exp-log2'`` is 2^grade − 1 (Burges et al. 2005; gdeval, LightGBM, XGBoost). Without it, the plain name means
    what each community expects: linear on TREC judgments, exponential on labelled feature data.
    `gains` maps grades to gains of your own; grades it does not name are their own gain.
    """

    name = "nDCG"
    summary = "normalised discounted cumulative gain"
    is_smoother_deeper = True
    cutoff: int | None = None
    dcg: str | None = None
    gains: dict[int, float] | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        gain_rule(self.name, self.dcg, self.gains)

    def describe(self, judgments: Judgments) -> str:
        """Name the gains, which differ between communities."""
        return f"{self.summary}, {describe_gains(self.dcg, self.gains, judgments)}"

    def per_topic(self, ranking: Ranking) -> Floats:
        judgments = ranking.judgments
        best = judgments.once(str(self), lambda: ideal_gains(judgments, self.cutoff, self.dcg, self.gains))
        return ratio(discounted_gains(ranking, self.cutoff, self.dcg, self.gains), best)

    def swap_deltas(self, data: RankingData) -> SwapDeltas:
        """Gain × 1 / log2(1 + rank) over the best total."""
        gains = training_gains(data, self.dcg, self.gains)
        discounts = log_discounts(data, self.cutoff)
        return SwapDeltas(gains, discounts, inverse(best_total(gains, discounts, data)))
