"""Regression trees: boosted trees that predict each document's gain, knowing nothing of rankings."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from riskrank.files.records import decode
from riskrank.objectives.on_data.bound_objective import BoundObjective, Gradients
from riskrank.objectives.on_data.weighing import gradient_weights
from riskrank.rankers.trees.boosted_trees import BoostedTrees, Boosting
from riskrank.weights import weighted_mean

if TYPE_CHECKING:
    from riskrank.data.ranking_data import RankingData
    from riskrank.rankers.card import SavedModel
    from riskrank.rankers.fitting.checkpoint import Checkpoint
    from riskrank.rankers.fitting.loop import FitResult
    from riskrank.rankers.fitting.plan import FitPlan
    from riskrank.typing import EngineName, Floats, MeasureLike, Singles


class SquaredError:
    """Least squares: each document is drawn to its label, whatever the others do."""

    def __init__(self, bound: BoundObjective) -> None:
        self._bound = bound
        labels = np.asarray(bound.data.labels, np.float64)
        self._wanted = labels - mean_label(bound.data)  # so that the first trees need not learn a constant
        self._weights = gradient_weights(bound.data)
        ones = np.ones(len(labels), np.float32)
        self._hessian = ones if self._weights is None else self._weights.astype(np.float32)

    def gradients(self, scores: Floats) -> Gradients:
        """Gradient and hessian of half the squared error."""
        error = scores - self._wanted
        gradient = (error if self._weights is None else self._weights * error).astype(np.float32)
        return Gradients(gradient, self._hessian, self._bound.query_values(scores))


def mean_label(data: RankingData) -> float:
    """Over documents, by their weights."""
    return float(weighted_mean(np.asarray(data.labels, np.float64), gradient_weights(data)))


class RegressionTrees(BoostedTrees):
    """Boosted trees fitted to the labels by least squares, the pointwise learner of Dinçer et al. 2016.

    Other parameters are those of `LambdaMART`.

    Parameters
    ----------
    measure
        What the history shows and what early stopping goes by.
    """

    def __init__(
        self,
        measure: MeasureLike = "nDCG@10",
        *,
        n_trees: int = 300,
        n_leaves: int = 31,
        min_docs_in_leaf: int | None = None,
        learning_rate: float = 0.1,
        early_stopping: int | None = None,
        valid_measure: MeasureLike | None = None,
        fast: bool = False,
        engine: EngineName = "lightgbm",
        engine_params: dict[str, Any] | None = None,
        n_threads: int | None = None,
        random_state: int = 0,
        verbose: bool | None = None,
    ) -> None:
        self.measure = measure
        self.n_trees = n_trees
        self.n_leaves = n_leaves
        self.min_docs_in_leaf = min_docs_in_leaf
        self.learning_rate = learning_rate
        self.early_stopping = early_stopping
        self.valid_measure = valid_measure
        self.fast = fast
        self.engine = engine
        self.engine_params = engine_params
        self.n_threads = n_threads
        self.random_state = random_state
        self.verbose = verbose

    @property
    def label(self) -> str:
        return "RegressionTrees()"

    def learner(self, plan: FitPlan, checkpoint: Checkpoint | None) -> Boosting:
        return Boosting(plan, self, checkpoint, source=SquaredError(plan.train.bound), gains=None)

    def adopt(self, learner: Boosting, result: FitResult) -> None:
        super().adopt(learner, result)
        self.card_["mean_label"] = mean_label(learner.plan.train.bound.data)

    def restore(self, saved: SavedModel) -> None:
        decode(float, saved.card.get("mean_label"), saved.path, field="mean_label")
        super().restore(saved)

    def score_documents(self, features: Singles) -> Floats:
        return super().score_documents(features) + float(self.card_["mean_label"])

    def feature_contributions(self, features: Singles) -> Floats:
        parts = super().feature_contributions(features)
        parts[:, -1] += float(self.card_["mean_label"])
        return parts
