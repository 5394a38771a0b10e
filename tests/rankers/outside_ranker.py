"""A ranker as another package might bring it, with no more than the contract asks for."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from riskrank.rankers.fitting.learner import Finished, SeenValues
from riskrank.rankers.ranker import Ranker

if TYPE_CHECKING:
    from riskrank import RankingData
    from riskrank.rankers.card import SavedModel
    from riskrank.rankers.fitting.checkpoint import Checkpoint
    from riskrank.rankers.fitting.loop import FitResult
    from riskrank.rankers.fitting.plan import FitPlan
    from riskrank.typing import Arrays, Floats, MeasureLike, Singles


class BestFeature(Ranker):
    """Tries one feature after the other; its model is the last one, or the best where validation queries decide."""

    unit = "tries"

    def __init__(
        self,
        measure: MeasureLike = "nDCG@10",
        *,
        n_tries: int = 5,
        early_stopping: int | None = None,
        valid_measure: MeasureLike | None = None,
        n_threads: int | None = None,
        random_state: int = 0,
        verbose: bool | None = None,
    ) -> None:
        self.measure = measure
        self.n_tries = n_tries
        self.early_stopping = early_stopping
        self.valid_measure = valid_measure
        self.n_threads = n_threads
        self.random_state = random_state
        self.verbose = verbose

    @property
    def n_steps(self) -> int:
        return self.n_tries

    def learner(self, plan: FitPlan, checkpoint: Checkpoint | None) -> Trial:
        return Trial(plan, checkpoint)

    def adopt(self, learner: Trial, result: FitResult) -> None:
        self.feature_ = result.best_steps - 1

    def score_documents(self, features: Singles) -> Floats:
        return features[:, self.feature_].astype(np.float64)

    def model_files(self) -> dict[str, bytes]:
        return {"feature.txt": str(self.feature_).encode()}

    def restore(self, saved: SavedModel) -> None:
        self.feature_ = int(saved.file("feature.txt"))


class Trial:
    """The learner: a step is a feature."""

    def __init__(self, plan: FitPlan, checkpoint: Checkpoint | None) -> None:
        self.plan = plan
        self.feature = -1 if checkpoint is None else int(checkpoint.arrays["feature"])
        self.kept: list[int] = []

    def step(self, number: int) -> SeenValues:
        data = self.plan.train.bound.data
        if number == data.n_features:
            raise Finished(f"all {number} features were tried")
        self.feature = number
        return SeenValues(number + 1, self.plan.train.bound.values(self.column(data)))

    def column(self, data: RankingData) -> Floats:
        return data.features[:, self.feature].astype(np.float64)

    def final_values(self) -> None:
        return None

    def valid_scores(self) -> Floats:
        assert self.plan.valid is not None  # else nobody asks
        return self.column(self.plan.valid.bound.data)

    def keep(self) -> None:
        self.kept.append(self.feature)

    def is_resumable(self, number: int) -> bool:
        return True

    def arrays(self) -> Arrays:
        return {"feature": np.array(self.feature)}
