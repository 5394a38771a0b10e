"""An objective on some data: from scores to forces, on all cores, with the effectiveness of every query by the way."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from riskrank.cores import usable_cores
from riskrank.errors import ParameterError
from riskrank.measures import Measure, parse_measure
from riskrank.measures.rank_scores import judgments_of_labels, rank_scores

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from riskrank.data.baseline_scores import BaselineScores
    from riskrank.data.ranking_data import RankingData
    from riskrank.measures.swap_deltas import SwapDeltas
    from riskrank.objectives.objective import Objective
    from riskrank.typing import Floats

    Queries = NDArray[np.int64]
    Task = Callable[[Queries], Any]

MOST_ROOM = 1.5  # places for a document, on average; more would cost more than even groups save
LEAST_COST = 20_000  # pairs of documents; less is not worth another chunk
CHUNKS_PER_THREAD = 4  # few enough to cost nothing, many enough that nobody waits long for the last one


@cache
def _pool(n_threads: int) -> ThreadPoolExecutor:
    return ThreadPoolExecutor(n_threads, thread_name_prefix="riskrank")


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_pool.cache_clear)  # a forked process has none of the threads


class Rankings:
    """The queries of some data ranked by changing scores, and measures of these rankings."""

    def __init__(self, data: RankingData, depth: int | None, *, n_threads: int | None = None) -> None:
        self.data = data
        self.n_threads = n_threads or usable_cores()
        sizes = np.diff(data.query_offsets)
        ranked_sizes = sizes if depth is None else np.minimum(sizes, depth)
        self.depth = int(ranked_sizes.max())
        self.starts = np.concatenate([[0], np.cumsum(ranked_sizes)])
        self.ranked = (np.arange(self.starts[-1]) - np.repeat(self.starts[:-1], ranked_sizes)).astype(np.int32)
        self.every_query = np.arange(data.n_queries)
        self._costs = sizes * ranked_sizes
        self._chunks = self._split(self.every_query)

    def order(self, scores: Floats) -> None:
        """Rank all queries."""
        self.run(self._ordering(scores))

    def values(self, swaps: SwapDeltas) -> Floats:
        """A measure of each query in the present order."""
        values = np.empty(self.data.n_queries)
        self.run(self._valuing(swaps, values))
        return values

    def ordered_values(
        self, scores: Floats, measures: Sequence[SwapDeltas], found: Sequence[Floats], queries: Queries | None = None
    ) -> None:
        """Rank all queries, or some, and measure the rankings, in one go; the values go into `found`."""
        tasks = [self._ordering(scores), *(self._valuing(*each) for each in zip(measures, found, strict=True))]
        self.run(lambda some: [task(some) for task in tasks], queries)

    def _ordering(self, scores: Floats) -> Task:
        from riskrank.kernels.order import SELECTED, best_first, sorted_first

        kernel = best_first if self.depth <= SELECTED else sorted_first
        return lambda queries: kernel(queries, self.data.query_offsets, scores, self.starts, self.ranked)

    def _valuing(self, swaps: SwapDeltas, values: Floats) -> Task:
        shared = (self.data.query_offsets, swaps.gains, swaps.norm, swaps.discounts, self.starts, self.ranked)
        if swaps.is_positional:
            from riskrank.kernels.positional import positional_values

            return lambda queries: positional_values(queries, *shared, values)
        from riskrank.kernels.ranked import ranked_values

        kernel = ranked_values(swaps.value)
        return lambda queries: kernel(queries, *shared, swaps.work_rows, values)

    def run(self, task: Task, queries: Queries | None = None) -> None:
        """A task for all queries, or some, on all cores where it is worth it."""
        chunks = self._chunks if queries is None else self._split(queries)
        if self.n_threads == 1 or len(chunks) == 1:
            for chunk in chunks:
                task(chunk)
        else:
            task(self.every_query[:0])  # compiled here, not by all threads at once
            list(_pool(self.n_threads).map(task, chunks))

    def _split(self, queries: Queries) -> list[Queries]:
        """Chunks of about equal cost."""
        costs = self._costs[queries]
        total = costs.sum()
        wanted = min(CHUNKS_PER_THREAD * self.n_threads, len(queries), total // LEAST_COST)
        if wanted < 2:
            return [queries]
        bounds = np.searchsorted(np.concatenate([[0], np.cumsum(costs)]), np.linspace(0, total, wanted + 1))
        bounds[0], bounds[-1] = 0, len(queries)
        return [queries[a:b] for a, b in pairwise(sorted(set(bounds.tolist())))]


def depth_needed(*measures: SwapDeltas) -> int | None:
    """How many ranks must be known: all (None) unless every measure is positional and ends at some rank."""
    if not all(swaps.is_positional for swaps in measures):
        return None
    return max(int(np.flatnonzero(swaps.discounts)[-1]) + 1 for swaps in measures)


class Lambdas:
    """The forces of an objective on the documents of some data.

    Calling it with scores gives (gradient, hessian), in arrays that the next call overwrites. Afterwards `values` holds
    the effectiveness of each query by the objective's measure. `dtype` is that of the results; all sums are double.
    """

    is_ordering = True  # a force pulls better documents up

    def __init__(
        self,
        objective: Objective,
        data: RankingData,
        baselines: Sequence[BaselineScores] = (),
        *,
        n_threads: int | None = None,
        dtype: type[np.float32] | type[np.float64] = np.float64,
    ) -> None:
        if objective.needs_baseline and not baselines:
            raise ParameterError(f"{type(objective).__name__} needs a baseline. Pass baseline=, like Feature(110).")
        self.objective = objective
        self.data = data
        self.memory: dict[str, Any] = {}
        measure: Measure = parse_measure(objective.measure)
        self._trained = objective.trained_measure.swap_deltas(data)
        self._reported = self._trained if objective.trained_measure == measure else measure.swap_deltas(data)
        uses_ranks = objective.with_churn or not self._trained.is_positional
        depth = None if uses_ranks else depth_needed(self._trained, self._reported)
        self.rankings = Rankings(data, depth, n_threads=n_threads)
        self.baseline_values = self._values_of(baselines, measure, self._reported)
        self._trained_baselines = self.baseline_values
        if self._trained is not self._reported:
            self._trained_baselines = self._values_of(baselines, objective.trained_measure, self._trained)
        self.scores = np.zeros(data.n_documents)
        self.values = np.zeros(data.n_queries)
        self._trained_values = self.values
        self.gradient, self.hessian = (np.zeros(data.n_documents, dtype) for _ in range(2))
        self._no_state = np.zeros(data.n_queries)
        self._liked = np.zeros(1, np.int32)
        self._pair_costs: Callable[[Floats], Floats] | None = None
        if objective.counts_pairs:
            self._forces = self._ranknet_task()
        else:
            self._forces = self._ranked_task(baselines) if uses_ranks else self._positional_task()

    def __call__(self, scores: Floats) -> tuple[NDArray[Any], NDArray[Any]]:
        """Gradient and hessian of each document, under finite scores."""
        self.look(scores)
        self.begin()
        self._forces(scores)
        return self.gradient, self.hessian

    def some(self, scores: Floats, queries: Queries) -> None:
        """Forces on the documents of some queries only, in `gradient` and `hessian`.

        What depends on all queries is what `begin` left.
        """
        self.look(scores, queries)
        self._forces(scores, queries)

    def begin(self) -> None:
        """Let what depends on all queries follow the values that each query had last."""
        baseline, state, run = self.objective.prepare(self._trained_values, self._trained_baselines, self.memory)
        self._state = (baseline, self._no_state if state is None else state, run)

    def evaluate(self, scores: Floats) -> Floats:
        """Only the effectiveness of each query."""
        self.scores = scores
        self.values = np.empty(self.data.n_queries)
        self.rankings.ordered_values(scores, [self._reported], [self.values])
        return self.values

    def look(self, scores: Floats, queries: Queries | None = None) -> None:
        """Rank and measure all queries, or some, without forces."""
        self.scores = scores
        if queries is None:
            self.values = np.empty(self.data.n_queries)
            self._trained_values = self.values if self._trained is self._reported else np.empty(self.data.n_queries)
        measures, found = [self._reported], [self.values]
        if self._trained is not self._reported:
            measures, found = [*measures, self._trained], [*found, self._trained_values]
        self.rankings.ordered_values(scores, measures, found, queries)

    @property
    def seen(self) -> tuple[Floats, Floats]:
        """The effectiveness of each query when it was last ranked: as reported, and as trained."""
        return self.values, self._trained_values

    @seen.setter
    def seen(self, values: tuple[Floats, Floats]) -> None:
        self.values = np.array(values[0])
        self._trained_values = self.values if self._trained is self._reported else np.array(values[1])

    def close(self) -> None:
        """Drop the tasks, which point back here, so that the data go with whoever holds them last."""
        del self._forces
        self._pair_costs = None

    def cost(self) -> float:
        """What training should lower: for RankNet the cross entropy of its pairs per query, else minus the target."""
        return -self.target() if self._pair_costs is None else float(self._pair_costs(self.scores).mean())

    def target(self) -> float:
        """What the objective gives the model of the last call."""
        if not self.objective.with_churn:
            return self.objective.value(self.values, self.baseline_values)
        alpha = float(getattr(self.objective, "alpha", 0.0))
        return float(self.values.mean()) - alpha * float(self.distances().mean())

    def distances(self) -> Floats:
        """The Kendall distance of each query's present ranking to the baseline's, for objectives with churn."""
        from riskrank.kernels.ranked import kendall_distances

        distances = np.empty(self.data.n_queries)
        ranked = (self.rankings.starts, self.rankings.ranked, self._liked)
        self.rankings.run(lambda some: kendall_distances(some, self.data.query_offsets, *ranked, distances))
        return distances

    @property
    def gains(self) -> Floats:
        """How good the measure finds each document."""
        return self._trained.gains

    def _values_of(self, baselines: Sequence[BaselineScores], measure: Measure, swaps: SwapDeltas) -> Floats:
        values = np.empty((len(baselines), self.data.n_queries))
        for row, baseline in zip(values, baselines, strict=True):
            if np.isfinite(baseline.scores).all() or type(measure).per_topic is Measure.per_topic:
                self.rankings.order(baseline.scores)
                row[:] = np.where(baseline.answers, self.rankings.values(swaps), 0.0)
            else:  # documents that a run lacks are not retrieved, as in an evaluation
                ranking = rank_scores(baseline.scores, self.data, judgments_of_labels(self.data), name=baseline.name)
                row[:] = measure.per_topic(ranking)
        return values

    def _positional_task(self) -> Callable[..., None]:
        from riskrank.kernels.positional import LANES, positional_forces

        kernel = positional_forces(self._target(), self._by_gain)
        offsets, swaps, rankings = self.data.query_offsets, self._trained, self.rankings
        depth = self.objective.truncation or rankings.depth
        fixed = (*_laid_out(swaps.gains, self.data, lanes=LANES), swaps.norm, swaps.discounts)
        ranked = (rankings.starts, rankings.ranked, depth)
        options = (float(self.objective.sigma), self.objective.normalise != "none")

        def forces(scores: Floats, queries: Queries | None = None) -> None:
            now = (self._trained_values, *self._state)
            rest = (*fixed, *ranked, *now, *options, self.gradient, self.hessian)
            rankings.run(lambda some: kernel(some, offsets, scores, *rest), queries)

        return forces

    def _ranknet_task(self) -> Callable[..., None]:
        from riskrank.kernels.ranknet import ranknet_costs, ranknet_forces

        offsets, sigma = self.data.query_offsets, float(self.objective.sigma)
        _, *laid_out, _ = _laid_out(self._trained.gains, self.data, lanes=1)

        def forces(scores: Floats, queries: Queries | None = None) -> None:
            rest = (*laid_out, sigma, self.gradient, self.hessian)
            self.rankings.run(lambda some: ranknet_forces(some, offsets, scores, *rest), queries)

        def costs(scores: Floats) -> Floats:
            found = np.empty(self.data.n_queries)
            self.rankings.run(lambda some: ranknet_costs(some, offsets, scores, *laid_out, sigma, found))
            return found

        self._pair_costs = costs
        return forces

    def _ranked_task(self, baselines: Sequence[BaselineScores]) -> Callable[..., None]:
        from riskrank.kernels.ranked import ranked_forces, sum_of_gains, swapped_gains

        swaps, objective, rankings = self._trained, self.objective, self.rankings
        prepare, change = (sum_of_gains, swapped_gains) if swaps.is_positional else (swaps.value, swaps.delta)
        kernel = ranked_forces(prepare, change, self._target(), self._by_gain, objective.with_churn)
        if objective.with_churn:
            rankings.order(baselines[0].scores)
            query = self.data.query_numbers
            from_below = self.data.query_offsets[query + 1] - 1 - np.arange(self.data.n_documents)
            self._liked = np.empty(self.data.n_documents, np.int32)
            self._liked[self.data.query_offsets[query] + rankings.ranked] = from_below
        liked = self._liked
        depth = objective.truncation or rankings.depth
        ranked = (rankings.starts, rankings.ranked)
        options = (float(objective.sigma), objective.normalise != "none")

        fixed = (swaps.gains, swaps.norm, swaps.discounts, *ranked, liked, depth, swaps.work_rows)

        def forces(scores: Floats, queries: Queries | None = None) -> None:
            rest = (*fixed, self._trained_values, *self._state, *options, self.gradient, self.hessian)
            rankings.run(lambda some: kernel(some, self.data.query_offsets, scores, *rest), queries)

        return forces

    @property
    def _by_gain(self) -> bool:
        """Are the forces normalised by those of the bare measure, and do the two differ at all?"""
        return self.objective.normalise == "gain" and self.objective.needs_baseline

    def _target(self) -> Callable[..., float]:
        return self.objective.target_for(self.data.n_queries)


def _laid_out(gains: Floats, data: RankingData, *, lanes: int) -> tuple[NDArray[Any], ...]:
    """A place for every document, such that each query's documents of equal gain stand together, best first.

    Where each query's places begin; each document's place within its query; where the places of its group begin and
    end (before them stand the better documents, behind them the worse); and the gain of every place. Groups begin at
    multiples of `lanes`, for which the last places of a group may be empty, unless that would take too much room.
    """
    query = data.query_numbers
    order = np.lexsort((-gains, query))
    ordered = gains[order]
    is_new = (ordered[1:] != ordered[:-1]) | (query[1:] != query[:-1])
    begins = np.flatnonzero(np.concatenate([[True], is_new]))  # of the groups, among the ordered documents
    sizes = np.diff(np.append(begins, data.n_documents))
    rooms = -(-sizes // lanes) * lanes
    wanted = np.bincount(query[begins], rooms, data.n_queries)
    is_sparse = wanted > MOST_ROOM * np.diff(data.query_offsets)
    rooms = np.where(is_sparse[query[begins]], sizes, rooms)
    places = np.concatenate([[0], np.cumsum(rooms)])[np.searchsorted(begins, data.query_offsets)]
    ends = np.cumsum(rooms) - places[query[begins]]
    place, better, worse = (np.empty(data.n_documents, np.int32) for _ in range(3))
    worse[order] = np.repeat(ends, sizes)
    better[order] = np.repeat(ends - rooms, sizes)
    place[order] = np.repeat(ends - rooms - begins, sizes) + np.arange(data.n_documents)
    return places, place, better, worse, np.repeat(ordered[begins], rooms)
