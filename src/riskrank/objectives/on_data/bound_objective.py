"""An objective bound to data: from scores to gradients, with the effectiveness of every query by the way."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from riskrank.errors import ParameterError
from riskrank.kernels.state import GradientArrays, KernelCall, TargetState
from riskrank.measures import Measure
from riskrank.measures.rank_scores import judgments_of_labels, rank_scores
from riskrank.objectives.on_data.bound_measure import BoundMeasure
from riskrank.objectives.on_data.pair_gradients import needs_all_ranks, pair_gradients
from riskrank.objectives.on_data.ranked_queries import RankedQueries, depth_needed
from riskrank.objectives.on_data.weighing import check_knows_weights, gradient_weights
from riskrank.weights import weighted_mean

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from riskrank.data.baseline_scores import BaselineScores
    from riskrank.data.ranking_data import RankingData
    from riskrank.objectives.objective import Objective
    from riskrank.typing import Booleans, Floats, Integers


class QueryValues(NamedTuple):
    """The effectiveness of each query: by the objective's own measure, which is reported, and by the one trained.

    `Objective.trained_measure` says which that is: nDCG@10 is trained as nDCG@30. They are one array where they are
    never different, which tied documents may make them even by the same measure.
    """

    reported: Floats
    trained: Floats


class Gradients(NamedTuple):
    """Gradient and hessian of each document, in arrays that the next call overwrites; and the queries' values."""

    gradient: NDArray[Any]
    hessian: NDArray[Any]
    values: QueryValues


