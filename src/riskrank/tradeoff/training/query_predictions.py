"""What predictors say of the queries of a fold, and the thresholds at which a model may be used selectively."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from riskrank.errors import ParameterError
from riskrank.rankers.selective.query_predictors import PredictedGain, QueryPredictor
from riskrank.rankers.selective.selective import learned_gain
from riskrank.tradeoff.training.fold import TRAIN, Fold, model_scores

if TYPE_CHECKING:
    from collections.abc import Mapping

    from riskrank.rankers.ranker import Ranker
    from riskrank.tradeoff.query_splits import Split
    from riskrank.typing import Floats

N_THRESHOLDS = 20


@dataclass(frozen=True, eq=False)
class QueryPredictions:
    """By set and predictor, a number of each query; by predictor, thresholds and what it has become by learning."""

    values: Mapping[str, Mapping[str, Floats]]
    thresholds: Mapping[str, Floats]
    predictors: Mapping[str, QueryPredictor]


def check_predictors(predictors: Mapping[str, QueryPredictor], split: Split) -> None:
    """Refuse, before any training, predictors that cannot work on these data."""
    for predictor in predictors.values():
        if isinstance(predictor, PredictedGain) and not predictor.weights and split.valid is None:
            raise ParameterError("a predictor of gain learns from validation queries: pass valid=.")
        feature = getattr(predictor, "feature", None)
        if feature is not None:
            split.train.feature(feature)


def predict_queries(fold: Fold, model: Ranker, predictors: Mapping[str, QueryPredictor]) -> QueryPredictions:
    """All predictors on all queries, for selective use of a model; thresholds divide the training queries evenly."""
    values: dict[str, dict[str, Floats]] = {name: {} for name in fold.parts}
    if not predictors:
        return QueryPredictions(values, {}, {})
    scores = {name: model_scores(model, part) for name, part in fold.parts.items()}
    learned = {}
    for label, predictor in predictors.items():
        learned[label] = _learned(predictor, fold, scores)
        for name, part in fold.parts.items():
            values[name][label] = learned[label].values(part.data, scores[name], part.finite_scores)
    steps = np.linspace(0, 1, N_THRESHOLDS + 1)
    thresholds = {label: np.quantile(numbers, steps) for label, numbers in values[TRAIN].items()}
    return QueryPredictions(values, thresholds, learned)


def _learned(predictor: QueryPredictor, fold: Fold, scores: Mapping[str, Floats]) -> QueryPredictor:
    if not isinstance(predictor, PredictedGain) or predictor.weights:
        return predictor
    valid = fold.parts["valid"]
    return learned_gain(predictor, valid.data, scores["valid"], valid.scores, fold.measure)
