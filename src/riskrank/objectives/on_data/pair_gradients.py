"""Gradients from pairs of documents: one small class per kernel.

Each is made for an objective on ranked queries, and holds what is the same in every step. Which one an objective needs,
`pair_gradients` knows.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from riskrank.kernels.state import GradientArrays, KernelCall, PairOptions, TargetState
from riskrank.objectives.on_data.bound_measure import measure_arrays
from riskrank.objectives.on_data.slots import slots_by_gain
from riskrank.weights import weighted_mean

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from riskrank.data.baseline_scores import BaselineScores
    from riskrank.measures.swap_deltas import SwapDeltas
    from riskrank.objectives.objective import Objective
    from riskrank.objectives.on_data.ranked_queries import RankedQueries
    from riskrank.typing import Floats, Integers


def pair_gradients(
    objective: Objective,
    deltas: SwapDeltas,
    ranked: RankedQueries,
    baselines: Sequence[BaselineScores],
    weights: Floats | None = None,
) -> PairGradients:
    """The gradients of an objective that is trained by a measure; `weights` are those of documents."""
    pairs: PairGradients
    if objective.counts_pairs:
        pairs = RankNetGradients(objective, deltas, ranked)
    elif objective.with_churn:
        pairs = ChurnGradients(objective, deltas, ranked, baselines[0])
    elif needs_all_ranks(objective, deltas):
        pairs = AnyMeasureGradients(objective, deltas, ranked)
    else:
        pairs = PositionalGradients(objective, deltas, ranked)
    pairs.weights = weights
    return pairs


def needs_all_ranks(objective: Objective, deltas: SwapDeltas) -> bool:
    """Must queries be ranked to the end?"""
    return objective.with_churn or not deltas.is_positional


class PairGradients:
    """Fills in gradients of the order that queries were ranked in last, and tells what they raise or lower."""

    _kernel: Callable[..., None]
    _fixed: tuple[Any, ...]  # the kernel's arguments that are the same in every step
    weights: Floats | None = None  # of documents, which multiply their gradients

    def __init__(self, objective: Objective, ranked: RankedQueries) -> None:
        self._objective, self._ranked = objective, ranked
        n_ranks = objective.truncation or ranked.depth
        self._options = PairOptions(float(objective.sigma), objective.normalise != "none", n_ranks)
        self._target = objective.target_for(ranked.data.n_queries_in_all)
        # Are gradients normalised by those of the bare measure, and do the two differ at all?
        self._is_by_gain = objective.normalise == "gain" and objective.needs_baseline

    def objective_value(
        self, scores: Floats, values: Floats, baselines: Floats, weights: Floats | None = None
    ) -> float:
        """What the objective gives a model with these scores; `values` and `baselines` are of its measure."""
        return self._objective.value(values, baselines, **_given(weights))

    def cost(self, scores: Floats, values: Floats, baselines: Floats, weights: Floats | None = None) -> float:
        """What training should lower."""
        return -self.objective_value(scores, values, baselines, weights)

    def fill(self, scores: Floats, state: TargetState, out: GradientArrays, queries: Integers | None = None) -> None:
        """For the documents of all queries, or some."""
        calls = self.calls(state, out)

        def work(some: Integers) -> None:
            for call in calls:
                call(some, scores)

        self._ranked.chunks.run(work, queries)

    def calls(self, state: TargetState, out: GradientArrays) -> list[KernelCall]:
        """The loops that do so, in this order."""
        if self.weights is None:
            return [self.filling(state, out)]
        from riskrank.kernels.weighing import weigh_gradients

        weighing = KernelCall(weigh_gradients, (self._ranked.order.offsets, self.weights, out))
        return [self.filling(state, out), weighing]

    def filling(self, state: TargetState, out: GradientArrays) -> KernelCall:
        """The loop over pairs."""
        return KernelCall(self._kernel, (self._ranked.order, *self._fixed, state, self._options, out))


class PositionalGradients(PairGradients):
    """For measures that add up gain × discount."""

    def __init__(self, objective: Objective, deltas: SwapDeltas, ranked: RankedQueries) -> None:
        from riskrank.kernels.positional import LANES, positional_gradients

        super().__init__(objective, ranked)
        self._fixed = measure_arrays(deltas), slots_by_gain(deltas.gains, ranked.data, lanes=LANES)
        self._kernel = positional_gradients(self._target, self._is_by_gain)


class AnyMeasureGradients(PairGradients):
    """For any measure that can say what a swap changes."""

    def __init__(
        self,
        objective: Objective,
        deltas: SwapDeltas,
        ranked: RankedQueries,
        preference: NDArray[np.int32] | None = None,
    ) -> None:
        from riskrank.kernels.ranked import ranked_gradients, sum_of_gains, swapped_gains

        super().__init__(objective, ranked)
        value, delta = (sum_of_gains, swapped_gains) if deltas.is_positional else (deltas.value, deltas.delta)
        self._fixed = measure_arrays(deltas), np.zeros(1, np.int32) if preference is None else preference
        self._kernel = ranked_gradients(value, delta, self._target, self._is_by_gain, preference is not None)


class ChurnGradients(AnyMeasureGradients):
    """For objectives with churn, which prefer the order of a baseline."""

    def __init__(
        self, objective: Objective, deltas: SwapDeltas, ranked: RankedQueries, baseline: BaselineScores
    ) -> None:
        self._preference = _preference(ranked, baseline)
        super().__init__(objective, deltas, ranked, self._preference)

    def objective_value(
        self, scores: Floats, values: Floats, baselines: Floats, weights: Floats | None = None
    ) -> float:
        return self._objective.churn_value(values, baselines, self.kendall_distances(scores), **_given(weights))

    def kendall_distances(self, scores: Floats) -> Floats:
        """The distance of each query's order under some scores to the preferred one."""
        from riskrank.kernels.ranked import kendall_distances

        self._ranked.rank(scores)
        order, preference = self._ranked.order, self._preference
        distances = self._ranked.per_query(lambda some, out: kendall_distances(some, order, preference, out))
        return self._ranked.data.everywhere(distances)


