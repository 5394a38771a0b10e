"""JudgedQueries: what every model of a sweep does on some queries, beside the baseline."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, get_args

import numpy as np

from riskrank.parameters import one_of
from riskrank.risk.inference.mirror_shift import MirrorShift, weighted_mirror
from riskrank.risk.outcomes import count_outcomes
from riskrank.risk.paired import difference
from riskrank.weights import relative_weights, weighted_mean

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from riskrank.typing import Booleans, Floats, Integers

Cost = Literal["risk", "reranked"]


@dataclass(frozen=True, eq=False)
class JudgedQueries:
    """Models × queries: effectiveness, Kendall distance to the baseline's ranking (0 same, 1 reversed), re-ranked?

    `predictors` are numbers of each query that may tell where to use a model; `others` the means of further measures,
    by their name, with the baseline's first. `weights` say how much each query counts in all means; None: the same.
    """

    queries: tuple[str, ...]
    fold: Integers
    baseline: Floats
    values: Floats
    distance: Floats
    is_reranked: Booleans
    predictors: Mapping[str, Floats] = field(default_factory=dict)
    others: Mapping[str, Floats] = field(default_factory=dict)
    weights: Floats | None = None

    @property
    def relative_weights(self) -> Floats | None:
        """The weights with a mean of 1; None where all queries count the same."""
        return relative_weights(self.weights)

    @property
    def changes(self) -> Floats:
        """What each query gains."""
        return difference(self.values, self.baseline)

    @property
    def weighted_changes(self) -> Floats:
        """The same times the query's weight, so that plain means are weighted ones."""
        return self.weigh(self.changes)

    def mirror(self, changes: Floats) -> MirrorShift:
        """The test of a mean change, given what each query changes by: it knows the queries' weights."""
        return weighted_mirror(changes, self.relative_weights)

    def weigh(self, numbers: Floats | Booleans) -> Floats:
        """Numbers of queries times their weights, with a mean of 1."""
        weights = self.relative_weights
        return np.asarray(numbers if weights is None else weights * numbers, dtype=np.float64)

    @property
    def effectiveness(self) -> Floats:
        """Of each model, the mean over queries."""
        return weighted_mean(self.values, self.relative_weights)

    @property
    def baseline_mean(self) -> float:
        """The effectiveness of the baseline."""
        return float(weighted_mean(self.baseline, self.relative_weights))

    @property
    def risk(self) -> Floats:
        """Mean loss of each model."""
        return np.asarray(np.maximum(0.0, -self.weighted_changes).mean(axis=1))

    @property
    def reward(self) -> Floats:
        """Mean win of each model."""
        return np.asarray(np.maximum(0.0, self.weighted_changes).mean(axis=1))

    @property
    def gain(self) -> Floats:
        """Mean change of each model."""
        return np.asarray(self.weighted_changes.mean(axis=1))

    @property
    def reranked(self) -> Floats:
        """The share of queries that each model ranks in another order than the baseline."""
        return np.asarray(self.weigh(self.is_reranked).mean(axis=1))

    @property
    def outcomes(self) -> tuple[Integers, ...]:
        """Wins, losses, ties and losses beyond 20 % of each model."""
        return count_outcomes(self.changes, self.baseline)

    def cost(self, kind: Cost) -> Floats:
        """What each model costs: its risk, or the share of queries that it re-ranks."""
        one_of("cost", kind, get_args(Cost))
        return self.risk if kind == "risk" else self.reranked

    def losses(self, hurt_beyond: float | None = None) -> Floats:
        """What each query loses, or with a limit 1 where it loses more than that, 0 elsewhere; times its weight."""
        lost = np.maximum(0.0, -self.changes)
        return self.weigh(lost if hurt_beyond is None else (lost > hurt_beyond + 1e-12).astype(np.float64))


def joined_folds(parts: Sequence[JudgedQueries]) -> JudgedQueries:
    """The queries of several folds as one set; means of further measures by the folds' sizes, or all their weight."""
    weights = None if any(part.weights is None for part in parts) else [np.asarray(part.weights) for part in parts]
    sizes = np.array([len(part.queries) for part in parts], dtype=np.float64)
    if weights is not None:
        sizes = np.array([each.sum() for each in weights])
    first = parts[0]
    return JudgedQueries(
        queries=tuple(query for part in parts for query in part.queries),
        fold=np.concatenate([part.fold for part in parts]),
        baseline=np.concatenate([part.baseline for part in parts]),
        values=np.concatenate([part.values for part in parts], axis=1),
        distance=np.concatenate([part.distance for part in parts], axis=1),
        is_reranked=np.concatenate([part.is_reranked for part in parts], axis=1),
        predictors={name: np.concatenate([part.predictors[name] for part in parts]) for name in first.predictors},
        others={
            name: np.average([part.others[name] for part in parts], axis=0, weights=sizes) for name in first.others
        },
        weights=None if weights is None else np.concatenate(weights),
    )
