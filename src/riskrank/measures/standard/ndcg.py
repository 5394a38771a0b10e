"""Normalised discounted cumulative gain."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from riskrank.measures.measure import register
from riskrank.measures.ranking import Judgments, Ranking, add_up, ratio
from riskrank.measures.standard.dcg import DCG
from riskrank.measures.swap_deltas import SwapDeltas, best_total, inverse

if TYPE_CHECKING:
    from riskrank.data.ranking_data import RankingData
    from riskrank.measures.tied_ranking import TiedRanking
    from riskrank.typing import Floats


@register("ndcg_cut")
class nDCG(DCG):
    r"""DCG over the DCG of the best possible ranking.

    .. math:: \mathrm{nDCG@}k = \frac{\sum_{r \le k} g(l_r) / \log_2(1 + r)}{\text{the same, best first}}

    Järvelin and Kekäläinen 2002. `dcg` chooses the gain g: ``'log2'`` is the grade itself (trec_eval),
    ``'exp-log2'`` is 2^grade − 1 (Burges et al. 2005; gdeval, LightGBM, XGBoost). Without it, the plain name means
    what each community expects: linear on TREC judgments, exponential on labelled feature data.
    `gains` maps grades to gains of your own; grades it does not name are their own gain.
    """

    name = "nDCG"
    summary = "normalised discounted cumulative gain"
    largest = 1.0

    def per_topic(self, ranking: Ranking) -> Floats:
        return self._normalised(super().per_topic(ranking), ranking.judgments)

    def over_ties(self, tied: TiedRanking) -> Floats:
        return self._normalised(super().over_ties(tied), tied.documents.judgments)

    def swap_deltas(self, data: RankingData) -> SwapDeltas:
        """Gain × 1 / log2(1 + rank) over the best total."""
        dcg = super().swap_deltas(data)
        return replace(dcg, norm=inverse(best_total(dcg.gains, dcg.discounts, data)))

    def _normalised(self, dcg: Floats, judgments: Judgments) -> Floats:
        return ratio(dcg, judgments.once(str(self), lambda: self._best(judgments)))

    def _best(self, judgments: Judgments) -> Floats:
        """DCG of the ranking by gain."""
        gain = self.gain_of(judgments.grade, judgments.source)
        if self.gains is not None:  # the best grade need not have the best gain
            gain = gain[np.lexsort((-gain, judgments.topic))]
        rank = judgments.rank
        keep = rank <= (self.cutoff or len(rank))
        return add_up(judgments.topic[keep], gain[keep] / np.log2(1.0 + rank[keep]), judgments.n_topics)
