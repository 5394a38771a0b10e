"""Binary preference."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from riskrank.measures.measure import Measure, register
from riskrank.measures.ranking import Ranking, ratio

if TYPE_CHECKING:
    from riskrank.typing import Floats


@register()
@dataclass(frozen=True, repr=False, eq=False)
class Bpref(Measure):
    r"""How rarely judged non-relevant documents stand above relevant ones; unjudged ones are ignored.

    .. math:: \frac{1}{R} \sum_r 1 - \frac{\min(n_r, R)}{\min(N, R)}

    with n_r the judged non-relevant documents above r. Buckley and Voorhees 2004, as trec_eval computes it.
    """

    name = "Bpref"
    summary = "binary preference"
    largest = 1.0
    rel: int = 1

    def per_topic(self, ranking: Ranking) -> Floats:
        judgments = ranking.judgments
        relevant = judgments.count(self.rel)
        other = judgments.count(0) - relevant
        is_relevant = ranking.grade >= self.rel
        above = ranking.before(~is_relevant)[is_relevant]
        retrieved = ranking.relevant(self.rel)
        pool = np.minimum(other, relevant)[retrieved.topic]
        kept = 1 - ratio(np.minimum(above, relevant[retrieved.topic]), pool)
        return ratio(retrieved.sum(kept), relevant)
