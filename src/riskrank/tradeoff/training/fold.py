"""Fold: one split of a sweep with the baseline on its queries, and how models are judged on it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from riskrank.assessment.rank_changes import rank_changes
from riskrank.data.baseline_scores import baseline_scores
from riskrank.data.fingerprints import array_digest, whole_fingerprint
from riskrank.measures.evaluate import evaluate
from riskrank.rankers.fitting.start import finite
from riskrank.risk.outcomes import gain, risk
from riskrank.tradeoff.judged_queries import JudgedQueries
from riskrank.tradeoff.training.finished_model import FinishedModel

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from riskrank.data.ranking_data import RankingData
    from riskrank.measures.measure import Measure
    from riskrank.rankers.ranker import Ranker
    from riskrank.tradeoff.query_splits import Split
    from riskrank.typing import BaselineLike, Floats

TRAIN = "train"


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
        return finite(self.scores)


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
                other_means={str(each): float(judged[str(each)].matrix.mean()) for each in others},
                data_digest=whole_fingerprint(data),
                baseline_digest=array_digest(np.concatenate([values, scores])),
            )
        return cls(number, split, baseline, names, measure, others, parts)

    @property
    def judged_parts(self) -> dict[str, FoldPart]:
        """The parts that models are judged on."""
        return {name: self.parts[name] for name in self.split.sets}


def model_scores(model: Ranker, part: FoldPart) -> Floats:
    """A model's scores on the documents of a part."""
    if not model.card_["needs_baseline"]:
        return np.asarray(model.predict(part.data))
    return np.asarray(model.predict(part.data, baseline=part.finite_scores))


def judge_model(fold: Fold, model: Ranker, *, digest: str, judged: str) -> FinishedModel:
    """What a trained model does on each part; the digests say which model it is, and how it is judged."""
    train = fold.parts[TRAIN]
    values = evaluate(train.data, {"model": model_scores(model, train)}, fold.measure)["model"]
    history = model.history_
    curve = history["valid_effectiveness"]
    if np.isnan(curve).all():
        curve = history["train_effectiveness"]
    return FinishedModel(
        digest=digest,
        judged=judged,
        train_gain=gain(values, train.values),
        train_risk=risk(values, train.values),
        learning=curve,
        unit=model.unit,
        tables={name: _query_table(fold, part, model) for name, part in fold.judged_parts.items()},
    )


def _query_table(fold: Fold, part: FoldPart, model: Ranker) -> dict[str, Any]:
    scores = model_scores(model, part)
    judged = evaluate(part.data, {"model": scores}, [fold.measure, *fold.others])
    change = rank_changes({"baseline": part.finite_scores, "model": scores}, "baseline", data=part.data)["model"]
    return {
        "query": list(part.data.query_ids),
        "baseline": part.values,
        "effectiveness": judged[str(fold.measure)]["model"],
        "kendall_distance": (1 - change.tau_per_topic) / 2,
        "is_reranked": change.is_reranked,
        **{str(each): judged[str(each)]["model"] for each in fold.others},
    }


def judged_queries(
    fold: Fold, models: Sequence[FinishedModel], predicted: Mapping[str, Mapping[str, Floats]]
) -> dict[str, JudgedQueries]:
    """All models on each set of queries, with what predictors say of each query."""
    return {
        name: _judged_part(fold, part, [model.tables[name] for model in models], predicted[name])
        for name, part in fold.judged_parts.items()
    }


def _judged_part(
    fold: Fold, part: FoldPart, tables: Sequence[Mapping[str, Any]], predicted: Mapping[str, Floats]
) -> JudgedQueries:
    def rows(column: str) -> Floats:
        return np.array([table[column] for table in tables], dtype=np.float64)

    return JudgedQueries(
        queries=part.data.query_ids,
        fold=np.full(part.data.n_queries, fold.number),
        baseline=part.values,
        values=rows("effectiveness"),
        distance=rows("kendall_distance"),
        is_reranked=rows("is_reranked").astype(bool),
        predictors=predicted,
        others={
            name: np.append(mean_of_baseline, rows(name).mean(axis=1))
            for name, mean_of_baseline in part.other_means.items()
        },
    )
