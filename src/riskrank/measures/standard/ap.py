"""Average precision."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from riskrank.measures.measure import Measure, register
from riskrank.measures.ranking import Ranking, ratio
from riskrank.measures.swap_deltas import SwapDeltas, inverse, is_relevant, per_rank, total

if TYPE_CHECKING:
    from riskrank.data.ranking_data import RankingData
    from riskrank.measures.tied_ranking import TiedRanking
    from riskrank.typing import Floats, Integers


@register("map", "map_cut")
@dataclass(frozen=True, repr=False, eq=False)
class AP(Measure):
    """Mean of the precision at each relevant document; those not retrieved count 0 (trec_eval map)."""

    name = "AP"
    summary = "average precision"
    largest = 1.0
    cutoff: int | None = None
    rel: int = 1

    def per_topic(self, ranking: Ranking) -> Floats:
        relevant = ranking.up_to(self.cutoff).relevant(self.rel)
        so_far = relevant.before(relevant.grade >= self.rel) + 1
        return ratio(relevant.sum(so_far / relevant.rank), ranking.judgments.count(self.rel))

    def over_ties(self, tied: TiedRanking) -> Floats:
        r"""Per rank, the chance of a relevant document there × the mean precision if there is one.

        .. math:: \frac{r}{n} \cdot \frac{1}{k} \left(1 + a + (j - 1) \frac{r - 1}{n - 1}\right)

        at rank k, the j-th of a tie of n documents, r of them relevant, with a relevant documents above the tie.
        McSherry and Najork 2008.
        """
        documents = tied.documents
        relevant = tied.relevant(self.rel)
        of_tie, size = tied.total(relevant), tied.sizes[tied.tie]
        first = tied.starts[tied.tie]
        tied_above = documents.rank - documents.rank[first]
        above = documents.before(relevant > 0)[first] + tied_above * ratio(of_tie - 1, size - 1)
        value = of_tie / size * (1 + above) / documents.rank
        return ratio(tied.sum(value, self.cutoff), documents.judgments.count(self.rel))

    def swap_deltas(self, data: RankingData) -> SwapDeltas:
        """By running sums of relevant documents and of 1 / rank over them."""
        relevant = is_relevant(data, self.rel)
        discounts = per_rank(data, self.cutoff, lambda rank: 1.0 / rank)
        return SwapDeltas(relevant, discounts, inverse(total(relevant, data)), _value, _delta, 2, _tied_value)


def _value(gains: Floats, discounts: Floats, norm: float, work: Floats) -> float:
    """The value; `work` keeps, up to each rank, the number of relevant documents and their sum of 1 / rank."""
    count, reciprocals, value = 0.0, 0.0, 0.0
    for r in range(len(gains)):
        if gains[r] > 0.0:
            count += 1.0
            reciprocals += discounts[r]
            value += count * discounts[r]
        work[0, r], work[1, r] = count, reciprocals
    return value * norm


def _delta(a: int, b: int, gains: Floats, discounts: Floats, norm: float, work: Floats) -> float:
    between = work[1, b - 1] - work[1, a]  # each relevant document between loses or gains one above it
    delta: float
    if gains[a] > gains[b]:  # three returns: a single one at the end makes the compiled loop half as fast
        delta = work[0, b] * discounts[b] - work[0, a] * discounts[a] - between
        return norm * delta
    if gains[b] > gains[a]:
        delta = (work[0, a] + 1.0) * discounts[a] + between - work[0, b] * discounts[b]
        return norm * delta
    return 0.0


def _tied_value(gains: Floats, ends: Integers, discounts: Floats, norm: float, _work: Floats) -> float:
    """As `AP.over_ties`."""
    above, value, begin = 0.0, 0.0, 0
    while begin < len(gains):
        size, relevant = ends[begin] - begin, 0.0
        for r in range(begin, ends[begin]):
            relevant += gains[r]
        for r in range(begin, ends[begin]):
            tied_above = (r - begin) * (relevant - 1.0) / max(size - 1, 1)
            value += relevant / size * (1.0 + above + tied_above) * discounts[r]
        above += relevant
        begin = ends[begin]
    return value * norm
