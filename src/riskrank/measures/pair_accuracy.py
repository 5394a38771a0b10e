"""Pairwise accuracy."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from riskrank.measures.measure import Measure, register
from riskrank.measures.ranking import Judgments, Ranking, ratio

if TYPE_CHECKING:
    from numpy.typing import NDArray


@register("pairwise", "pairwiseaccuracy")
@dataclass(frozen=True, repr=False, eq=False)
class PairAccuracy(Measure):
    """Share of pairs of differently graded documents that stand in the right order.

    Judged documents that were not retrieved stand below all retrieved ones; a pair of which neither was
    retrieved is not in the right order. Topics whose documents all have one grade score 0.
    """

    name = "PairAccuracy"
    summary = "share of differently graded pairs in the right order"

    def per_topic(self, ranking: Ranking) -> NDArray[np.float64]:
        """The measure's value for each topic."""
        judgments = ranking.judgments
        right = np.zeros(judgments.n_topics)
        # Once per grade: how many better documents stand above each document of this grade, and how many of
        # this grade were not retrieved and so stand below every better one that was.
        for grade in np.unique(judgments.grade):
            here = ranking.grade == grade
            better = ranking.grade > grade
            above = ranking.before(better)[here]
            right += np.bincount(ranking.topic[here], weights=above, minlength=judgments.n_topics)
            of_grade = _count(judgments, judgments.grade == grade)
            missed = of_grade - np.bincount(ranking.topic[here], minlength=judgments.n_topics)
            right += missed * np.bincount(ranking.topic[better], minlength=judgments.n_topics)
        total = _count(judgments, np.ones(len(judgments.topic), bool)).astype(np.float64)
        pairs = total**2
        for grade in np.unique(judgments.grade):
            pairs -= _count(judgments, judgments.grade == grade).astype(np.float64) ** 2
        return ratio(right, pairs / 2)


def _count(judgments: Judgments, flag: NDArray[np.bool_]) -> NDArray[np.int64]:
    return np.bincount(judgments.topic[flag], minlength=judgments.n_topics)
