"""LinearRanker: weights by coordinate ascent on a measure."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from riskrank.parameters import between, whole
from riskrank.rankers.fitting.learner import Finished
from riskrank.rankers.linear.linear_model import LinearLearner, LinearModel

if TYPE_CHECKING:
    from riskrank.rankers.fitting.checkpoint import Checkpoint
    from riskrank.rankers.fitting.plan import FitPlan
    from riskrank.typing import Arrays, Floats, MeasureLike


class LinearRanker(LinearModel):
    """Weights found by coordinate ascent. Metzler and Croft 2007.

    A round goes through all features in random order and gives each the weight that ranks the training queries best.
    When a round gains no more than `tolerance`, the ascent begins anew from other weights; the first starts from equal
    ones. The best weights are used: by the validation queries if there are any.

    Parameters
    ----------
    measure, n_rounds
        What is optimised, and how many rounds there are at most.
    n_starts, tolerance
        How often the ascent begins, and the gain of a round that is too small to go on.
    early_stopping, valid_measure, n_threads, random_state, verbose
        As in `LambdaMART`.
    """

    def __init__(
        self,
        measure: MeasureLike = "nDCG@10",
        *,
        n_rounds: int = 50,
        n_starts: int = 3,
        tolerance: float = 1e-4,
        early_stopping: int | None = None,
        valid_measure: MeasureLike | None = None,
        n_threads: int | None = None,
        random_state: int = 0,
        verbose: bool | None = None,
    ) -> None:
        self.measure = measure
        self.n_rounds = n_rounds
        self.n_starts = n_starts
        self.tolerance = tolerance
        self.early_stopping = early_stopping
        self.valid_measure = valid_measure
        self.n_threads = n_threads
        self.random_state = random_state
        self.verbose = verbose

    def check_parameters(self) -> None:
        super().check_parameters()
        whole("n_starts", self.n_starts, 1)
        between("tolerance", self.tolerance, 0, np.inf)

    def learner(self, plan: FitPlan, checkpoint: Checkpoint | None) -> CoordinateAscent:
        return CoordinateAscent(plan, self, checkpoint)


class CoordinateAscent(LinearLearner[LinearRanker]):
    """One round: every feature once, from new weights if the last round gained nothing."""

    def __init__(self, plan: FitPlan, ranker: LinearRanker, checkpoint: Checkpoint | None) -> None:
        super().__init__(plan, ranker, checkpoint)
        self._starts = 0 if checkpoint is None else int(checkpoint.numbers("starts"))
        self._is_done = checkpoint is None or bool(checkpoint.numbers("is_done"))

    def round(self, number: int) -> Floats:
        rng = np.random.default_rng((self.seed, number + 1))
        weights = self.weights
        if self._is_done:
            if self._starts == self.ranker.n_starts:
                raise Finished(f"nothing is left to gain after {number} rounds")
            weights = np.zeros(len(weights))
            weights[self.usable] = 1.0 if self._starts == 0 else rng.normal(size=len(self.usable))
            weights /= np.abs(weights).sum()
            self._starts += 1
        before = self.bound.mean(self.change(weights))
        weights = self.adjusted(weights, rng.permutation(self.usable))
        values = self.change(weights / np.abs(weights).sum())
        self._is_done = bool(self.bound.mean(values) - before <= self.ranker.tolerance)
        return values

    def arrays(self) -> Arrays:
        return {**super().arrays(), "starts": np.array(self._starts), "is_done": np.array(self._is_done)}
