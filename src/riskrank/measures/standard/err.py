"""Expected reciprocal rank."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from riskrank.errors import MeasureError
from riskrank.measures.measure import Measure, register
from riskrank.measures.ranking import in_step
from riskrank.measures.standard.dcg import LARGEST_EXPONENT
from riskrank.measures.swap_deltas import SwapDeltas, per_rank, tied_stops, total, usable_labels

if TYPE_CHECKING:
    from riskrank.data.ranking_data import RankingData
    from riskrank.measures.ranking import Judgments, Ranking
    from riskrank.measures.tied_ranking import TiedRanking
    from riskrank.typing import Floats, Integers

USUAL_HIGHEST = 4  # the top grade of gdeval, RankLib and the web tracks


@register()
@dataclass(frozen=True, repr=False, eq=False)
class ERR(Measure):
    r"""Expected reciprocal of the rank at which a user is satisfied.

    .. math:: \sum_{r \le k} \frac{1}{r} R_r \prod_{i<r} (1 - R_i) ,\quad R = (2^l - 1) / 2^{l_{max}}

    Chapelle et al. 2009. `max_rel` is the scale's highest grade; without it, 4 (as gdeval and RankLib have it)
    or, if there are higher grades in the judgments, the highest.
    """

    name = "ERR"
    summary = "expected reciprocal rank"
    largest = 1.0
    is_smoother_deeper = True
    cutoff: int | None = None
    max_rel: int | None = None

    def describe(self, judgments: Judgments) -> str:
        return f"{self.summary}, grades 0 to {self._top_of_scale(judgments.highest):g}"

    def per_topic(self, ranking: Ranking) -> Floats:
        highest = self._top_of_scale(ranking.judgments.highest)
        relevant = ranking.up_to(self.cutoff).relevant(np.nextafter(0, 1))
        satisfied = _satisfied(relevant.grade, highest)
        left = np.ones(ranking.judgments.n_topics)
        value = np.zeros(ranking.judgments.n_topics)
        counts, starts = relevant.count(), relevant.starts
        for topics, step in in_step(counts):
            at = starts[topics] + step
            value[topics] += left[topics] * satisfied[at] / relevant.rank[at]
            left[topics] *= 1 - satisfied[at]
        return value

    def over_ties(self, tied: TiedRanking) -> Floats:
        documents = tied.documents
        highest = self._top_of_scale(documents.judgments.highest)
        stops = tied.stops(_satisfied(np.maximum(documents.grade, 0.0), highest))
        return tied.sum(stops / documents.rank, self.cutoff)

    def swap_deltas(self, data: RankingData) -> SwapDeltas:
        """By running products of the chances that the user goes on."""
        labels = usable_labels(data)
        highest = self._top_of_scale(max(data.highest_label, 0.0))
        scale = np.where(total(labels, data) > 0, highest, 0.0)
        return SwapDeltas(
            labels, per_rank(data, self.cutoff, lambda rank: 1.0 / rank), scale, _value, _delta, 4, _tied_value
        )

    def _top_of_scale(self, highest_grade: float) -> float:
        if self.max_rel is None:
            highest = max(float(USUAL_HIGHEST), highest_grade)
        elif highest_grade > self.max_rel:
            raise MeasureError(f"max_rel of ERR is {self.max_rel}, but there is a grade {highest_grade:g}.")
        else:
            highest = float(self.max_rel)
        if highest > LARGEST_EXPONENT:
            raise MeasureError(f"grade {highest:g} is too large for ERR's 2^grade.")
        return highest


def _satisfied(grade: Floats, highest: float) -> Floats:
    satisfied: Floats = np.exp2(grade - highest) - np.exp2(-highest)
    return satisfied


def _value(gains: Floats, discounts: Floats, norm: float, work: Floats) -> float:
    """The value; `work` keeps the chance to reach each rank, the value before it, and the chances to stop and go on.

    `gains` are grades and `norm` is the highest: 1 − R would round to 0 for the highest of many grades.
    """
    left, value, least = 1.0, 0.0, 2.0**-norm
    for r in range(len(gains)):
        share = 2.0 ** (gains[r] - norm)
        stop, go_on = share - least, (1.0 - share) + least
        work[0, r], work[1, r], work[2, r], work[3, r] = left, value, stop, go_on
        value += left * stop * discounts[r]
        left *= go_on
    return value


def _delta(a: int, b: int, _gains: Floats, discounts: Floats, _norm: float, work: Floats) -> float:
    between, reach = 0.0, 1.0  # what the ranks between give those who come past a, and how many come past them
    past = work[0, a + 1]
    if past < 1e-290:  # nobody comes here
        reach = 0.0
    elif work[3, a] > 1e-5:
        between, reach = (work[1, b] - work[1, a + 1]) / past, work[0, b] / past
    else:  # hardly anybody comes past a: the running sums have lost what follows
        for r in range(a + 1, b):
            between += reach * work[2, r] * discounts[r]
            reach *= work[3, r]
    at_a = (work[2, b] - work[2, a]) * discounts[a]
    at_b = (work[3, b] * work[2, a] - work[3, a] * work[2, b]) * reach * discounts[b]
    delta: float = work[0, a] * (at_a + (work[3, b] - work[3, a]) * between + at_b)
    return delta


def _tied_value(gains: Floats, ends: Integers, discounts: Floats, norm: float, work: Floats) -> float:
    for r in range(len(gains)):
        work[0, r] = (1.0 - 2.0 ** (gains[r] - norm)) + 2.0**-norm
    return tied_stops(work[0, : len(gains)], ends, discounts, work[1], work[2])
