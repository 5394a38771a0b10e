"""Validation: the queries that a training is judged by on the way, and the measure that decides which step is best."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from riskrank.data.baseline_scores import baseline_scores, count_baselines, holds_document_scores
from riskrank.errors import AlignmentError, MeasureError
from riskrank.measures import parse_measure
from riskrank.measures.measure import optimisable
from riskrank.objectives.on_data.bound_measure import BoundMeasure
from riskrank.objectives.on_data.ranked_queries import RankedQueries, depth_needed
from riskrank.rankers.fitting.inputs import check_finite, columns_of_model, training_data

if TYPE_CHECKING:
    from riskrank.data.baseline_scores import BaselineScores
    from riskrank.data.feature_columns import FeatureColumns
    from riskrank.data.ranking_data import RankingData
    from riskrank.measures import Measure
    from riskrank.objectives.on_data.bound_objective import BoundObjective
    from riskrank.typing import BaselineLike, Floats, LabelledLike, MeasureLike

OBJECTIVE_VALUE = "objective"  # as a ranker's `valid_measure`: the value of the objective itself
FORMER_WORD = "target"  # for it, also in saved models and checkpoints


class ValidMeasure:
    """What early stopping and the best step go by on validation queries: a ranker's `valid_measure`.

    The mean of the objective's own measure (None), the mean of another one, or what the objective gives the model.
    """

    def __init__(self, valid_measure: MeasureLike | None, bound: BoundObjective) -> None:
        self._bound = bound
        self._is_objective_value = is_objective_value(valid_measure)
        self._other: tuple[RankedQueries, BoundMeasure] | None = None
        own = bound.objective.reported_measure
        measure = own if valid_measure is None or self._is_objective_value else parse_valid_measure(valid_measure)
        if measure != own:
            other = BoundMeasure.of(measure, bound.data)
            self._other = RankedQueries(bound.data, depth_needed(other.deltas), n_threads=bound.n_threads), other

    def value(self, scores: Floats, values: Floats) -> float:
        """Of a model with these scores, whose queries have these values by the objective's own measure."""
        if self._is_objective_value:
            return self._bound.objective_value(scores, values)
        if self._other is not None:
            ranked, other = self._other
            own_values = np.empty(ranked.data.n_queries)
            ranked.rank_and_measure(scores, [other], [own_values])
            values = ranked.data.everywhere(own_values)
        return self._bound.mean(values)


def parse_valid_measure(text: MeasureLike) -> Measure:
    """A measure that validation can go by: it is computed as in training."""
    measure = parse_measure(text)
    if not measure.is_optimisable():
        known = ", ".join(optimisable())
        raise MeasureError(f"valid_measure cannot be {measure}: choose one of {known}, or objective.", "valid_measure")
    return measure


def is_objective_value(valid_measure: MeasureLike | None) -> bool:
    """Is it the objective itself, rather than a measure, that validation goes by?"""
    return valid_measure in (OBJECTIVE_VALUE, FORMER_WORD)


def validation_data(
    valid: LabelledLike, train: FeatureColumns, baseline: BaselineLike | None, valid_baseline: BaselineLike | None
) -> tuple[RankingData, list[BaselineScores]]:
    """Validation queries with the columns of training data, and their baselines, which must fit those of training."""
    data = training_data(valid)
    check_finite(data.features, data.columns)
    features = columns_of_model(data.features, data.columns, train, what="validation data")
    if valid_baseline is None and holds_document_scores(baseline):
        raise AlignmentError("a baseline given as scores says nothing of validation data: pass valid_baseline=.")
    given = baseline if valid_baseline is None else valid_baseline
    if count_baselines(given) != count_baselines(baseline):
        raise AlignmentError(
            f"training has {count_baselines(baseline)} baseline(s), validation has {count_baselines(given)}; "
            "they must be the same."
        )
    try:
        scores = baseline_scores(given, data, in_source_order=valid is not data)
    except AlignmentError as error:
        if valid_baseline is None and baseline is not None:
            raise AlignmentError(f"validation data: {error} Pass valid_baseline= for them.") from None
        raise
    if features is not data.features:
        data = replace(data, features=features, feature_names=train.names, categories=train.categories)
    return data, scores
