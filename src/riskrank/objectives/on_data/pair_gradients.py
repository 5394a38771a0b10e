"""Gradients from pairs of documents: one small class per kernel.

Each is made for an objective on ranked queries, and holds what is the same in every step. Which one an objective needs,
`pair_gradients` knows.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from riskrank.kernels.state import GradientArrays, PairOptions, TargetState
from riskrank.objectives.on_data.bound_measure import measure_arrays
from riskrank.objectives.on_data.slots import slots_by_gain

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from riskrank.data.baseline_scores import BaselineScores
    from riskrank.measures.swap_deltas import SwapDeltas
    from riskrank.objectives.objective import Objective
    from riskrank.objectives.on_data.ranked_queries import RankedQueries
    from riskrank.typing import Floats, Integers


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


class PairGradients:
    """Fills in gradients of the order that queries were ranked in last."""

    _ranked: RankedQueries
    _kernel: Callable[..., None]
    _fixed: tuple[Any, ...]  # the kernel's arguments that are the same in every step
    _options: PairOptions

    def fill(self, scores: Floats, state: TargetState, out: GradientArrays, queries: Integers | None = None) -> None:
        """For the documents of all queries, or some."""
        self._ranked.chunks.run(lambda some: self._fill_some(some, scores, state, out), queries)

    def _fill_some(self, queries: Integers, scores: Floats, state: TargetState, out: GradientArrays) -> None:
        self._kernel(queries, scores, self._ranked.order, *self._fixed, state, self._options, out)


class PositionalGradients(PairGradients):
    """For measures that add up gain × discount."""

    def __init__(self, objective: Objective, deltas: SwapDeltas, ranked: RankedQueries) -> None:
        from riskrank.kernels.positional import LANES, positional_gradients

        self._ranked = ranked
        self._fixed = measure_arrays(deltas), slots_by_gain(deltas.gains, ranked.data, lanes=LANES)
        self._options = _options(objective, ranked)
        self._kernel = positional_gradients(objective.target_for(ranked.data.n_queries), _by_gain(objective))


class AnyMeasureGradients(PairGradients):
    """For any measure that can say what a swap changes; and for churn, which prefers an order of its own."""

    def __init__(
        self, objective: Objective, deltas: SwapDeltas, ranked: RankedQueries, baselines: Sequence[BaselineScores]
    ) -> None:
        from riskrank.kernels.ranked import ranked_gradients, sum_of_gains, swapped_gains

        value, delta = (sum_of_gains, swapped_gains) if deltas.is_positional else (deltas.value, deltas.delta)
        self._ranked = ranked
        self._preference = _preference(ranked, baselines[0]) if objective.with_churn else np.zeros(1, np.int32)
        self._fixed = measure_arrays(deltas), self._preference
        self._options = _options(objective, ranked)
        target = objective.target_for(ranked.data.n_queries)
        self._kernel = ranked_gradients(value, delta, target, _by_gain(objective), objective.with_churn)

    def kendall_distances(self, scores: Floats) -> Floats:
        """The distance of each query's order under some scores to the preferred one."""
        from riskrank.kernels.ranked import kendall_distances

        self._ranked.rank(scores)
        order, preference = self._ranked.order, self._preference
        return self._ranked.per_query(lambda some, out: kendall_distances(some, order, preference, out))


class RankNetGradients(PairGradients):
    """For RankNet as published: every pair of different labels counts the same, and nothing else does."""

    def __init__(self, objective: Objective, deltas: SwapDeltas, ranked: RankedQueries) -> None:
        self._ranked = ranked
        self._fixed = ranked.order.offsets, slots_by_gain(deltas.gains, ranked.data, lanes=1), float(objective.sigma)

    def _fill_some(self, queries: Integers, scores: Floats, state: TargetState, out: GradientArrays) -> None:
        from riskrank.kernels.ranknet import ranknet_gradients

        ranknet_gradients(queries, scores, *self._fixed, out)

    def costs(self, scores: Floats) -> Floats:
        """The cross entropy of each query's pairs."""
        from riskrank.kernels.ranknet import ranknet_costs

        return self._ranked.per_query(lambda some, out: ranknet_costs(some, scores, *self._fixed, out))


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
