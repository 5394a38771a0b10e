"""The two sides of a training: an objective on the queries to learn from, and on those to validate by."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from riskrank.data.baseline_scores import baseline_scores, holds_document_scores
from riskrank.errors import AlignmentError
from riskrank.measures import parse_measure
from riskrank.objectives.on_data.ranked_queries import RankedQueries, depth_needed
from riskrank.rankers.fitting.inputs import check_features, training_data
from riskrank.rankers.fitting.start import finite

if TYPE_CHECKING:
    from riskrank.data.baseline_scores import BaselineScores
    from riskrank.data.ranking_data import RankingData
    from riskrank.measures.swap_deltas import SwapDeltas
    from riskrank.objectives.on_data.bound_objective import BoundObjective
    from riskrank.typing import BaselineLike, Floats, LabelledLike

TARGET = "target"  # as a validation measure: the value of the objective itself


@dataclass(frozen=True, eq=False)
class FitSide:
    """An objective on training or validation queries, and the scores that the model starts from there."""

    bound: BoundObjective
    start: Floats | None

    @classmethod
    def started(cls, bound: BoundObjective, baselines: list[BaselineScores], scale: float | None) -> FitSide:
        """From the first baseline's scores times a scale, or from nothing."""
        return cls(bound, None if scale is None else scale * finite(baselines[0].scores))

    def scores(self, learned: Floats) -> Floats:
        """The scores of the whole model."""
        return learned if self.start is None else learned + self.start


class WatchedValue:
    """What early stopping and the best number of steps go by: a measure of the validation queries, or the target."""

    def __init__(self, valid_measure: str | None, bound: BoundObjective) -> None:
        self._bound = bound
        self._is_target = valid_measure == TARGET
        self._other: tuple[RankedQueries, SwapDeltas] | None = None
        own = parse_measure(bound.objective.measure)
        measure = own if valid_measure is None or self._is_target else parse_measure(valid_measure)
        if measure != own:
            deltas = measure.swap_deltas(bound.data)
            self._other = RankedQueries(bound.data, depth_needed(deltas), n_threads=bound.n_threads), deltas

    def of(self, scores: Floats, values: Floats) -> float:
        """Its number, from scores and from the values that the objective's own measure has under them."""
        if self._is_target:
            return self._bound.objective_value(scores, values)
        if self._other is not None:
            ranked, deltas = self._other
            ranked.rank(scores)
            values = ranked.values(deltas)
        return float(values.mean())


def validation_data(
    valid: LabelledLike, train: RankingData, baseline: BaselineLike | None, valid_baseline: BaselineLike | None
) -> tuple[RankingData, list[BaselineScores]]:
    """Validation queries and their baselines, which must fit those of training."""
    data = training_data(valid)
    if data.n_features != train.n_features:
        raise AlignmentError(f"validation data have {data.n_features} features, training data have {train.n_features}.")
    check_features(data)
    if valid_baseline is None and holds_document_scores(baseline):
        raise AlignmentError("a baseline given as scores says nothing of validation data: pass valid_baseline=.")
    given = baseline if valid_baseline is None else valid_baseline
    try:
        return data, baseline_scores(given, data, in_source_order=valid is not data)
    except AlignmentError as error:
        if valid_baseline is None and baseline is not None:
            raise AlignmentError(f"validation data: {error} Pass valid_baseline= for them.") from None
        raise
