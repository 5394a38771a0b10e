"""Regression trees: boosted trees that predict each document's gain, knowing nothing of rankings."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from riskrank.objectives.lambdas import Lambdas
from riskrank.rankers.trees.boosted_trees import BoostedTrees

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from riskrank.data.baseline_scores import BaselineScores
    from riskrank.data.ranking_data import RankingData
    from riskrank.objectives.objective import Objective
    from riskrank.rankers.fitting.loop import Trained
    from riskrank.typing import Floats


class Residuals(Lambdas):
    """The forces of least squares: each document is pulled towards its label, whatever the others do."""

    is_ordering = False

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        labels = np.asarray(self.data.labels, np.float64)
        self.mean_label = float(labels.mean())
        self._wanted = labels - self.mean_label  # so that the first trees need not learn a constant
        self.hessian[:] = 1.0

    def __call__(self, scores: Floats) -> tuple[NDArray[Any], NDArray[Any]]:
        """Gradient and hessian of half the squared error."""
        self.evaluate(scores)
        np.subtract(scores, self._wanted, out=self.gradient, casting="same_kind")
        return self.gradient, self.hessian


class RegressionTrees(BoostedTrees):
    """Boosted trees fitted to the labels by least squares, the pointwise learner of Dinçer et al. 2016.

    `measure` is what the history shows and what early stopping goes by. The other parameters are those of `LambdaMART`.
    """

    def __init__(
        self,
        measure: Any = "nDCG@10",
        *,
        n_trees: int = 300,
        n_leaves: int = 31,
        min_docs_in_leaf: int | None = None,
        learning_rate: float = 0.1,
        early_stopping: int | None = None,
        valid_measure: str | None = None,
        fast: bool = False,
        engine: str = "lightgbm",
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
        """A short name, for tables."""
        return "RegressionTrees()"

    def _lambdas(self, objective: Objective, data: RankingData, baselines: list[BaselineScores]) -> Lambdas:
        return Residuals(objective, data, baselines, n_threads=self._threads, dtype=np.float32)

    def adopt(self, learner: Any, result: Trained) -> None:
        super().adopt(learner, result)
        self.card_["mean_label"] = learner.side.lambdas.mean_label

    def _score(self, features: NDArray[np.float32]) -> Floats:
        return super()._score(features) + float(self.card_["mean_label"])
