"""What all rankers have in common: data in every form, baselines, validation, checkpoints, models on disk."""

from __future__ import annotations

import json
import warnings
from dataclasses import replace
from math import isclose, isnan, nan
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from riskrank.data.baseline_scores import baseline_scores, lacking_last
from riskrank.data.feature import Feature, feature_of
from riskrank.data.feature_columns import FeatureColumns
from riskrank.data.feature_tables.frame_columns import coded_features
from riskrank.data.feature_tables.query_column import without_query_column
from riskrank.data.ranking_data import RankingData
from riskrank.errors import AlignmentError, FileError, ParameterError, RiskrankError, quoted
from riskrank.files.records import Count, decode
from riskrank.objectives.objective import Objective, objective_named
from riskrank.rankers import card as cards
from riskrank.rankers.estimator import NotFittedError
from riskrank.rankers.fitting.eval_sets import validation_queries
from riskrank.rankers.fitting.history import History
from riskrank.rankers.fitting.inputs import (
    check_finite,
    columns_of_model,
    documents_of,
    learned_columns,
    training_data,
)
from riskrank.rankers.fitting.loop import make_steps
from riskrank.rankers.fitting.plan import plan_fit
from riskrank.rankers.fitting.sharded_fit import check_same_step, sharded_fit
from riskrank.rankers.fitting.validation import FORMER_WORD, OBJECTIVE_VALUE
from riskrank.rankers.model_records import ModelCard
from riskrank.rankers.ranker_kind import RankerKind
from riskrank.weights import weighted_mean

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from riskrank.rankers.fitting.learner import Learner
    from riskrank.rankers.fitting.loop import FitResult
    from riskrank.rankers.fitting.plan import FitPlan
    from riskrank.rankers.fitting.sharded_fit import FitOptions, TrainedElsewhere
    from riskrank.rankers.model_records import Imputation
    from riskrank.typing import (
        BaselineLike,
        ClusterLike,
        DataLike,
        EvalSetLike,
        Floats,
        Ids,
        LabelledLike,
        MeasureLike,
        Numbers,
        PathLike,
        Singles,
        WeightsLike,
    )

HISTORY = "history.json"


