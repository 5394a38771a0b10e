"""Gradients from pairs of documents: one small class per kernel.

Each is made for an objective on ranked queries and fills in the gradients of their present order. Which one an
objective needs, `pair_gradients` knows.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

import numpy as np

from riskrank.kernels.state import GradientArrays, PairOptions, TargetState
from riskrank.objectives.on_data.ranked_queries import RankedQueries, measure_arrays
from riskrank.objectives.on_data.slots import slots_by_gain

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from riskrank.data.baseline_scores import BaselineScores
    from riskrank.measures.swap_deltas import SwapDeltas
    from riskrank.objectives.objective import Objective
    from riskrank.typing import Floats, Integers


class PairGradients(Protocol):
    """Fills in gradients of the present order."""

    def fill(self, scores: Floats, state: TargetState, out: GradientArrays, queries: Integers | None = None) -> None:
        """For the documents of all queries, or some."""


def pair_gradients(
    objective: Objective, deltas: SwapDeltas, ranked: RankedQueries, baselines: Sequence[BaselineScores]
) -> PairGradients:
    """The gradients of an objective that is trained by a measure."""
    if objective.counts_pairs:
        return RankNetGradients(objective, deltas, ranked)
    if needs_all_ranks(objective, deltas):
        return AnyMeasureGradients(objective, deltas, ranked, baselines)
    return PositionalGradients(objective, deltas, ranked)


def needs_all_ranks(objective: Objective, deltas: SwapDeltas) -> bool:
    """Must queries be ranked to the end?"""
    return objective.with_churn or not deltas.is_positional


class PositionalGradients:
    """For measures that add up gain × discount."""

    def __init__(self, objective: Objective, deltas: SwapDeltas, ranked: RankedQueries) -> None:
        from riskrank.kernels.positional import LANES, positional_gradients

        self._ranked = ranked
        self._measure = measure_arrays(deltas)
        self._slots = slots_by_gain(deltas.gains, ranked.data, lanes=LANES)
        self._options = _options(objective, ranked)
        self._kernel = positional_gradients(objective.target_for(ranked.data.n_queries), _by_gain(objective))

    def fill(self, scores: Floats, state: TargetState, out: GradientArrays, queries: Integers | None = None) -> None:
        order, fixed = self._ranked.order, (self._measure, self._slots)
        self._ranked.chunks.run(
            lambda some: self._kernel(some, scores, order, *fixed, state, self._options, out), queries
        )


class AnyMeasureGradients:
    """For any measure that can say what a swap changes; and for churn, which prefers an order of its own."""

    def __init__(
        self, objective: Objective, deltas: SwapDeltas, ranked: RankedQueries, baselines: Sequence[BaselineScores]
    ) -> None:
        from riskrank.kernels.ranked import ranked_gradients, sum_of_gains, swapped_gains

        value, delta = (sum_of_gains, swapped_gains) if deltas.is_positional else (deltas.value, deltas.delta)
        self._ranked = ranked
        self._measure = measure_arrays(deltas)
        self._options = _options(objective, ranked)
        self._preference = _preference(ranked, baselines[0]) if objective.with_churn else np.zeros(1, np.int32)
        target = objective.target_for(ranked.data.n_queries)
        self._kernel = ranked_gradients(value, delta, target, _by_gain(objective), objective.with_churn)

    def fill(self, scores: Floats, state: TargetState, out: GradientArrays, queries: Integers | None = None) -> None:
        order, fixed = self._ranked.order, (self._measure, self._preference)
        self._ranked.chunks.run(
            lambda some: self._kernel(some, scores, order, *fixed, state, self._options, out), queries
        )

    def kendall_distances(self, scores: Floats) -> Floats:
        """The distance of each query's order under some scores to the preferred one."""
        from riskrank.kernels.ranked import kendall_distances

        self._ranked.rank(scores)
        distances = np.empty(self._ranked.data.n_queries)
        order, preference = self._ranked.order, self._preference
        self._ranked.chunks.run(lambda some: kendall_distances(some, order, preference, distances))
        return distances


class RankNetGradients:
    """For RankNet as published: every pair of different labels counts the same, and nothing else does."""

    def __init__(self, objective: Objective, deltas: SwapDeltas, ranked: RankedQueries) -> None:
        self._ranked = ranked
        self._slots = slots_by_gain(deltas.gains, ranked.data, lanes=1)
        self._sigma = float(objective.sigma)

    def fill(
        self,
        scores: Floats,
        state: TargetState,
        out: GradientArrays,
        queries: Integers | None = None,
    ) -> None:
        from riskrank.kernels.ranknet import ranknet_gradients

        offsets, slots, sigma = self._ranked.order.offsets, self._slots, self._sigma
        self._ranked.chunks.run(lambda some: ranknet_gradients(some, scores, offsets, slots, sigma, out), queries)

    def costs(self, scores: Floats) -> Floats:
        """The cross entropy of each query's pairs."""
        from riskrank.kernels.ranknet import ranknet_costs

        costs = np.empty(self._ranked.data.n_queries)
        offsets, slots, sigma = self._ranked.order.offsets, self._slots, self._sigma
        self._ranked.chunks.run(lambda some: ranknet_costs(some, scores, offsets, slots, sigma, costs))
        return costs


def _options(objective: Objective, ranked: RankedQueries) -> PairOptions:
    return PairOptions(float(objective.sigma), objective.normalise != "none", objective.truncation or ranked.depth)


def _by_gain(objective: Objective) -> bool:
    """Are gradients normalised by those of the bare measure, and do the two differ at all?"""
    return objective.normalise == "gain" and objective.needs_baseline


def _preference(ranked: RankedQueries, baseline: BaselineScores) -> NDArray[np.int32]:
    """A number per document, the higher within its query the further up the baseline ranks it."""
    ranked.rank(baseline.scores)
    data = ranked.data
    query = data.query_numbers
    preference = np.empty(data.n_documents, np.int32)
    from_below = data.query_offsets[query + 1] - 1 - np.arange(data.n_documents)
    preference[data.query_offsets[query] + ranked.order.positions] = from_below
    return preference
