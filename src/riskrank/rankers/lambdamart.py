"""LambdaMART: boosted trees for any measure and any risk target, on LightGBM or XGBoost."""

from __future__ import annotations

import json
import math
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from riskrank.errors import AlignmentError, FileError, ParameterError, quoted
from riskrank.measures import parse_measure
from riskrank.objectives.baselines import BaselineScores, baseline_scores
from riskrank.objectives.gain import Gain
from riskrank.objectives.lambdas import Lambdas, usable_cores
from riskrank.objectives.objective import Objective, objective_named
from riskrank.rankers import card as cards
from riskrank.rankers.boosting import Boosted, Side, Stopping, boost
from riskrank.rankers.checkpoint import read_checkpoint
from riskrank.rankers.estimator import BaseEstimator
from riskrank.rankers.history import History
from riskrank.rankers.inputs import check_features, features_of, training_data
from riskrank.rankers.progress import Progress
from riskrank.rankers.settings import MODEL_FILES, TreeSettings, engine_named
from riskrank.rankers.start import STARTS, finite, start_scale
from riskrank.rankers.validation import TARGET, validation_side, watched_value

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from riskrank.data.ranking_data import RankingData

    Floats = NDArray[np.float64]

HISTORY = "history.json"


class LambdaMART(BaseEstimator):  # type: ignore[misc]
    """Boosted trees that rank documents, trained for an objective.

    `objective`: `Gain("nDCG@10")`, `URisk("nDCG@10", alpha=5)`, … `engine`: ``"lightgbm"`` or ``"xgboost"``;
    `engine_params` go to the engine as they are. `early_stopping`: stop when the validation queries have not improved
    for so many trees, by `valid_measure`: a measure (default: the objective's) or ``"target"``, the value that the
    objective itself gives the model. `start`: ``"zero"``, or ``"baseline"`` to boost from its scores, scaled to a
    standard deviation of `start_spread` within queries; such a model needs the baseline to predict. `fast`: LightGBM's
    quantised gradients, a third to a half less time for slightly coarser trees. `verbose`: True or False for the
    progress bar; None shows it on a terminal.
    """

    def __init__(
        self,
        objective: Objective | None = None,
        *,
        n_trees: int = 300,
        n_leaves: int = 31,
        min_docs_in_leaf: int | None = None,
        learning_rate: float = 0.1,
        early_stopping: int | None = None,
        valid_measure: str | None = None,
        start: str = "zero",
        start_spread: float = 1.0,
        fast: bool = False,
        engine: str = "lightgbm",
        engine_params: dict[str, Any] | None = None,
        n_threads: int | None = None,
        random_state: int = 0,
        verbose: bool | None = None,
    ) -> None:
        self.objective = objective
        self.n_trees = n_trees
        self.n_leaves = n_leaves
        self.min_docs_in_leaf = min_docs_in_leaf
        self.learning_rate = learning_rate
        self.early_stopping = early_stopping
        self.valid_measure = valid_measure
        self.start = start
        self.start_spread = start_spread
        self.fast = fast
        self.engine = engine
        self.engine_params = engine_params
        self.n_threads = n_threads
        self.random_state = random_state
        self.verbose = verbose

    def fit(
        self,
        X: Any,  # noqa: N803 (scikit-learn's name)
        y: Any = None,
        *,
        qid: Any = None,
        group: Any = None,
        baseline: Any = None,
        valid: Any = None,
        valid_baseline: Any = None,
        checkpoint: str | os.PathLike[str] | None = None,
        checkpoint_every: int = 50,
        resume: bool = False,
    ) -> LambdaMART:
        """Train on `RankingData`, a LETOR file, or arrays with `qid` (any order) or `group`.

        `baseline`: a `Feature`, scores of the documents, a run, fitted rankers, or several of them. `valid`: more
        data (or a tuple X, y, qid); a baseline given as scores needs `valid_baseline` for it. `checkpoint`: a folder
        that gets the state of training every `checkpoint_every` trees and when it is interrupted; with `resume`,
        training goes on from there and ends in the very model that it would have given without interruption.
        """
        objective = Gain() if self.objective is None else self.objective
        settings = self._checked(objective)
        if not isinstance(checkpoint_every, int | np.integer) or checkpoint_every < 1:
            raise ParameterError(f"checkpoint_every must be a whole number from 1, got {checkpoint_every!r}.")
        for name, value in (("valid_measure", self.valid_measure), ("valid_baseline", valid_baseline)):
            if value is not None and valid is None:
                raise ParameterError(f"{name} needs validation data: pass valid=.")
        engine = engine_named(self.engine)
        data = training_data(X, y, qid=qid, group=group)
        check_features(data)
        baselines = baseline_scores(baseline, data, in_source_order=X is not data)
        lambdas = Lambdas(objective, data, baselines, n_threads=settings.n_threads, dtype=np.float32)
        train = Side(lambdas, None)
        scale = None
        if self.start == "baseline":
            if len(baselines) != 1:
                raise ParameterError(f"start='baseline' needs exactly one baseline, got {len(baselines)}.")
            scale = start_scale(baselines[0], data, self.start_spread)
            train = Side(lambdas, scale * finite(baselines[0].scores))
        other = None
        if valid is not None:
            other = validation_side(valid, train, baseline, valid_baseline, len(baselines), scale)
        elif self.early_stopping is not None:
            raise ParameterError("early_stopping needs validation data: pass valid=.")
        folder = None if checkpoint is None else Path(checkpoint)
        if folder is not None and folder.exists() and not folder.is_dir():
            raise FileError(folder, "is a file; checkpoints need a folder.")
        identity = self._identity(objective, data, other, baselines)
        if resume and folder is None:
            raise ParameterError("resume needs the checkpoint folder: pass checkpoint=.")
        begun = read_checkpoint(folder, identity) if resume and folder is not None else None
        valid_data = None if other is None else other.lambdas.data
        trees = engine.Trees(data, valid_data, settings, None if begun is None else begun.earlier)
        watched = None
        if other is not None and (self.early_stopping is not None or self.valid_measure is not None):
            watched = watched_value(self.valid_measure, other.lambdas)
        stopping = Stopping(self.n_trees, self.early_stopping, watched, folder, checkpoint_every, identity)
        done = 0 if begun is None else begun.n_trees
        with Progress(f"LambdaMART {objective!r}", self.n_trees, show=self.verbose, done=done) as progress:
            result = boost(trees, train, other, stopping, progress, begun)
        self._keep(result, engine, objective, data, baselines, other, scale)
        if result.is_interrupted:
            raise KeyboardInterrupt
        return self

    def predict(self, X: Any, *, baseline: Any = None) -> Floats:  # noqa: N803 (scikit-learn's name)
        """A score for each document, in the order of `X`; `baseline` for a model that starts from one."""
        self._check_fitted()
        if isinstance(X, str | os.PathLike):
            X = training_data(X)  # noqa: N806 (scikit-learn's name)
        data = None if not hasattr(X, "query_offsets") else X
        features = features_of(X) if data is None else data.features
        if features.shape[1] != self.n_features_in_:
            raise AlignmentError(f"the model has {self.n_features_in_} features, the data have {features.shape[1]}.")
        scores: Floats = self.model_.predict(features, n_trees=self.best_trees_, n_threads=self.n_threads)
        if self.start_scale_ is not None:
            scores = scores + self.start_scale_ * self._start_scores(data, features, baseline)
        return scores

    def score(
        self,
        X: Any,  # noqa: N803 (scikit-learn's name)
        y: Any = None,
        *,
        qid: Any = None,
        group: Any = None,
    ) -> float:
        """The mean of the objective's measure over the queries, for scikit-learn's searches."""
        from riskrank.measures.evaluate import evaluate

        data = training_data(X, y, qid=qid, group=group)
        values = evaluate(data, {"model": self.predict(data)}, parse_measure(self._objective().measure))
        return float(values.matrix.mean())

    @property
    def feature_importances_(self) -> Floats:
        """The share of each feature in what all splits gained."""
        self._check_fitted()
        gain: Floats = self.model_.importances()["gain"]
        total = gain.sum()
        return gain / total if total > 0 else gain

    @property
    def label(self) -> str:
        """A short name, for tables."""
        return repr(self._objective())

    def save(self, folder: str | os.PathLike[str]) -> None:
        """Write the model: the engine's own file, a JSON card and the history."""
        self._check_fitted()
        history = json.dumps(self.history_.to_json()).encode()
        file = MODEL_FILES[self.card_["parameters"]["engine"]]
        cards.write_model(folder, self.card_, {file: self.model_text_, HISTORY: history}, stale=MODEL_FILES.values())

    @classmethod
    def load(cls, folder: str | os.PathLike[str]) -> LambdaMART:
        """A model that `save` wrote; no training data are needed."""
        card = cards.read_card(folder)
        if card.get("kind") != "LambdaMART":
            raise ParameterError(f"{folder} is a {card.get('kind')}, not a LambdaMART. Load it with riskrank.load.")
        try:
            parameters = dict(card["parameters"])
            ranker = cls(_objective_of(card["objective"]), **parameters)
            file = MODEL_FILES[parameters["engine"]]
            ranker.model_text_ = cards.read_part(folder, file, card)
            ranker.history_ = History.from_json(json.loads(cards.read_part(folder, HISTORY, card)))
            ranker._from_card(card)
        except (KeyError, TypeError, AttributeError) as error:
            raise FileError(Path(folder) / cards.NAME, f"is not the card of a LambdaMART ({error!r}).") from None
        ranker.model_ = engine_named(parameters["engine"]).Model(ranker.model_text_, path=Path(folder) / file)
        return ranker

    def _checked(self, objective: Objective) -> TreeSettings:
        if not isinstance(objective, Objective):
            raise ParameterError(f"objective must be an objective like URisk('nDCG@10', alpha=5), got {objective!r}.")
        for name, least in (("n_trees", 1), ("n_leaves", 2), ("early_stopping", 1), ("min_docs_in_leaf", 0)):
            value = getattr(self, name)
            optional = name in ("early_stopping", "min_docs_in_leaf")
            if (value is None and optional) or (isinstance(value, int | np.integer) and value >= least):
                continue
            raise ParameterError(f"{name} must be a whole number from {least}, got {value!r}.")
        for name in ("learning_rate", "start_spread"):
            value = getattr(self, name)
            if not (isinstance(value, int | float | np.number) and math.isfinite(value) and value > 0):
                raise ParameterError(f"{name} must be a number above 0, got {value!r}.")
        if self.start not in STARTS:
            raise ParameterError(f"start must be one of {', '.join(STARTS)}, got {quoted(str(self.start))}.")
        if self.valid_measure not in (None, TARGET):
            parse_measure(self.valid_measure).swaps  # noqa: B018 (an unknown one raises here, before any work)
        for name in ("random_state", "n_threads"):
            value, least = getattr(self, name), 0 if name == "random_state" else 1
            if value is None and name == "n_threads":
                continue
            if not isinstance(value, int | np.integer) or isinstance(value, bool) or value < least:
                raise ParameterError(f"{name} must be a whole number from {least}, got {value!r}.")
        if self.engine_params is not None and not isinstance(self.engine_params, dict):
            raise ParameterError(f"engine_params must be a dict of parameters, got {self.engine_params!r}.")
        return TreeSettings(
            n_leaves=int(self.n_leaves),
            min_docs_in_leaf=self.min_docs_in_leaf,
            learning_rate=float(self.learning_rate),
            n_threads=int(self.n_threads or usable_cores()),
            random_state=int(self.random_state),
            fast=bool(self.fast),
            engine_params=dict(self.engine_params or {}),
        )

    def _identity(
        self, objective: Objective, data: RankingData, valid: Side | None, baselines: list[BaselineScores]
    ) -> dict[str, Any]:
        """What must be the same for training to go on from a checkpoint."""
        parameters = self._plain_parameters()
        for name in ("n_threads", "verbose"):
            parameters.pop(name)
        return {
            "objective": objective.to_dict(),
            "training data": cards.fingerprint(data),
            "validation data": None if valid is None else cards.fingerprint(valid.lambdas.data),
            "baselines": {baseline.name: cards.array_digest(baseline.scores) for baseline in baselines},
            "validation baselines": None if valid is None else cards.array_digest(valid.lambdas.baseline_values),
            **parameters,
            "engine version": engine_named(self.engine).VERSION,
        }

    def _plain_parameters(self) -> dict[str, Any]:
        parameters = {name: value for name, value in self.get_params(deep=False).items() if name != "objective"}
        return {name: _plain(value) for name, value in parameters.items()}

    def _keep(
        self,
        result: Boosted,
        engine: Any,
        objective: Objective,
        data: RankingData,
        baselines: list[BaselineScores],
        valid: Side | None,
        scale: float | None,
    ) -> None:
        self.model_text_ = result.model
        self.model_ = engine.Model(result.model)
        self.history_ = result.history
        card = {
            "kind": "LambdaMART",
            "created": cards.now(),
            "objective": objective.to_dict(),
            "parameters": self._plain_parameters(),
            "trees": result.n_trees,
            "best_trees": result.best_trees,
            "ending": result.ending,
            "features": data.n_features,
            "first_feature": data.first_feature,
            "baselines": [baseline.name for baseline in baselines],
            "needs_baseline": scale is not None,
            "start_scale": scale,
            "training_data": cards.described(data),
            "validation_data": None if valid is None else cards.described(valid.lambdas.data),
            "versions": cards.versions(**{engine.NAME: engine.VERSION}),
        }
        self._from_card(card)

    def _from_card(self, card: dict[str, Any]) -> None:
        self.card_ = {name: value for name, value in card.items() if name not in ("format", "files")}
        self.best_trees_ = int(card["best_trees"])
        self.n_features_in_ = int(card["features"])
        self.start_scale_ = card["start_scale"]

    def _start_scores(self, data: RankingData | None, features: Any, baseline: Any) -> Floats:
        name = self.card_["baselines"][0]
        if baseline is None and name.startswith("feature:"):
            number = int(name.removeprefix("feature:")) - self.card_["first_feature"]
            return finite(np.asarray(features[:, number], dtype=np.float64))
        if baseline is None:
            raise ParameterError(f"this model starts from its baseline ({name}): pass baseline= for these documents.")
        if data is None:
            scores = np.asarray(baseline, dtype=np.float64)
            if scores.shape != (len(features),):
                raise AlignmentError(f"baseline needs a score for each of the {len(features)} documents.")
            return finite(scores)
        return finite(baseline_scores(baseline, data)[0].scores)

    def _objective(self) -> Objective:
        return Gain() if self.objective is None else self.objective

    def _check_fitted(self) -> None:
        if not hasattr(self, "model_"):
            raise ParameterError("this LambdaMART is not fitted yet. Call fit, or load a model.")


def _plain(value: Any) -> Any:
    """NumPy's numbers as Python's, also inside a dict."""
    if isinstance(value, dict):
        return {str(name): _plain(each) for name, each in value.items()}
    return value.item() if isinstance(value, np.generic) else value


def _objective_of(described: dict[str, Any]) -> Objective | None:
    """The objective of a card; None for one of a user's own, which prediction does not need."""
    parameters = {name: value for name, value in described.items() if name != "objective"}
    try:
        return objective_named(described["objective"], **parameters)
    except ParameterError:
        return None
