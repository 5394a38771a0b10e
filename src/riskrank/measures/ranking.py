"""What a measure sees: for each topic, the judged documents that were retrieved, with rank and grade.

Unjudged documents only push others down, so ranks of judged ones are all that any measure needs.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from riskrank.measures.tied_ranking import TiedRanking
    from riskrank.typing import Booleans, Floats, Integers

NOTHING = 1e-18  # a chance so small that it changes no measure


@dataclass(frozen=True, eq=False)
class Judgments:
    """The grades of each topic's judged documents, best first; grades below 0 are left out.

    `source` is ``"qrels"`` for TREC judgments and ``"labels"`` for feature data: measures whose plain name
    means different things in the two communities ask it. `top` is the highest grade of all data, where these are the
    judgments of a share of them.
    """

    topics: tuple[str, ...]
    topic: Integers
    grade: Floats
    source: str
    top: float = 0.0
    _computed: dict[str, Floats] = field(default_factory=dict, repr=False)

    @classmethod
    def sorted(
        cls, topics: tuple[str, ...], topic: Integers, grade: Floats, source: str, *, top: float = 0.0
    ) -> Judgments:
        """From judgments in any order."""
        keep = grade >= 0
        topic, grade = topic[keep], grade[keep]
        order = np.lexsort((-grade, topic))
        return cls(topics, topic[order], grade[order], source, top)

    @property
    def n_topics(self) -> int:
        return len(self.topics)

    @cached_property
    def highest(self) -> float:
        """The highest grade of all topics."""
        return float(self.grade.max(initial=self.top))

    def count(self, rel: float) -> Integers:
        """How many documents of each topic have at least this grade."""
        return np.bincount(self.topic[self.grade >= rel], minlength=self.n_topics)

    @cached_property
    def rank(self) -> Integers:
        """Each document's rank in the best possible ranking, from 1."""
        starts = np.searchsorted(self.topic, np.arange(self.n_topics))
        return np.arange(len(self.topic)) - starts[self.topic] + 1

    def once(self, key: str, compute: Callable[[], Floats]) -> Floats:
        """A value that depends on the judgments only, computed once for all systems."""
        if key not in self._computed:
            self._computed[key] = compute()
        return self._computed[key]


@dataclass(frozen=True, eq=False)
class Ranking:
    """One system's retrieved and judged documents, by topic and then by rank (from 1).

    `retrieved` counts all retrieved documents of each topic, judged or not. `tied_ranks` are the (topic, rank)
    positions whose document has the same score as the next one. In feature data only ties between documents of
    different grades count; `ties` are the topics that have any: there a measure is a mean over the orders of the tied.
    """

    judgments: Judgments
    topic: Integers
    rank: Integers
    grade: Floats
    retrieved: Integers
    tied_ranks: tuple[Integers, Integers] | None = None
    ties: TiedRanking | None = None

    def up_to(self, cutoff: int | None) -> Ranking:
        """Only the first `cutoff` ranks."""
        return self if cutoff is None else self._where(self.rank <= cutoff)

    def relevant(self, rel: float) -> Ranking:
        """Only documents of at least this grade."""
        return self._where(self.grade >= rel)

    def sum(self, values: Floats) -> Floats:
        """Values of documents, added up per topic."""
        return add_up(self.topic, values, self.judgments.n_topics)

    def count(self) -> Integers:
        """Documents per topic."""
        return np.bincount(self.topic, minlength=self.judgments.n_topics)

    def before(self, flag: Booleans) -> Integers:
        """For each document, how many flagged ones of its topic stand above it."""
        running: Integers = np.cumsum(flag) - flag
        return running - running[self.starts[self.topic]] if len(self.topic) else running

    @cached_property
    def starts(self) -> Integers:
        """Where each topic's documents begin."""
        return np.searchsorted(self.topic, np.arange(self.judgments.n_topics))

    def ties_at(self, cutoff: int) -> int:
        """In how many topics the documents on both sides of a cut-off have equal scores."""
        if self.tied_ranks is None:
            return 0
        return int((self.tied_ranks[1] == cutoff).sum())

    def _where(self, keep: Booleans) -> Ranking:
        return Ranking(self.judgments, self.topic[keep], self.rank[keep], self.grade[keep], self.retrieved)


@dataclass(frozen=True, eq=False)
class RankedSystem:
    """A system, ranked once for all measures.

    `as_dicts` gives a run's grades and scores as {topic: {document: number}}, which is how ir_measures takes them.
    """

    name: str
    ranking: Ranking
    as_dicts: Callable[[], tuple[dict[str, dict[str, int]], dict[str, dict[str, float]]]] | None = None


@dataclass(frozen=True, eq=False)
class RankedSystems:
    """Systems on judged topics, by name, ranked in turn when they are asked for."""

    judgments: Judgments
    names: tuple[str, ...]
    in_turn: Iterable[RankedSystem]


def in_step(sizes: Integers) -> Iterator[tuple[Integers, int]]:
    """For groups of these sizes, the groups that have a first member, with 0, then those that have a second, with 1, …

    >>> [(groups.tolist(), step) for groups, step in in_step(np.array([1, 0, 2]))]
    [([2, 0], 0), ([2], 1)]
    """
    order = np.argsort(-sizes, kind="stable")
    has_more = np.searchsorted(-sizes[order], -np.arange(sizes.max(initial=0)))
    for step, n_groups in enumerate(has_more):
        yield order[:n_groups], step


def add_up(topic: Integers, values: Floats, n_topics: int) -> Floats:
    """Values added up per topic."""
    return np.bincount(topic, weights=values, minlength=n_topics).astype(np.float64, copy=False)


def ratio(numerator: Floats | Integers, denominator: Floats | Integers) -> Floats:
    """Division with 0 where the denominator is 0: a topic without relevant documents scores 0."""
    result = np.zeros(len(denominator))
    np.divide(numerator, denominator, out=result, where=denominator > 0)
    return result
