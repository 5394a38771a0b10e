"""Pairwise accuracy."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from riskrank.measures.measure import Measure, register
from riskrank.measures.ranking import Ranking, add_up, ratio
from riskrank.measures.swap_deltas import SwapDeltas, inverse, per_rank, usable_labels

if TYPE_CHECKING:
    from riskrank.data.ranking_data import RankingData
    from riskrank.measures.tied_ranking import TiedRanking
    from riskrank.typing import Floats, Integers

FEW_LEVELS = 64  # up to this many different labels, their counts are kept rank by rank


@register("pairwise", "pairwiseaccuracy")
@dataclass(frozen=True, repr=False, eq=False)
class PairAccuracy(Measure):
    """Share of pairs of differently graded documents that stand in the right order.

    Judged documents that were not retrieved stand below all retrieved ones; a pair of which neither was
    retrieved is not in the right order. Topics whose documents all have one grade score 0.
    """

    name = "PairAccuracy"
    summary = "share of differently graded pairs in the right order"
    largest = 1.0

    def per_topic(self, ranking: Ranking) -> Floats:
        judgments = ranking.judgments
        right, pairs = np.zeros(judgments.n_topics), np.zeros(judgments.n_topics)
        grades, judged_level = np.unique(judgments.grade, return_inverse=True)
        level, n_bits = np.searchsorted(grades, ranking.grade), (len(grades) - 1).bit_length()
        # Judgments are sorted by topic and grade, so that those that are alike stand together.
        place = np.searchsorted((judgments.topic << n_bits) - judged_level, (ranking.topic << n_bits) - level)
        # Two levels differ first at one bit: there, and among documents that are alike before it, 1 is better than 0.
        for bit in range(n_bits):
            alike = (judgments.topic << n_bits) - (judged_level >> bit + 1)
            is_first = np.diff(alike, prepend=-1 << n_bits) != 0
            judged, topic = np.cumsum(is_first) - 1, judgments.topic[is_first]
            group, is_better, better = judged[place], (level >> bit & 1) == 1, (judged_level >> bit & 1) == 1
            order = np.argsort(group, kind="stable")
            above = np.cumsum(is_better[order], dtype=np.float64)
            n_better = _counts(group[is_better], topic)
            above -= (np.cumsum(n_better) - n_better)[group[order]]
            n_right = np.bincount(group[order], weights=above * ~is_better[order], minlength=len(topic))
            worse = _counts(judged[~better], topic)
            missed = worse - _counts(group[~is_better], topic)
            right += add_up(topic, n_right + missed * n_better, judgments.n_topics)
            pairs += add_up(topic, worse * _counts(judged[better], topic), judgments.n_topics)
        return ratio(right, pairs)

    def over_ties(self, tied: TiedRanking) -> Floats:
        """Tied pairs count one half: they are right in the best order and wrong in the worst."""
        grade = tied.documents.grade
        return (self.per_topic(tied.ordered(-grade)) + self.per_topic(tied.ordered(grade))) / 2

    def swap_deltas(self, data: RankingData) -> SwapDeltas:
        """A swap also turns the pairs with every document between the two."""
        levels, level = np.unique(usable_labels(data), return_inverse=True)
        gains = level.astype(np.float64)
        sizes = np.diff(data.query_offsets).astype(np.float64)
        norm = inverse((sizes**2 - _same_label(gains, data)) / 2)
        none = per_rank(data, None, lambda _: 0.0)
        if len(levels) > FEW_LEVELS:
            return SwapDeltas(gains, none, norm, _value_slowly, _delta_slowly, tied_value=_tied_value_slowly)
        return SwapDeltas(gains, none, norm, _value, _delta, len(levels), _tied_value)


def _counts(group: Integers, topic: Integers) -> Floats:
    """How many documents each group has; there are as many groups as topics are given."""
    return np.bincount(group, minlength=len(topic)).astype(np.float64)


def _same_label(gains: Floats, data: RankingData) -> Floats:
    """Ordered pairs of equally labelled documents per query, each document with itself included."""
    query = data.query_numbers
    order = np.lexsort((gains, query))
    is_new = (np.diff(gains[order], prepend=np.nan) != 0) | (np.diff(query[order], prepend=-1) != 0)
    starts = np.flatnonzero(is_new)
    counts = np.diff(np.append(starts, len(gains))).astype(np.float64)
    return add_up(query[order][starts], counts**2, data.n_queries)


def _value(gains: Floats, _discounts: Floats, norm: float, work: Floats) -> float:
    """The value; `work` keeps, per level and rank, how many documents above are worse, minus how many are better."""
    right = 0.0
    for level in range(len(work)):
        worse, better = 0.0, 0.0
        for r in range(len(gains)):
            work[level, r] = worse - better
            if gains[r] == level:
                right += better
            elif gains[r] < level:
                worse += 1.0
            else:
                better += 1.0
        work[level, len(gains)] = worse - better
    return right * norm


def _delta(a: int, b: int, gains: Floats, _discounts: Floats, norm: float, work: Floats) -> float:
    low, high = int(gains[a]), int(gains[b])
    of_b = work[high, b] - work[high, a + 1]
    of_a = work[low, b] - work[low, a + 1]
    delta: float = of_b - of_a + (high > low) - (high < low)
    return norm * delta


def _value_slowly(gains: Floats, _discounts: Floats, norm: float, _work: Floats) -> float:
    right = 0.0
    for r in range(len(gains)):
        for above in range(r):
            right += gains[above] > gains[r]
    return right * norm


def _delta_slowly(a: int, b: int, gains: Floats, _discounts: Floats, norm: float, _work: Floats) -> float:
    delta: float = 1.0 * (gains[b] > gains[a]) - (gains[b] < gains[a])
    for c in range(a + 1, b):
        delta += 1.0 * (gains[b] > gains[c]) - (gains[b] < gains[c])
        delta -= 1.0 * (gains[a] > gains[c]) - (gains[a] < gains[c])
    return norm * delta


def _tied_value(gains: Floats, ends: Integers, _discounts: Floats, norm: float, work: Floats) -> float:
    """Level by level, tie by tie: better documents above count one each, those in the same tie one half."""
    right = 0.0
    for level in range(len(work)):
        above, first = 0.0, 0
        while first < len(gains):
            here, better = 0.0, 0.0
            for r in range(first, ends[first]):
                if gains[r] == level:
                    here += 1.0
                elif gains[r] > level:
                    better += 1.0
            right += here * (above + 0.5 * better)
            above += better
            first = ends[first]
    return right * norm


def _tied_value_slowly(gains: Floats, ends: Integers, _discounts: Floats, norm: float, _work: Floats) -> float:
    right = 0.0
    for above in range(len(gains)):
        for r in range(above + 1, len(gains)):
            if r < ends[above]:  # tied pairs count one half
                right += 0.5 * (gains[above] != gains[r])
            else:
                right += gains[above] > gains[r]
    return right * norm