class Ranker(RankerKind):
    """Base of all rankers.

    A kind of ranker defines its `unit` and `n_steps`, how it learns (`learner`), what is left of that (`adopt`), how it
    scores documents (`score_documents`) and which files it is kept in (`model_files`, `restore`). It may define more:
    what its parameters must be (`check_parameters`), what data it learns from (`training_view`), and so on, as in
    `RankerKind`. All kinds take the parameters `early_stopping`, `valid_measure`, `n_threads`, `random_state` and
    `verbose`, and an `objective` or a `measure`.
    """

    def fit(
        self,
        X: DataLike,
        y: Numbers | None = None,
        *,
        qid: Ids | None = None,
        group: Numbers | None = None,
        weights: WeightsLike | None = None,
        baseline: BaselineLike | None = None,
        valid: LabelledLike | None = None,
        valid_baseline: BaselineLike | None = None,
        eval_set: EvalSetLike | None = None,
        eval_qid: Sequence[Ids] | None = None,
        eval_group: Sequence[Numbers] | None = None,
        checkpoint: PathLike | None = None,
        checkpoint_every: int | None = None,
        resume: bool = False,
        keep_checkpoint: bool = False,
        cluster: ClusterLike | None = None,
        memory: int | None = None,
    ) -> Self:
        """Train.

        Parameters
        ----------
        X, y, qid, group
            `RankingData`, `ShardedData`, a LETOR file or a table in a file alone; or features and labels with `qid` (a
            query id per document, in any order) or `group` (documents per query), or a frame with a column qid,
            query_id or topic.
        weights
            How much queries, or documents, count, as in `RankingData.weighted`; `valid` may have its own.
        baseline
            A `Feature`, scores of the documents, a run, a fitted ranker, or several of them as a list or by name.
        valid, valid_baseline
            Queries to validate by: data like `X`, or a tuple (X, y, qid), or (X, y) with a column of query ids; and
            the baseline on them, needed where `baseline` is given as scores.
        eval_set, eval_qid, eval_group
            The same as `valid`, in the words of LightGBM and XGBoost: ``[(X, y)]`` with ``[qid]`` or ``[group]``.
        checkpoint
            A folder that gets the state of training every `checkpoint_every` steps and when it is interrupted.
        resume, keep_checkpoint
            Go on from there; training ends in the very model that it would have given without interruption. The
            checkpoint is removed at the end, unless it is kept, so that nothing is lost until the model is saved.
        cluster
            Workers for `ShardedData`: ``"local:4"``, ``"dask:ADDRESS"``, ``"ray:ADDRESS"``, ``"spark:MASTER"``, a Dask
            client or a Spark session. The model does not depend on them, nor on their number.
        memory
            Bytes that each worker, or this process, may use for `ShardedData`: what has no place there goes to disk.
        """
        self._check_asked(checkpoint, resume)
        valid = validation_queries(valid, eval_set, eval_qid, eval_group)
        options: FitOptions = {
            "baseline": baseline, "valid_baseline": valid_baseline, "checkpoint": checkpoint,
            "checkpoint_every": checkpoint_every, "keep_checkpoint": keep_checkpoint,
        }  # fmt: skip
        others = {"y": y, "qid": qid, "group": group, "weights": weights}
        asked = sharded_fit(self, X, valid, others, cluster, memory=memory, resume=resume, **options)
        if asked is None:
            plan = plan_fit(self, X, y, qid=qid, group=group, weights=weights, valid=valid, **options)
            return self._learned(plan, resume=resume)
        if cluster is not None:
            return self._take_trained(asked.trained_on(cluster))
        with asked.shares() as (train_share, valid_share):
            return self._learned(plan_fit(self, train_share, valid=valid_share, **options), resume=resume)

    def predict(self, X: DataLike, *, baseline: BaselineLike | None = None) -> Floats:
        """A score for each document, in the order of `X`; `baseline` for a model that starts from one."""
        self.check_fitted()
        data, features = self.model_inputs(X)
        scores = self.score_documents(features)
        return scores if self.start_scale_ is None else scores + self.start_scores(data, features, baseline)

    def score(
        self,
        X: DataLike,
        y: Numbers | None = None,
        *,
        qid: Ids | None = None,
        group: Numbers | None = None,
        baseline: BaselineLike | None = None,
    ) -> float:
        """The mean of the measure over the queries, for scikit-learn's searches; `baseline` as in `predict`."""
        self.check_fitted()
        data = training_data(X, y, qid=qid, group=group)
        start = None
        if baseline is not None and self.start_scale_ is not None:
            start = baseline_scores(baseline, data, in_source_order=not isinstance(X, RankingData))[0].scores
        return mean_effectiveness(data, self.predict(data, baseline=start), self.training_objective.measure)

    def save(self, folder: PathLike) -> None:
        """Write the model: its own files, a JSON card and the history."""
        cards.write_model(folder, self.saved_files())

    def saved_files(self) -> dict[str, bytes]:
        """All that `save` writes, by name."""
        self.check_fitted()
        history = json.dumps(self.history_.to_json()).encode()
        return cards.with_card(self.card_, {**self.model_files(), HISTORY: history})

    @classmethod
    def load(cls, folder: PathLike) -> Self:
        """A model that `save` wrote; no training data are needed."""
        return cls.restored(cards.saved_model(folder))

    @classmethod
    def restored(cls, saved: cards.SavedModel) -> Self:
        """A model of its card and files."""
        kind = cls.__name__
        if saved.card.get("kind") != kind:
            raise ParameterError(
                f"{saved.folder} is a {saved.card.get('kind')}, not a {kind}. Load it with riskrank.load."
            )
        card = decode(ModelCard, saved.card, saved.path)
        parameters = dict(card.parameters)
        if card.objective is not None:
            parameters["objective"] = _objective_of(card.objective, saved.path)
        with cards.parameters_told(saved.path):
            ranker = cls(**parameters)
            ranker.check_loaded()
        for name in (f"best_{cls.unit}", cls.unit):
            decode(Count, saved.card.get(name), saved.path, field=name)
        ranker.take_saved(saved)
        ranker.check_imputation(card.imputation, saved.path)
        return ranker

    def load_trained(self, folder: PathLike) -> Self:
        """What `save` wrote of a trained ranker like this one."""
        return type(self).load(folder)

    # What is the same for all.

    def _learned(self, plan: FitPlan, *, resume: bool) -> Self:
        """Learn as planned, from the beginning or from the checkpoint that is there, and keep what was learned."""
        resumed = plan.checkpoints.read() if resume and plan.checkpoints is not None else None
        check_same_step(plan.train.bound.data, resumed)
        if resumed is not None:
            plan.train.bound.memory.update(resumed.memory)
        learner = self.learner(plan, resumed)
        result = make_steps(plan, learner, resumed)
        self.history_ = result.history
        self.valid_changes_, self.valid_weights_ = result.valid_changes, result.valid_weights
        self.take_card(self._card(plan, result))
        self._take_over(learner, result)
        if result.is_interrupted:
            raise KeyboardInterrupt
        return self

    def take_saved(self, saved: cards.SavedModel) -> None:
        """Be the ranker that was saved."""
        self.history_ = History.read(saved.file(HISTORY), saved.folder / HISTORY)
        self.take_card(saved.card)
        self.restore(saved)

    def _take_trained(self, trained: TrainedElsewhere) -> Self:
        """Be the ranker that workers trained as this one says."""
        card = {**trained.model.card, "parameters": self.plain_parameters()}
        self.take_saved(replace(trained.model, card=card))
        self.valid_changes_, self.valid_weights_ = trained.valid_changes, trained.valid_weights
        return self

    def _check_asked(self, checkpoint: PathLike | None, resume: bool) -> None:
        self.check_parameters()
        if self.valid_measure == FORMER_WORD:
            message = f'valid_measure="{FORMER_WORD}" is written "{OBJECTIVE_VALUE}" now.'
            warnings.warn(message, DeprecationWarning, stacklevel=3)
        if resume and checkpoint is None:
            raise ParameterError("resume needs the checkpoint folder: pass checkpoint=.")

    def _card(self, plan: FitPlan, result: FitResult) -> dict[str, Any]:
        data, valid = plan.train.bound.data, plan.valid
        return {
            "kind": type(self).__name__,
            "created": cards.now(),
            **({"objective": plan.objective.to_dict()} if "objective" in self.get_params(deep=False) else {}),
            "parameters": self.plain_parameters(),
            self.unit: result.n_steps,
            f"best_{self.unit}": result.best_steps,
            "ending": result.ending,
            "features": data.n_features,
            "first_feature": data.first_feature,
            "feature_names": None if data.feature_names is None else list(data.feature_names),
            **_categories_in_card(data),
            "baselines": [_name_in_card(name, data) for name in plan.baselines],
            "needs_baseline": plan.start_scale is not None,
            "start_scale": plan.start_scale,
            "training_data": cards.data_summary(data),
            "validation_data": None if valid is None else cards.data_summary(valid.bound.data),
            "versions": cards.versions(**self.engine_versions()),
        }

    def _take_over(self, learner: Learner, result: FitResult) -> None:
        """The model, and what its card says of it."""
        self.adopt(learner, result)
        imputation = self.imputation()
        self.card_ |= {} if imputation is None else {"imputation": imputation}

    def imputation(self) -> Imputation | None:
        """What a missing value counts as, by the number or name of its feature; None where it stays missing."""
        values = self.imputed_values()
        if values is None:
            return None
        return {key: value for key, value in zip(self.columns_.keys, values.tolist(), strict=True) if not isnan(value)}

    def check_imputation(self, saved: Imputation | None, path: Path) -> None:
        """What a card says must be what the model does; former versions did not say it."""
        own = None if saved is None else self.imputation()
        if saved is None or own is None:
            return
        wrong = next((key for key in {**own, **saved} if not isclose(own.get(key, nan), saved.get(key, nan))), None)
        if wrong is not None:
            raise FileError(path, f"imputation: that of {quoted(wrong)} is not the model's. Save the model again.")

    def take_card(self, card: dict[str, Any]) -> None:
        """Be the fitted ranker that a card describes."""
        kept = {name: value for name, value in card.items() if name not in ("format", "files")}
        self.card_ = {"feature_names": None, **kept}
        self.best_steps_ = int(card[f"best_{self.unit}"])
        self.n_features_in_ = int(card["features"])
        names = card.get("feature_names")
        columns = FeatureColumns(self.n_features_in_, int(card["first_feature"]), names and tuple(names))
        self.columns_ = columns.with_categories(card.get("categories") or {})
        self.__dict__.pop("feature_names_in_", None)
        if names is not None:
            self.feature_names_in_ = np.array(names, dtype=object)
        self.start_scale_: float | None = card["start_scale"]

    def model_inputs(self, X: DataLike) -> tuple[RankingData | None, Singles]:
        self.check_fitted()
        given = documents_of(X, self.columns_)
        data = given if isinstance(given, RankingData) else None
        if not isinstance(given, RankingData):
            table = without_query_column(given, self.columns_.names or ())[0]
            features, names, categories = coded_features(table, model=self.columns_)
            columns = FeatureColumns(features.shape[1], self.columns_.first, names, categories)
        else:
            features, columns = given.features, given.columns
        known = columns_of_model(features, columns, self.columns_)
        check_finite(known, columns if None in (columns.names, self.columns_.names) else self.columns_)
        return data, known

    def start_scores(self, data: RankingData | None, features: Singles, baseline: BaselineLike | None) -> Floats:
        if self.start_scale_ is None:
            return np.zeros(len(features))
        return self.start_scale_ * self._baseline_of(data, features, baseline)

    def _baseline_of(self, data: RankingData | None, features: Singles, baseline: BaselineLike | None) -> Floats:
        name = self.card_["baselines"][0]
        feature = feature_of(name)
        if baseline is None and data is not None and name in data.scores:
            baseline = Feature(name)
        if baseline is None and feature is not None:
            return lacking_last(features[:, self.columns_.position(feature.key)].astype(np.float64), data)
        if baseline is None:
            raise ParameterError(f"this model starts from its baseline ({name}): pass baseline= for these documents.")
        if data is not None:
            return baseline_scores(baseline, data)[0].finite_among(data)
        try:
            scores = np.asarray(baseline, dtype=np.float64)
        except (TypeError, ValueError):
            scores = np.empty(0)
        if scores.shape != (len(features),):
            raise AlignmentError(f"baseline needs a score for each of the {len(features)} documents.")
        return lacking_last(scores)

    def check_fitted(self) -> None:
        """Refuse to be used before it has learned."""
        if not hasattr(self, "card_"):
            raise NotFittedError(f"this {type(self).__name__} is not fitted yet. Call fit, or load a model.")


def mean_effectiveness(data: RankingData, scores: Floats, measure: MeasureLike) -> float:
    """The mean of a measure over the queries of some data, ranked by scores."""
    from riskrank.measures.evaluate import evaluate

    judged = evaluate(data, {"model": scores}, measure)
    return float(weighted_mean(judged["model"], judged.relative_weights))


def _name_in_card(baseline: str, data: RankingData) -> str:
    """Of scores that came with the data their plain name: ``column:bm25`` would be a feature of the model."""
    feature = feature_of(baseline)
    return str(feature.key) if feature is not None and feature.key in data.scores else baseline


def _categories_in_card(data: RankingData) -> dict[str, Any]:
    """The categories that were learned from; nothing where all features are numbers."""
    known = learned_columns(data).categories_by_key
    return {"categories": known} if known else {}


def _objective_of(saved: Mapping[str, Any], path: Path) -> Objective | None:
    """The objective of a card; None for one of a user's own, which prediction does not need."""
    name = decode(str, saved.get("objective"), path, field="objective.objective")
    parameters = {name: value for name, value in saved.items() if name != "objective"}
    try:
        return objective_named(name, **parameters)
    except RiskrankError:
        return None