class RankNetGradients(PairGradients):
    """For RankNet as published: every pair of different labels counts the same, and nothing else does."""

    def __init__(self, objective: Objective, deltas: SwapDeltas, ranked: RankedQueries) -> None:
        super().__init__(objective, ranked)
        self._fixed = ranked.order.offsets, slots_by_gain(deltas.gains, ranked.data, lanes=1), float(objective.sigma)

    def filling(self, state: TargetState, out: GradientArrays) -> KernelCall:
        from riskrank.kernels.ranknet import ranknet_gradients

        return KernelCall(ranknet_gradients, (*self._fixed, out))

    def cost(self, scores: Floats, values: Floats, baselines: Floats, weights: Floats | None = None) -> float:
        """The mean cross entropy of the queries' pairs."""
        return float(weighted_mean(self.costs(scores), weights))

    def costs(self, scores: Floats) -> Floats:
        """The cross entropy of each query's pairs."""
        from riskrank.kernels.ranknet import ranknet_costs

        return self._ranked.per_query(lambda some, out: ranknet_costs(some, scores, *self._fixed, out))


def _given(weights: Floats | None) -> dict[str, Floats]:
    """As arguments: others' objectives may know none."""
    return {} if weights is None else {"weights": weights}


def _preference(ranked: RankedQueries, baseline: BaselineScores) -> NDArray[np.int32]:
    """A number per document, the higher within its query the further up the baseline ranks it."""
    ranked.rank(baseline.scores)
    data = ranked.data
    query = data.query_numbers
    preference = np.empty(data.n_documents, np.int32)
    from_below = data.query_offsets[query + 1] - 1 - np.arange(data.n_documents)
    preference[data.query_offsets[query] + ranked.order.positions] = from_below
    return preference
