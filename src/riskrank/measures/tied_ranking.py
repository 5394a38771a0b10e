"""Tied scores in feature data: a measure's mean over all orders of the tied documents.

McSherry and Najork 2008, *Computing Information Retrieval Performance Measures Efficiently in the Presence of Tied
Scores*. The order of a file says nothing about a ranker, and may be that of the labels.
"""

from __future__ import annotations

import zlib
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from riskrank.data.hashing import hashed
from riskrank.measures.ranking import NOTHING, Ranking, in_step, ratio

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.typing import ArrayLike

    from riskrank.typing import Floats, Integers

SHUFFLES = 200  # orders that stand for all, for measures without a closed form
SALT = 0x71ED


@dataclass(frozen=True, eq=False)
class TiedRanking:
    """The topics of a ranking in which documents of different grades have the same score.

    `documents` are all that these topics retrieve, those that are not judged (grade −1) too: they take up ranks. Tied
    ones stand best first, so that nothing depends on the order of the data. `starts` are where ties begin among them; a
    document whose score no other has is a tie of its own.
    """

    documents: Ranking
    starts: Integers

    def relevant(self, rel: float) -> Floats:
        """1 for documents of at least this grade, else 0."""
        return (self.documents.grade >= rel).astype(np.float64)

    def sum(self, values: Floats, cutoff: int | None) -> Floats:
        """Values at ranks down to a cut-off, added up per topic."""
        documents = self.documents
        return documents.sum(values if cutoff is None else np.where(documents.rank <= cutoff, values, 0.0))

    @cached_property
    def topics(self) -> Integers:
        """Which topics these are."""
        return np.unique(self.documents.topic)

    @cached_property
    def sizes(self) -> Integers:
        """How many documents each tie has."""
        return np.diff(np.append(self.starts, len(self.documents.topic)))

    @cached_property
    def tie(self) -> Integers:
        """The number of each document's tie."""
        return np.repeat(np.arange(len(self.starts)), self.sizes)

    def total(self, values: Floats) -> Floats:
        """For each document, the values of its tie added up."""
        return np.add.reduceat(values, self.starts)[self.tie]

    def mean(self, values: Floats) -> Floats:
        """For each document, the mean value of its tie."""
        return self.total(values) / self.sizes[self.tie]

    def positional(
        self, gain: Callable[[Floats], ArrayLike], discount: Callable[[Integers], ArrayLike], cutoff: int | None
    ) -> Floats:
        """The mean of Σ gain(grade) × discount(rank) down to a cut-off, per topic.

        A document is as often at each rank of its tie, so its gain counts with the mean discount of these ranks.
        """
        documents = self.documents
        judged = documents.grade >= 0
        is_seen = documents.rank <= (cutoff or np.inf)
        discounts = self.mean(np.where(is_seen, discount(documents.rank), 0.0))
        gains = np.zeros(len(judged))
        gains[judged] = gain(documents.grade[judged])
        return documents.sum(gains * discounts)

    def stops(self, chance: Floats) -> Floats:
        r"""The mean chance that a user who reads from the top stops at each rank; a document stops them by `chance`.

        They pass the first j of n tied documents, which are any j of them, with the mean chance

        .. math:: S_j = \binom{n}{j}^{-1} \sum_{|A|=j} \prod_{i \in A} (1 - c_i)

        and stop at the j-th with :math:`S_{j-1} - S_j`.
        """
        passed = np.empty(len(chance))  # S_j at each rank
        order = np.argsort(self.sizes, kind="stable")
        for ties in np.split(order, np.flatnonzero(np.diff(self.sizes[order])) + 1):
            at = self.starts[ties, None] + np.arange(self.sizes[ties[0]])
            passed[at] = _mean_products(1 - chance[at])
        before = np.concatenate([[1.0], passed[:-1]])
        before[self.starts] = 1.0
        return self._reached(passed[self.starts + self.sizes - 1])[self.tie] * (before - passed)

    def _reached(self, passed: Floats) -> Floats:
        """The chance to reach each tie, from the chances to pass each."""
        topic = self.documents.topic[self.starts]
        first, n_ties = np.searchsorted(topic, self.topics), np.bincount(topic)[self.topics]
        reached = np.ones(len(passed))
        for topics, step in in_step(n_ties):
            if step:
                at = first[topics] + step
                reached[at] = reached[at - 1] * passed[at - 1]
        return reached

    @cached_property
    def _tied(self) -> Integers:
        """Documents whose score another has: often few."""
        return np.flatnonzero(self.sizes[self.tie] > 1)

    def ordered(self, key: Floats) -> Ranking:
        """The ranking in which tied documents stand by a key, the smallest first; judged documents, as in any."""
        documents, grade, tied = self.documents, self.documents.grade.copy(), self._tied
        grade[tied] = grade[tied[np.lexsort((key[tied], self.tie[tied]))]]
        judged = grade >= 0
        topic, rank = documents.topic[judged], documents.rank[judged]
        return Ranking(documents.judgments, topic, rank, grade[judged], documents.retrieved)

    def shuffles(self) -> Iterator[Ranking]:
        """Random orders of the tied documents, each followed by its reverse; a topic always has the same ones."""
        documents, names = self.documents, self.documents.judgments.topics
        ids = np.zeros(len(names), np.int64)
        ids[self.topics] = [zlib.crc32(names[i].encode(errors="backslashreplace")) for i in self.topics]
        for number in range(SHUFFLES // 2):
            key = hashed(ids[documents.topic] + (number << 32), documents.rank, salt=SALT)
            yield self.ordered(key)
            yield self.ordered(-key)


def _mean_products(factors: Floats) -> Floats:
    """For each row, the mean product of 1, 2, … of its numbers, from 0 to 1, over all choices of that many.

    Where h of j chosen numbers are below 1, only these matter: it is their mean product, by how likely there are h.
    The mean product of h numbers is at most the h-th power of their mean (Maclaurin), so that large h count nothing,
    and the time is in proportion to the numbers.
    """
    below = (factors < 1).sum(axis=1)
    mean = 1 - ratio((1 - factors).sum(axis=1), below)
    depth = int(np.minimum(below, np.ceil(np.log(NOTHING) / np.log(np.clip(mean, 1e-300, 1 - 1e-15)))).max())
    smallest = np.sort(factors, axis=1)
    products = np.zeros((len(factors), depth + 1))  # of h numbers below 1
    products[:, 0] = 1.0
    for n in range(1, int(below.max()) + 1):  # h of n numbers have the n-th among them with chance h / n
        rows, most = below >= n, min(n, depth)
        share = np.arange(1, most + 1) / n
        kept, added = products[rows, 1 : most + 1], products[rows, :most] * smallest[rows, n - 1 : n]
        products[rows, 1 : most + 1] = (1 - share) * kept + share * added
    chosen = np.zeros_like(products)  # how likely h of the chosen numbers are below 1
    chosen[:, 0] = 1.0
    left = np.maximum(below[:, None] - np.arange(depth + 1), 0)
    means = np.empty(factors.shape)
    for j in range(factors.shape[1]):
        more = chosen * (left / (factors.shape[1] - j))
        chosen *= 1 - left / (factors.shape[1] - j)
        chosen[:, 1:] += more[:, :-1]
        means[:, j] = np.einsum("ij,ij->i", chosen, products)
    return means
