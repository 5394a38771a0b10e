"""What rankers of boosted trees have in common: how they learn, their engines, files and importances."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from riskrank.data.shards.data_share import DataShare
from riskrank.errors import FileError, ParameterError
from riskrank.objectives.on_data.bound_objective import BoundObjective
from riskrank.objectives.on_data.shared_objective import SharedObjective
from riskrank.parameters import FASTEST, positive, whole
from riskrank.rankers.fitting.learner import Finished, Learner, SeenValues, check_gradients
from riskrank.rankers.ranker import Ranker
from riskrank.rankers.trees.engine import BLOCK, GrownTrees, check_engine, engine_named, plain_names
from riskrank.rankers.trees.model_texts import LARGEST_MODEL

if TYPE_CHECKING:
    from riskrank.data.baseline_scores import BaselineScores
    from riskrank.data.ranking_data import RankingData
    from riskrank.objectives.objective import Objective
    from riskrank.objectives.on_data.bound_objective import Gradients
    from riskrank.rankers.card import SavedModel
    from riskrank.rankers.fitting.checkpoint import Checkpoint
    from riskrank.rankers.fitting.loop import FitResult
    from riskrank.rankers.fitting.plan import FitPlan
    from riskrank.typing import Arrays, EngineName, Floats, Singles


class GradientSource(Protocol):
    """What trees are grown for: an objective on data, or another error to lower."""

    def gradients(self, scores: Floats) -> Gradients:
        """Under the scores of all documents; and the effectiveness of their queries."""


class Boosting(Learner):
    """Trees of a ranker's engine, each grown to the gradients that a source has for the present scores.

    `gains` tell how good each document is, largest 1, where gradients should follow them.
    """

    def __init__(
        self,
        plan: FitPlan,
        ranker: BoostedTrees,
        checkpoint: Checkpoint | None,
        *,
        source: GradientSource,
        gains: Singles | None,
    ) -> None:
        self.plan = plan
        self._source = source
        self._gains = gains
        self._engine = engine_named(ranker.engine)
        grown = None
        if checkpoint is not None:
            data = {"train_scores": plan.train, **({} if plan.valid is None else {"valid_scores": plan.valid})}
            needed = data if self._engine.NEEDS_SCORES else {}
            scores = [checkpoint.numbers(name, each.bound.data.n_documents) for name, each in needed.items()]
            text = checkpoint.numbers("model", None, np.uint8).tobytes()
            categories = plan.train.bound.data.categories
            model = self._engine.read_model(text, checkpoint.path, categories)
            if (model.n_trees, model.n_features) != (checkpoint.n_steps, plan.train.bound.data.n_features):
                raise checkpoint.misfit("model")
            grown = GrownTrees(text, scores, checkpoint.n_steps)
        valid = None if plan.valid is None else plan.valid.bound.data
        self.trees = self._engine.Trees(plan.train.bound.data, valid, ranker, grown)

    def step(self, number: int) -> SeenValues:
        gradients = self._source.gradients(self.plan.train.scores(self.trees.train_scores()))
        total = self.plan.train.bound.data.total
        check_gradients(gradients, self._gains, self.plan.objective, n_steps=number, unit=self.plan.unit, total=total)
        if not self.trees.grow(gradients, number):
            raise Finished(f"no split was worth another tree after {number} trees")
        return SeenValues(number, gradients.values.reported)

    def final_values(self) -> Floats:
        return self.plan.train.bound.values(self.plan.train.scores(self.trees.train_scores()))

    def valid_scores(self) -> Floats:
        return self.trees.valid_scores()

    def keep(self) -> None:
        """The best model is the first trees of this one; nothing needs to be copied."""

    def is_resumable(self, number: int) -> bool:
        return not self.trees.is_random or number % BLOCK == 0

    def arrays(self) -> Arrays:
        model = np.frombuffer(self.trees.text(), np.uint8)
        if not self._engine.NEEDS_SCORES:
            return {"model": model}
        valid = {} if self.plan.valid is None else {"valid_scores": self.trees.valid_scores()}
        return {"model": model, "train_scores": self.trees.train_scores(), **valid}


class BoostedTrees(Ranker):
    """Base of the rankers that grow trees."""

    unit = "trees"
    takes_categories = True

    n_trees: int
    n_leaves: int
    min_docs_in_leaf: int | None
    learning_rate: float
    fast: bool
    engine: EngineName
    engine_params: dict[str, Any] | None

    @property
    def best_trees_(self) -> int:
        """How many trees are used."""
        return self.best_steps_

    @property
    def booster_(self) -> Any:
        """The engine's own model: a `lightgbm.Booster` or an `xgboost.Booster` that scores as `predict` does."""
        self.check_fitted()
        return self.model_.booster

    def importances(self) -> dict[str, Floats]:
        """What each feature gained in all splits, and how often it split."""
        self.check_fitted()
        return self.model_.importances()

    def check_parameters(self) -> None:
        super().check_parameters()
        whole("n_trees", self.n_trees, 1)
        whole("n_leaves", self.n_leaves, 2)
        whole("min_docs_in_leaf", self.min_docs_in_leaf, 0, optional=True)
        positive("learning_rate", self.learning_rate, most=FASTEST)
        if self.engine_params is not None and not isinstance(self.engine_params, dict):
            raise ParameterError(f"engine_params must be a dict of parameters, got {self.engine_params!r}.")
        check_engine(self.engine)

    @property
    def n_steps(self) -> int:
        return int(self.n_trees)

    def bind(self, objective: Objective, data: RankingData, baselines: list[BaselineScores]) -> BoundObjective:
        kind = SharedObjective if isinstance(data, DataShare) else BoundObjective
        return kind(objective, data, baselines, n_threads=self.usable_threads, dtype=np.float32)

    def learner(self, plan: FitPlan, checkpoint: Checkpoint | None) -> Boosting:
        bound = plan.train.bound
        highest = bound.data.largest(bound.gains.max(initial=0.0, keepdims=True)).item()
        gains = (bound.gains / max(highest, 1e-30)).astype(np.float32)
        return Boosting(plan, self, checkpoint, source=bound, gains=gains)

    def adopt(self, learner: Boosting, result: FitResult) -> None:
        engine = engine_named(self.engine)
        self.model_text_ = engine.model_file(learner.trees.text(), self.best_trees_, plain_names(self.columns_))
        self.model_ = engine.read_model(self.model_text_, "the model", self.columns_.categories)

    def score_documents(self, features: Singles) -> Floats:
        if not self.best_trees_ or not len(features):
            return np.zeros(len(features))
        return self.model_.predict(features, n_trees=self.best_trees_, n_threads=self.n_threads)

    def feature_contributions(self, features: Singles) -> Floats:
        if not self.best_trees_ or not len(features):
            return np.zeros((len(features), self.n_features_in_ + 1))
        return self.model_.contributions(features, n_trees=self.best_trees_, n_threads=self.n_threads)

    def model_files(self) -> dict[str, bytes]:
        return {engine_named(self.card_["parameters"].get("engine", self.engine)).MODEL_FILE: self.model_text_}

    def restore(self, saved: SavedModel) -> None:
        engine = engine_named(self.engine)
        path = saved.folder / engine.MODEL_FILE
        self.model_text_ = saved.file(engine.MODEL_FILE, largest=LARGEST_MODEL)
        self.model_ = engine.read_model(self.model_text_, path, self.columns_.categories)
        if self.model_.n_features != self.n_features_in_:
            raise FileError(path, f"has {self.model_.n_features} features, its card says {self.n_features_in_}.")
        if self.model_.n_trees < self.best_trees_:
            raise FileError(path, f"has {self.model_.n_trees} trees, its card says {self.best_trees_}.")

    def engine_versions(self) -> dict[str, str]:
        engine = engine_named(self.engine)
        return {engine.NAME: engine.VERSION}
