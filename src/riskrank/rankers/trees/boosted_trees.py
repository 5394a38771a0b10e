"""What rankers of boosted trees have in common: engines, their parameters, files and importances."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from riskrank.errors import ParameterError
from riskrank.objectives.lambdas import Lambdas
from riskrank.parameters import positive, whole
from riskrank.rankers.ranker import Ranker
from riskrank.rankers.trees.boosting import Boosting
from riskrank.rankers.trees.tree_settings import MODEL_FILES, TreeSettings, engine_named

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from numpy.typing import NDArray

    from riskrank.data.baseline_scores import BaselineScores
    from riskrank.data.ranking_data import RankingData
    from riskrank.objectives.objective import Objective
    from riskrank.rankers.fitting.checkpoint import Checkpoint
    from riskrank.rankers.fitting.loop import Side, Trained
    from riskrank.typing import Floats


class BoostedTrees(Ranker):
    """Base of the rankers that grow trees."""

    unit = "trees"

    n_trees: int
    n_leaves: int
    min_docs_in_leaf: int | None
    learning_rate: float
    fast: bool
    engine: str
    engine_params: dict[str, Any] | None

    @property
    def best_trees_(self) -> int:
        """How many trees are used."""
        return self.best_steps_

    def importances(self) -> dict[str, Floats]:
        """What each feature gained in all splits, and how often it split."""
        self._check_fitted()
        found: dict[str, Floats] = self.model_.importances()
        return {"gain": found["gain"], "splits": found["split"]}

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

    def _lambdas(self, objective: Objective, data: RankingData, baselines: list[BaselineScores]) -> Lambdas:
        return Lambdas(objective, data, baselines, n_threads=self._threads, dtype=np.float32)

    def _learner(self, side: Side, valid: Side | None, begun: Checkpoint | None) -> Boosting:
        settings = TreeSettings(
            n_leaves=int(self.n_leaves),
            min_docs_in_leaf=self.min_docs_in_leaf,
            learning_rate=float(self.learning_rate),
            n_threads=self._threads,
            random_state=int(self.random_state),
            fast=bool(self.fast),
            engine_params=dict(self.engine_params or {}),
        )
        return Boosting(engine_named(self.engine), side, valid, settings, begun)

    def adopt(self, learner: Any, result: Trained) -> None:  # noqa: ARG002 (the trees tell all)
        self.model_text_ = learner.trees.text()
        self.model_ = engine_named(self.engine).Model(self.model_text_)

    def _score(self, features: NDArray[np.float32]) -> Floats:
        scores: Floats = self.model_.predict(features, n_trees=self.best_trees_, n_threads=self.n_threads)
        return scores

    def model_files(self) -> dict[str, bytes]:
        return {MODEL_FILES[self.card_["parameters"]["engine"]]: self.model_text_}

    def _restore(self, folder: Path, part: Callable[[str], bytes]) -> None:
        file = MODEL_FILES[self.engine]
        self.model_text_ = part(file)
        self.model_ = engine_named(self.engine).Model(self.model_text_, path=folder / file)

    def engine_versions(self) -> dict[str, str]:
        engine = engine_named(self.engine)
        return {engine.NAME: engine.VERSION}
