"""Fold: one split of a sweep, with what the baseline does on its queries, and what predictors say of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from riskrank.data.baseline_scores import baseline_scores, lacking_last
from riskrank.data.fingerprints import array_digest, whole_fingerprint
from riskrank.errors import ParameterError
from riskrank.measures.evaluate import evaluate
from riskrank.rankers.selective.query_predictors import PredictedGain, QueryPredictor
from riskrank.rankers.selective.selective import learned_gain
from riskrank.weights import weighted_mean

if TYPE_CHECKING:
    from collections.abc import Mapping

    from riskrank.data.effectiveness import Effectiveness
    from riskrank.data.ranking_data import RankingData
    from riskrank.measures.measure import Measure
    from riskrank.rankers.ranker import Ranker
    from riskrank.tradeoff.query_splits import Split
    from riskrank.typing import BaselineLike, Floats

TRAIN = "train"
N_THRESHOLDS = 20


@dataclass(frozen=True, eq=False)
class FoldPart:
    """Some queries of a fold, and what the baseline does on them.

    `scores`: of the (first) baseline on documents, −inf where it lacks one. `values`: its effectiveness on each query,
    the mean of several baselines. `other_means`: its mean by each further measure.
    """

    data: RankingData
    scores: Floats
    values: Floats
    other_means: Mapping[str, float]
    data_digest: str
    baseline_digest: str

    @property
    def finite_scores(self) -> Floats:
        """The baseline's scores with all documents ranked, those that it lacks below the others."""
        return lacking_last(self.scores)


@dataclass(frozen=True, eq=False)
class Fold:
    """A split with the baseline on all its parts; `measure` judges, `others` are shown beside it."""

    number: int
    split: Split
    baseline: BaselineLike
    baseline_names: tuple[str, ...]
    measure: Measure
    others: tuple[Measure, ...]
    parts: Mapping[str, FoldPart]  # the training part and those that models are judged on

    @classmethod
    def of(
        cls, number: int, split: Split, baseline: BaselineLike, measure: Measure, others: tuple[Measure, ...]
    ) -> Fold:
        """With the baseline judged on every part."""
        names: tuple[str, ...] = ()
        parts = {}
        for name, data in {TRAIN: split.train, **split.sets}.items():
            several = baseline_scores(baseline, data)
            names = tuple(each.name for each in several)
            judged = evaluate(data, {each.name: each.scores for each in several}, [measure, *others])
            values = judged[str(measure)].matrix.mean(axis=0)  # several count by their within-query mean
            scores = several[0].scores
            parts[name] = FoldPart(
                data=data,
                scores=scores,
                values=values,
                other_means={str(each): _mean(judged[str(each)]) for each in others},
                data_digest=whole_fingerprint(data),
                baseline_digest=array_digest(np.concatenate([values, scores])),
            )
        return cls(number, split, baseline, names, measure, others, parts)

    @property
    def judged_parts(self) -> dict[str, FoldPart]:
        """The parts that models are judged on."""
        return {name: self.parts[name] for name in self.split.sets}


def _mean(scores: Effectiveness) -> float:
    """Over baselines and queries, by the weights of these."""
    if scores.relative_weights is None:
        return float(scores.matrix.mean())
    return float(weighted_mean(scores.matrix, scores.relative_weights).mean())


def model_scores(model: Ranker, part: FoldPart) -> Floats:
    """A model's scores on the documents of a part."""
    if not model.card_["needs_baseline"]:
        return np.asarray(model.predict(part.data))
    return np.asarray(model.predict(part.data, baseline=part.finite_scores))


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
