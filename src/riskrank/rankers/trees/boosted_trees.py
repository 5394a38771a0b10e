"""What rankers of boosted trees have in common: how they learn, their engines, files and importances."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from riskrank.errors import ParameterError
from riskrank.objectives.on_data.bound_objective import BoundObjective
from riskrank.parameters import positive, whole
from riskrank.rankers.fitting.learner import Finished, SeenValues, check_gradients
from riskrank.rankers.ranker import Ranker
from riskrank.rankers.trees.engine import GrownTrees, TreeSettings, engine_named

if TYPE_CHECKING:
    from riskrank.data.baseline_scores import BaselineScores
    from riskrank.data.ranking_data import RankingData
    from riskrank.objectives.objective import Objective
    from riskrank.objectives.on_data.bound_objective import Gradients
    from riskrank.rankers.card import SavedModel
    from riskrank.rankers.fitting.checkpoint import Checkpoint
    from riskrank.rankers.fitting.loop import FitResult
    from riskrank.rankers.fitting.plan import FitPlan
    from riskrank.rankers.trees.engine import Engine
    from riskrank.typing import Arrays, EngineName, Floats, Singles


class Loss(Protocol):
    """What trees are fitted to."""

    def gradients(self, scores: Floats) -> Gradients:
        """Gradients under the scores of all documents, and the effectiveness of their queries."""


class Boosting:
    """Trees of an engine, each grown to the gradients of the present scores."""

    def __init__(
        self,
        engine: Engine,
        plan: FitPlan,
        settings: TreeSettings,
        checkpoint: Checkpoint | None,
        *,
        loss: Loss,
        gains: Floats | Singles | None,
    ) -> None:
        self.plan = plan
        self._loss = loss
        self._gains = gains
        grown = None
        if checkpoint is not None:
            kept = checkpoint.arrays
            grown = GrownTrees(
                kept["model"].tobytes(), kept["train_scores"], kept.get("valid_scores"), checkpoint.n_steps
            )
        valid = None if plan.valid is None else plan.valid.bound.data
        self.trees = engine.Trees(plan.train.bound.data, valid, settings, grown)

    def step(self, number: int) -> SeenValues:
        gradients = self._loss.gradients(self.plan.train.scores(self.trees.train_scores()))
        check_gradients(gradients, self._gains, self.plan.objective, n_steps=number, unit=self.plan.unit)
        if not self.trees.grow(gradients, number):
            raise Finished(f"no split was worth a tree after {number}")
        return SeenValues(number, gradients.values.reported)

    def final_values(self) -> Floats:
        return self.plan.train.bound.values(self.plan.train.scores(self.trees.train_scores()))

    def valid_scores(self) -> Floats:
        return self.trees.valid_scores()

    def keep(self) -> None:
        """The best model is the first so many trees; nothing needs to be copied."""

    def is_resumable(self, number: int) -> bool:
        return self.trees.is_resumable(number)

    def arrays(self) -> Arrays:
        arrays: Arrays = {
            "model": np.frombuffer(self.trees.text(), np.uint8),
            "train_scores": self.trees.train_scores(),
        }
        return arrays if self.plan.valid is None else {**arrays, "valid_scores": self.trees.valid_scores()}


class BoostedTrees(Ranker):
    """Base of the rankers that grow trees."""

    unit = "trees"

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

    def importances(self) -> dict[str, Floats]:
        """What each feature gained in all splits, and how often it split."""
        self._check_fitted()
        importances = self.model_.importances()
        return {"gain": importances["gain"], "splits": importances["split"]}

    @property
    def feature_importances_(self) -> Floats:
        """The share of each feature in what all splits gained."""
        gain = self.importances()["gain"]
        total = gain.sum()
        return gain / total if total > 0 else gain

    def check_parameters(self) -> None:
        super().check_parameters()
        whole("n_trees", self.n_trees, 1)
        whole("n_leaves", self.n_leaves, 2)
        whole("min_docs_in_leaf", self.min_docs_in_leaf, 0, optional=True)
        positive("learning_rate", self.learning_rate)
        if self.engine_params is not None and not isinstance(self.engine_params, dict):
            raise ParameterError(f"engine_params must be a dict of parameters, got {self.engine_params!r}.")
        engine_named(self.engine)

    @property
    def n_steps(self) -> int:
        return int(self.n_trees)

    def bind(self, objective: Objective, data: RankingData, baselines: list[BaselineScores]) -> BoundObjective:
        return BoundObjective(objective, data, baselines, n_threads=self.usable_threads, dtype=np.float32)

    def learner(self, plan: FitPlan, checkpoint: Checkpoint | None) -> Boosting:
        bound = plan.train.bound
        gains = (bound.gains / max(float(bound.gains.max()), 1e-30)).astype(np.float32)
        return Boosting(engine_named(self.engine), plan, self.tree_settings, checkpoint, loss=bound, gains=gains)

    @property
    def tree_settings(self) -> TreeSettings:
        """What the engine is told."""
        return TreeSettings(
            n_leaves=int(self.n_leaves),
            min_docs_in_leaf=self.min_docs_in_leaf,
            learning_rate=float(self.learning_rate),
            n_threads=self.usable_threads,
            random_state=int(self.random_state),
            fast=bool(self.fast),
            engine_params=dict(self.engine_params or {}),
        )

    def adopt(self, learner: Boosting, result: FitResult) -> None:
        self.model_text_ = learner.trees.text()
        self.model_ = engine_named(self.engine).read_model(self.model_text_, "the model")

    def score_documents(self, features: Singles) -> Floats:
        return self.model_.predict(features, n_trees=self.best_trees_, n_threads=self.n_threads)

    def model_files(self) -> dict[str, bytes]:
        return {engine_named(self.card_["parameters"]["engine"]).MODEL_FILE: self.model_text_}

    def restore(self, saved: SavedModel) -> None:
        engine = engine_named(self.engine)
        self.model_text_ = saved.file(engine.MODEL_FILE)
        self.model_ = engine.read_model(self.model_text_, saved.folder / engine.MODEL_FILE)

    def engine_versions(self) -> dict[str, str]:
        engine = engine_named(self.engine)
        return {engine.NAME: engine.VERSION}
