"""What a worker says of a sweep's shards, a number or a few for each query; and how the driver joins it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from riskrank.cluster.job import PLACE
from riskrank.data.baseline_scores import baseline_scores
from riskrank.measures import parse_measure
from riskrank.rankers.selective.query_predictors import read_predictor
from riskrank.tradeoff.query_splits import TRAIN
from riskrank.tradeoff.training.judging import (
    JudgedBaseline,
    JudgedModel,
    judged_baseline,
    judged_model,
    predicted,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from riskrank.cluster.job import WorkerJob
    from riskrank.data.ranking_data import RankingData
    from riskrank.rankers.ranker import Ranker
    from riskrank.typing import BaselineLike, Floats


def judged_shard(
    job: WorkerJob, baselines: BaselineLike, model: Ranker | None, part: str, data: RankingData
) -> dict[str, Any]:
    """Of a shard's queries what the baselines do, or without predictors a model, or else what predictors say of it."""
    measures = [parse_measure(name) for name in job.measures]
    if model is None:
        judged, _ = judged_baseline(data, baselines, measures)
        return {
            "names": judged.names,
            "queries": judged.query_ids,
            "values": {name: values.tolist() for name, values in judged.values.items()},
            "weights": None if judged.weights is None else judged.weights.tolist(),
            "told": judged.told.tolist(),
        }
    finite = baseline_scores(baselines, data)[0].finite_among(data)
    if job.predictors:
        predictors = {name: read_predictor(each, PLACE) for name, each in job.predictors.items()}
        said = predicted(data, model, finite, predictors)
        return {"predicted": {name: values.tolist() for name, values in said.items()}}
    of_model = judged_model(data, model, finite, measures, is_training=part == TRAIN)
    return {
        "values": {name: values.tolist() for name, values in of_model.values.items()},
        "distance": None if of_model.distance is None else of_model.distance.tolist(),
        "is_reranked": None if of_model.is_reranked is None else of_model.is_reranked.tolist(),
    }


def joined_baseline(shards: Sequence[Mapping[str, Any]]) -> JudgedBaseline:
    """The baselines on all queries of a part, from those of its shards in order."""
    first = shards[0]
    return JudgedBaseline(
        names=tuple(first["names"]),
        query_ids=tuple(query for shard in shards for query in shard["queries"]),
        values={name: _joined([shard["values"][name] for shard in shards]) for name in first["values"]},
        weights=None if first["weights"] is None else _joined([shard["weights"] for shard in shards]),
        told=_joined([shard["told"] for shard in shards]),
    )


def joined_model(shards: Sequence[Mapping[str, Any]]) -> JudgedModel:
    """A model on all queries of a part, from those of its shards in order."""
    first = shards[0]
    return JudgedModel(
        values={name: _joined([shard["values"][name] for shard in shards]) for name in first["values"]},
        distance=None if first["distance"] is None else _joined([shard["distance"] for shard in shards]),
        is_reranked=(
            None if first["is_reranked"] is None else np.concatenate([shard["is_reranked"] for shard in shards])
        ),
    )


def joined_predictions(shards: Sequence[Mapping[str, Any]]) -> dict[str, Floats]:
    """What predictors say of all queries of a part."""
    return {name: _joined([shard["predicted"][name] for shard in shards]) for name in shards[0]["predicted"]}


def _joined(parts: Sequence[Any]) -> Floats:
    return np.concatenate([np.array(part, dtype=np.float64) for part in parts], axis=-1)
