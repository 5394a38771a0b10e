"""Fold: one split of a sweep, with what the baseline does on its queries, and what predictors say of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from riskrank.data.fingerprints import array_digest, whole_fingerprint
from riskrank.errors import ParameterError
from riskrank.tradeoff.query_splits import TRAIN
from riskrank.tradeoff.training.judging import must_learn
from riskrank.weights import relative_weights, weighted_mean

if TYPE_CHECKING:
    from collections.abc import Mapping

    from riskrank.data.ranking_data import RankingData
    from riskrank.data.shards.sharded_data import ShardedData
    from riskrank.measures.measure import Measure
    from riskrank.rankers.ranker import Ranker
    from riskrank.rankers.selective.query_predictors import QueryPredictor
    from riskrank.tradeoff.query_splits import Split
    from riskrank.tradeoff.training.judging import JudgedBaseline
    from riskrank.tradeoff.training.workplace import Workplace
    from riskrank.typing import BaselineLike, Floats

N_THRESHOLDS = 20


@dataclass(frozen=True, eq=False)
class FoldPart:
    """Some queries of a fold, how much they count, and what the baseline does on them.

    `values`: its effectiveness on each query, the mean of several baselines. `other_means`: its mean by each further
    measure.
    """

    query_ids: tuple[str, ...]
    weights: Floats | None
    values: Floats
    other_means: Mapping[str, float]
    data_digest: str
    baseline_digest: str

    @classmethod
    def of(
        cls, data: RankingData | ShardedData, baseline: JudgedBaseline, measure: Measure, others: tuple[Measure, ...]
    ) -> FoldPart:
        """The queries of some data, with the baseline that was judged on them."""
        values = baseline.values[str(measure)].mean(axis=0)  # several count by their within-query mean
        return cls(
            query_ids=baseline.query_ids,
            weights=baseline.weights,
            values=values,
            other_means={str(each): _mean(baseline.values[str(each)], baseline.weights) for each in others},
            data_digest=whole_fingerprint(data),
            baseline_digest=array_digest(np.concatenate([values, baseline.told.ravel()])),
        )


@dataclass(frozen=True, eq=False)
class Fold:
    """A split with the baseline on all its parts; `measure` judges, `others` are shown beside it.

    Numbers of queries are all that is held here of the parts; the judge of the `workplace` has their documents.
    """

    number: int
    workplace: Workplace
    baseline: BaselineLike
    baseline_names: tuple[str, ...]
    measure: Measure
    others: tuple[Measure, ...]
    parts: Mapping[str, FoldPart]  # the training part and those that models are judged on

    @classmethod
    def of(
        cls, number: int, workplace: Workplace, baseline: BaselineLike, measure: Measure, others: tuple[Measure, ...]
    ) -> Fold:
        """With what the judge says of the baseline on every part."""
        judged = workplace.judge.baselines
        parts = {name: FoldPart.of(data, judged[name], measure, others) for name, data in workplace.parts.items()}
        return cls(number, workplace, baseline, judged[TRAIN].names, measure, others, parts)

    @property
    def judged_parts(self) -> dict[str, FoldPart]:
        """The parts that models are judged on."""
        return {name: part for name, part in self.parts.items() if name != TRAIN}


def _mean(values: Floats, weights: Floats | None) -> float:
    """Over baselines and queries, by the weights of these."""
    relative = relative_weights(weights)
    return float(values.mean() if relative is None else weighted_mean(values, relative).mean())


@dataclass(frozen=True, eq=False)
class QueryPredictions:
    """By set and predictor, a number of each query; by predictor, thresholds and what it has become by learning."""

    values: Mapping[str, Mapping[str, Floats]]
    thresholds: Mapping[str, Floats]
    predictors: Mapping[str, QueryPredictor]


def check_predictors(predictors: Mapping[str, QueryPredictor], split: Split) -> None:
    """Refuse, before any training, predictors that cannot work on these data."""
    for predictor in predictors.values():
        if must_learn(predictor) and split.valid is None:
            raise ParameterError("a predictor of gain learns from validation queries: pass valid=.")
        feature = getattr(predictor, "feature", None)
        if feature is not None:
            split.train.columns.position(feature)


def predict_queries(fold: Fold, model: Ranker, predictors: Mapping[str, QueryPredictor]) -> QueryPredictions:
    """All predictors on all queries, for selective use of a model; thresholds divide the training queries evenly."""
    if not predictors:
        return QueryPredictions({name: {} for name in fold.parts}, {}, {})
    learned = {label: fold.workplace.judge.learned(predictor, model) for label, predictor in predictors.items()}
    values = fold.workplace.judge.predict(model, learned)
    steps = np.linspace(0, 1, N_THRESHOLDS + 1)
    thresholds = {label: np.quantile(numbers, steps) for label, numbers in values[TRAIN].items()}
    return QueryPredictions(values, thresholds, learned)
