"""Effectiveness: one number per system and topic, labelled."""

from __future__ import annotations

from dataclasses import dataclass, field, fields, replace
from typing import TYPE_CHECKING, Literal

import numpy as np

from riskrank.errors import AlignmentError, counted, first_duplicate, listing, nearest, plural, quoted
from riskrank.weights import checked_weights, effective_number, relative_weights, weighted_mean

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    import pandas as pd
    import polars as pl
    from numpy.typing import ArrayLike

    from riskrank.typing import AggregateName, Floats, Missing, WeightsLike

Unit = Literal["topic", "query", "page"]
LARGEST_SCORE = 1e100  # squares of much larger ones overflow
AS_GIVEN = "scores as given"
NOT_ANSWERED = "no topic is answered by every run."
GEOMETRIC_FLOOR = 1e-5  # what trec_eval's gm_map puts in place of smaller values


@dataclass(frozen=True, repr=False, eq=False)
class Effectiveness:
    """A measure's values, systems × topics (float64, read-only); ``scores["bm25"]`` is a row.

    Attributes
    ----------
    measure, systems, topics, matrix
        What was computed, of which systems on which topics.
    description, aggregate
        In words what was computed (gains, tie rule), and how the values of all topics become one number.
    without_relevant, left_out
        Topics that have no relevant document, which score 0; those that were left out for it (`with_relevant`).
    missing, dropped
        Topics that a system did not answer; those that were left out because some system did not answer them.
    ties_at_cutoff
        How many topics of a system have equal scores on both sides of the measure's cut-off.
    unjudged
        The share of a system's documents down to the cut-off (or rank 10) that nobody judged.
    unit
        What a column is called: a topic of TREC files, a query of feature data, a page of click logs.
    weights
        How much each topic counts in means and tests, its traffic, say; None where all count the same.
    without_weight
        Topics that were left out because they have the weight 0 (`with_weight`).
    """

    measure: str
    systems: tuple[str, ...]
    topics: tuple[str, ...]
    matrix: Floats
    description: str = ""
    aggregate: AggregateName = "mean"
    without_relevant: tuple[str, ...] = ()
    missing: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    ties_at_cutoff: Mapping[str, int] = field(default_factory=dict)
    dropped: tuple[str, ...] = ()
    unjudged: Mapping[str, float] = field(default_factory=dict)
    left_out: tuple[str, ...] = ()
    unit: Unit = "topic"
    weights: Floats | None = None
    without_weight: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        matrix = np.array(self.matrix, dtype=np.float64, order="C")
        object.__setattr__(self, "systems", tuple(map(str, self.systems)))
        object.__setattr__(self, "topics", tuple(map(str, self.topics)))
        if matrix.shape != (len(self.systems), len(self.topics)):
            raise AlignmentError(
                f"the matrix must be {len(self.systems)} systems × {len(self.topics)} topics, "
                f"got {' × '.join(map(str, matrix.shape))}."
            )
        for kind, names in (("system", self.systems), ("topic", self.topics)):
            twice = first_duplicate(names)
            if twice is not None:
                raise AlignmentError(f"{kind} {quoted(twice)} stands twice.")
        matrix.flags.writeable = False
        object.__setattr__(self, "matrix", matrix)
        if self.weights is not None:
            weights = checked_weights(self.weights, len(self.topics), unit=self.unit, names=self.topics).copy()
            weights.flags.writeable = False
            object.__setattr__(self, "weights", weights)

    @classmethod
    def from_rows(
        cls, rows: Mapping[str, ArrayLike], *, topics: Sequence[str] | None = None, measure: str = "score"
    ) -> Effectiveness:
        """From ``{system: scores}``, all rows in the order of `topics`.

        >>> Effectiveness.from_rows({"a": [0.1, 0.3], "b": [0.2, 0.2]})["a"]
        array([0.1, 0.3])
        """
        arrays = [np.asarray(row, dtype=np.float64) for row in rows.values()]
        if not arrays or any(row.ndim != 1 or row.shape != arrays[0].shape for row in arrays):
            raise AlignmentError("every system needs a list of scores of the same length.")
        matrix = np.array(arrays)
        labels = [str(i + 1) for i in range(matrix.shape[-1])] if topics is None else topics
        return cls(measure=measure, systems=tuple(rows), topics=tuple(labels), matrix=matrix)

    @property
    def is_given(self) -> bool:
        """Are these scores that were read, rather than computed from judgments?"""
        return self.description in ("", AS_GIVEN)

    def __getitem__(self, system: str) -> Floats:
        """The scores of a system, by its name."""
        try:
            row: Floats = self.matrix[self.systems.index(system)]
        except ValueError:
            raise AlignmentError(
                f"no system {quoted(system)}. There are: {listing(self.systems)}.{nearest(system, self.systems)}"
            ) from None
        return row

    def __contains__(self, system: object) -> bool:
        return system in self.systems

    def __iter__(self) -> Iterator[str]:
        return iter(self.systems)

    def __len__(self) -> int:
        return len(self.systems)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Effectiveness):
            return NotImplemented
        labels = [each.name for each in fields(self) if each.name not in ("matrix", "weights")]
        return (
            np.array_equal(self.matrix, other.matrix, equal_nan=True)
            and np.array_equal(np.asarray(self.weights), np.asarray(other.weights))
            and all(getattr(self, label) == getattr(other, label) for label in labels)
        )

    __hash__ = None  # type: ignore[assignment]  # holds an array

    @property
    def units(self) -> str:
        """What several columns are called."""
        return plural(self.unit)

    @property
    def title(self) -> str:
        """The measure, with its gains where the name alone leaves them open: nDCG is linear in TREC, not in LETOR."""
        if "dcg=" in self.measure or "gains=" in self.measure or "gains " not in self.description:
            return self.measure
        return f"{self.measure} ({self.description[self.description.rindex('gains ') :]})"

    @property
    def relative_weights(self) -> Floats | None:
        """The weights with a mean of 1; None where all topics count the same."""
        return relative_weights(self.weights)

    @property
    def n_effective(self) -> float:
        """How many topics of equal weight would tell as much."""
        weights = self.relative_weights
        return float(len(self.topics)) if weights is None else effective_number(weights)

    def weighted(self, weights: WeightsLike) -> Effectiveness:
        """The same scores with weights: ``{topic: weight}``, a table of topics and weights, or one for each topic.

        >>> scores = Effectiveness.from_rows({"a": [0.1, 0.3]}, topics=["x", "y"])
        >>> scores.weighted({"x": 30, "y": 10}).means().round(3)
        array([0.15])
        """
        from riskrank.data.tables.topic_columns import weights_of_topics

        return replace(self, weights=weights_of_topics(weights, self.topics))

    def only(self, systems: Iterable[str]) -> Effectiveness:
        """Some of the systems, in that order, and what is known of them.

        >>> Effectiveness.from_rows({"a": [0.1], "b": [0.2], "c": [0.3]}).only(["c", "a"]).systems
        ('c', 'a')
        """
        names = tuple(systems)
        return replace(
            self,
            systems=names,
            matrix=np.array([self[name] for name in names]),
            missing={name: topics for name, topics in self.missing.items() if name in names},
            ties_at_cutoff={name: count for name, count in self.ties_at_cutoff.items() if name in names},
            unjudged={name: share for name, share in self.unjudged.items() if name in names},
        )

    def with_relevant(self) -> Effectiveness:
        """Only the topics that have a relevant document; on the others no system can gain or lose."""
        if set(self.topics) <= set(self.without_relevant):
            raise AlignmentError("no topic has a relevant document.")
        return replace(self._without(self.without_relevant), left_out=(*self.left_out, *self.without_relevant))

    def answered(self, missing: Missing) -> Effectiveness:
        """What becomes of topics that a system lacks, which score 0 here, as `evaluate` takes it."""
        if missing == "zero" or not self.missing:
            return self
        if missing == "error":
            name = next(name for name in self.systems if name in self.missing)
            raise not_covered(name, len(self.topics), len(self.missing[name]), self.missing[name][0])
        lacking = {topic for topics in self.missing.values() for topic in topics}
        if set(self.topics) <= lacking:
            raise AlignmentError(NOT_ANSWERED)
        dropped = tuple(topic for topic in self.topics if topic in lacking)
        return replace(self._without(lacking), dropped=(*self.dropped, *dropped))

    def with_weight(self) -> Effectiveness:
        """Only the topics that have weight: one of weight 0 is not there."""
        if self.weights is None or self.weights.all():
            return self
        light = tuple(self.topics[i] for i in np.flatnonzero(self.weights == 0).tolist())
        return replace(self._without(light), without_weight=(*self.without_weight, *light))

    def _without(self, topics: Iterable[str]) -> Effectiveness:
        """All topics but these, and what is known of them."""
        empty = set(topics)
        kept = [i for i, topic in enumerate(self.topics) if topic not in empty]
        missing = {name: tuple(t for t in lacking if t not in empty) for name, lacking in self.missing.items()}
        return replace(
            self,
            topics=tuple(self.topics[i] for i in kept),
            matrix=self.matrix[:, kept],
            weights=None if self.weights is None else self.weights[kept],
            without_relevant=tuple(topic for topic in self.without_relevant if topic not in empty),
            missing={name: lacking for name, lacking in missing.items() if lacking},
        )

    def means(self) -> Floats:
        """One number per system: the arithmetic mean, or the geometric one where the measure has that."""
        if self.aggregate == "geometric":
            return self.geometric_means()
        return weighted_mean(self.matrix, self.relative_weights)

    def geometric_means(self) -> Floats:
        """exp(mean(log(max(x, 1e-5)))) per system, as trec_eval's gm_map.

        >>> Effectiveness.from_rows({"a": [0.1, 0.0]}).geometric_means().round(6)
        array([0.001])
        """
        if not self.topics:
            return np.full(len(self.systems), np.nan)
        logarithms = np.log(np.maximum(self.matrix, GEOMETRIC_FLOOR))
        means: Floats = np.exp(weighted_mean(logarithms, self.relative_weights))
        return means

    def to_polars(self) -> pl.DataFrame:
        """A Polars frame, one row per topic: topic and a column for each system."""
        import polars as pl

        label = "topic" if "topic" not in self.systems else "topic_id"
        return pl.DataFrame({label: list(self.topics), **dict(zip(self.systems, self.matrix, strict=True))})

    def to_pandas(self) -> pd.DataFrame:
        """A pandas frame indexed by topic, one column per system."""
        import pandas as pd

        index = pd.Index(self.topics, name="topic")
        return pd.DataFrame(self.matrix.T, index=index, columns=list(self.systems))

    def __repr__(self) -> str:
        n_topics = counted(len(self.topics), self.unit)
        lines = [f"Effectiveness: {self.measure}, {counted(len(self.systems), 'system')} × {n_topics}"]
        width = max((len(name) for name in self.systems), default=0)
        lines += [f"  {name:<{width}}  {mean:.4f}" for name, mean in list(zip(self, self.means(), strict=True))[:10]]
        if len(self.systems) > 10:
            lines.append(f"  … and {len(self.systems) - 10:,} more")
        return "\n".join(lines)


def not_covered(system: str, n_topics: int, n_lacking: int, first: str) -> AlignmentError:
    """A system that does not answer all topics."""
    return AlignmentError(
        f"run {quoted(system)} must cover all {n_topics} topics of the qrels, got {n_topics - n_lacking}; "
        f"first missing: {quoted(first)}. Pass missing='zero' to score them 0."
    )