class BoundObjective:
    """An objective on the queries of some data, against the baselines that are known there.

    `memory` is what the objective keeps from one step to the next; `dtype` that of the gradients, whose sums are
    double in any case. `weights` are those of queries, with a mean of 1; None where all count the same.
    """

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
        reported, trained = objective.reported_measure, objective.trained_measure
        self._reported = BoundMeasure.of(reported, data)
        self._trained = self._reported if reported == trained else BoundMeasure.of(trained, data)
        deltas = self._trained.deltas
        depth = None if needs_all_ranks(objective, deltas) else depth_needed(deltas, self._reported.deltas)
        self._ranked = RankedQueries(data, depth, n_threads=n_threads)
        self._have_gaps = _have_gaps(baselines, data)
        self.baseline_values = self._baseline_values(baselines, self._reported)
        self.baselines_in_order = self._baseline_values(baselines, self._reported.in_order())
        self._trained_baselines = self._baseline_values(baselines, self._trained)
        # A target compares like with like: tied documents of the model are averaged where those of a baseline are.
        if (self._trained_baselines == self._baseline_values(baselines, self._trained.in_order())).all():
            self._trained = self._trained.in_order()
        self._out = GradientArrays(*(np.zeros(data.n_documents, dtype) for _ in range(2)))
        self.weights = data.relative_query_weights
        if self.weights is not None:
            check_knows_weights(objective)
        self._pairs = pair_gradients(objective, deltas, self._ranked, baselines, gradient_weights(data))

    @property
    def n_threads(self) -> int:
        """How many threads share the work."""
        return self._ranked.n_threads

    @property
    def gains(self) -> Floats:
        """How good the trained measure finds each document."""
        return self._trained.deltas.gains

    def gradients(self, scores: Floats) -> Gradients:
        """Gradients of all queries under finite scores."""
        values = self.query_values(scores)
        self._pairs.fill(scores, self.target_state(values), self._out)
        return Gradients(*self._out, values)

    def batch_gradients(self, scores: Floats, queries: Integers, values: QueryValues, state: TargetState) -> Gradients:
        """Gradients of some queries, whose numbers in `values` are brought up to date.

        What depends on all queries is what `target_state` gave before. Gradients of other queries stay as they were.
        """
        self._measure(scores, values, queries)
        self._pairs.fill(scores, state, self._out, queries)
        return Gradients(*self._out, values)

    def batch_calls(self, values: QueryValues, state: TargetState) -> tuple[list[KernelCall], Gradients]:
        """The loops of `batch_gradients` in their order, and where they put what they find; for compiled training."""
        measures = self._measures_of(values)
        calls = [*self._ranked.ranking_and_measuring(*measures), *self._pairs.calls(state, self._out)]
        return calls, Gradients(*self._out, values)

    def query_values(self, scores: Floats) -> QueryValues:
        """Rank and measure all queries."""
        values = self.values_as_kept(*(np.empty(self.data.n_queries) for _ in range(2)))
        self._measure(scores, values)
        return values

    def values_as_kept(self, reported: Floats, trained: Floats) -> QueryValues:
        """Values that queries had at some time; one array where the two are never different."""
        return QueryValues(reported, reported if self._is_one_measure else trained)

    def values(self, scores: Floats) -> Floats:
        """The effectiveness of each query by the objective's own measure."""
        values = np.empty(self.data.n_queries)
        self._ranked.rank_and_measure(scores, [self._reported], [values])
        return values

    def target_state(self, values: QueryValues) -> TargetState:
        """What the target needs to know of all queries, from the values that each had last."""
        weights = {} if self.weights is None else {"weights": self.weights}  # others' objectives may know none
        prepared = self.objective.prepare(values.trained, self._trained_baselines, self.memory, **weights)
        baseline, state, training = prepared
        own = np.zeros(len(values.trained)) if state is None else state
        return TargetState(values.trained, baseline, own, training)

    def objective_value(self, scores: Floats, values: Floats) -> float:
        """What the objective gives a model with these scores, whose queries have these values."""
        return self._pairs.objective_value(scores, values, self.baseline_values, self.weights)

    def mean(self, values: Floats) -> float:
        """The mean of a number of each query, by their weights."""
        return float(weighted_mean(values, self.weights))

    def cost(self, scores: Floats, values: Floats) -> float:
        """What training should lower: minus the objective's value, or the cost that its gradients are of."""
        return self._pairs.cost(scores, values, self.baseline_values, self.weights)

    @property
    def _is_one_measure(self) -> bool:
        return self._trained is self._reported

    def _measure(self, scores: Floats, values: QueryValues, queries: Integers | None = None) -> None:
        self._ranked.rank_and_measure(scores, *self._measures_of(values), queries)

    def _measures_of(self, values: QueryValues) -> tuple[Sequence[BoundMeasure], Sequence[Floats]]:
        """The measures, and the arrays that their values go to."""
        n_measures = 1 if self._is_one_measure else 2
        return (self._reported, self._trained)[:n_measures], values[:n_measures]

    def _baseline_values(self, baselines: Sequence[BaselineScores], bound: BoundMeasure) -> Floats:
        values, measure = np.empty((len(baselines), self.data.n_queries)), bound.measure
        for row, baseline, has_gaps in zip(values, baselines, self._have_gaps, strict=True):
            is_plain = not has_gaps and (bound.knows_ties or not bound.averages_ties)
            if is_plain or type(measure).per_topic is Measure.per_topic:
                self._ranked.rank_and_measure(baseline.scores, [bound], [row])
                row[~baseline.answers] = 0.0
            else:  # as in an evaluation: documents that a run lacks are not retrieved, ties are shuffled
                ranking = rank_scores(baseline.scores, self.data, judgments_of_labels(self.data), name=baseline.name)
                row[:] = measure.expected(ranking) if bound.averages_ties else measure.per_topic(ranking)
        return values


def _have_gaps(baselines: Sequence[BaselineScores], data: RankingData) -> Booleans:
    """Which baselines lack documents, here or elsewhere.

    The two ways to measure them differ in last bits, so the way must not depend on who has the queries with gaps.
    """
    gaps = np.array([not np.isfinite(baseline.scores).all() for baseline in baselines], np.float64)
    return (data.largest(gaps) if len(gaps) else gaps) > 0
