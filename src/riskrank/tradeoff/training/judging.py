"""What baselines and models do on each query: functions of documents, and who calls them where the documents are."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Protocol, TypeGuard

import numpy as np

from riskrank.assessment.rank_changes import rank_changes
from riskrank.data.baseline_scores import baseline_scores, lacking_last
from riskrank.data.fingerprints import scores_told
from riskrank.measures.evaluate import evaluate
from riskrank.rankers.selective.query_predictors import PredictedGain
from riskrank.rankers.selective.selective import learned_gain
from riskrank.tradeoff.query_splits import TRAIN

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from riskrank.data.ranking_data import RankingData
    from riskrank.measures.measure import Measure
    from riskrank.rankers.ranker import Ranker
    from riskrank.rankers.selective.query_predictors import QueryPredictor
    from riskrank.typing import BaselineLike, Booleans, Floats


@dataclass(frozen=True, eq=False)
class JudgedBaseline:
    """Baselines by their names: by each measure baselines × queries, and the weights of these.

    `told` is what tells the first one's scores from others: all of them, or of shards two numbers of each query.
    """

    names: tuple[str, ...]
    query_ids: tuple[str, ...]
    values: Mapping[str, Floats]
    weights: Floats | None
    told: Floats


@dataclass(frozen=True, eq=False)
class JudgedModel:
    """A model on some queries: its effectiveness by each measure, how far it ranks from the baseline, if it does.

    On training queries only its effectiveness by the first measure is asked for.
    """

    values: Mapping[str, Floats]
    distance: Floats | None = None
    is_reranked: Booleans | None = None


class Judge(Protocol):
    """Who has the documents of a fold, and says what becomes of its queries; all answers are by part of the fold."""

    @property
    def baselines(self) -> Mapping[str, JudgedBaseline]:
        """What the baselines do."""

    def judge(self, model: Ranker) -> Mapping[str, JudgedModel]:
        """What a model does, by the measures that the baselines are judged by."""

    def learned(self, predictor: QueryPredictor, model: Ranker) -> QueryPredictor:
        """A predictor of a model's gain that has learned from validation queries; any other as it is."""

    def predict(self, model: Ranker, predictors: Mapping[str, QueryPredictor]) -> Mapping[str, Mapping[str, Floats]]:
        """What predictors, by their names, say of each query for a model."""


class HeldJudge:
    """Judges documents that this process holds."""

    def __init__(self, sets: Mapping[str, RankingData], baseline: BaselineLike, measures: Sequence[Measure]) -> None:
        self._sets, self._measures = sets, measures
        self._scores: dict[str, Floats] = {}  # of the first baseline, −inf where it lacks a document
        self.baselines: dict[str, JudgedBaseline] = {}
        for name, data in sets.items():
            self.baselines[name], self._scores[name] = judged_baseline(data, baseline, measures)

    def judge(self, model: Ranker) -> dict[str, JudgedModel]:
        return {
            name: judged_model(data, model, lacking_last(self._scores[name]), self._measures, is_training=name == TRAIN)
            for name, data in self._sets.items()
        }

    def learned(self, predictor: QueryPredictor, model: Ranker) -> QueryPredictor:
        if not must_learn(predictor):
            return predictor
        data, scores = self._sets["valid"], self._scores["valid"]
        return learned_gain(predictor, data, model_scores(model, data, lacking_last(scores)), scores, self._measures[0])

    def predict(self, model: Ranker, predictors: Mapping[str, QueryPredictor]) -> dict[str, dict[str, Floats]]:
        return {
            name: predicted(data, model, lacking_last(self._scores[name]), predictors)
            for name, data in self._sets.items()
        }


def judged_baseline(
    data: RankingData, baseline: BaselineLike, measures: Sequence[Measure]
) -> tuple[JudgedBaseline, Floats]:
    """Baselines on the queries of some data; and the first one's scores, −inf for documents that it lacks."""
    several = baseline_scores(baseline, data)
    judged = evaluate(_without_weights(data), {each.name: each.scores for each in several}, measures)
    values = {str(measure): judged[str(measure)].matrix for measure in measures}
    names, scores = judged[str(measures[0])].systems, several[0].scores
    return JudgedBaseline(names, data.query_ids, values, data.query_weights, scores_told(scores, data)), scores


def model_scores(model: Ranker, data: RankingData, baseline: Floats) -> Floats:
    """A model's scores on documents, of which a baseline has scores that are all finite."""
    if not model.card_["needs_baseline"]:
        return np.asarray(model.predict(data))
    return np.asarray(model.predict(data, baseline=baseline))


def judged_model(
    data: RankingData, model: Ranker, baseline: Floats, measures: Sequence[Measure], *, is_training: bool
) -> JudgedModel:
    """A model on the queries of some data, beside the finite scores of a baseline."""
    scores, own = model_scores(model, data, baseline), _without_weights(data)
    if is_training:
        return JudgedModel({str(measures[0]): evaluate(own, {"model": scores}, measures[0])["model"]})
    judged = evaluate(own, {"model": scores}, measures)
    change = rank_changes({"baseline": baseline, "model": scores}, "baseline", data=data)["model"]
    values = {str(measure): judged[str(measure)]["model"] for measure in measures}
    return JudgedModel(values, (1 - change.tau_per_topic) / 2, change.is_reranked)


def _without_weights(data: RankingData) -> RankingData:
    """Weights change no query's own values; those of a shard may all be 0, of which no mean could be taken."""
    return data if data.query_weights is None else replace(data, query_weights=None)


def predicted(
    data: RankingData, model: Ranker, baseline: Floats, predictors: Mapping[str, QueryPredictor]
) -> dict[str, Floats]:
    """What predictors say of the queries of some data."""
    scores = model_scores(model, data, baseline)
    return {name: predictor.values(data, scores, baseline) for name, predictor in predictors.items()}


def must_learn(predictor: QueryPredictor) -> TypeGuard[PredictedGain]:
    """Does it predict gains, and has it not learned yet?"""
    return isinstance(predictor, PredictedGain) and not predictor.weights
