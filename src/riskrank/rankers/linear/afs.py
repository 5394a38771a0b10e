"""AFS: a linear model that takes in one feature after the other, each time the one that helps most."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from riskrank.parameters import between, boolean
from riskrank.rankers.fitting.learner import Finished
from riskrank.rankers.linear.line_search import best_weight
from riskrank.rankers.linear.linear_model import LinearLearner, LinearModel

if TYPE_CHECKING:
    from riskrank.rankers.fitting.checkpoint import Checkpoint
    from riskrank.rankers.fitting.plan import FitPlan
    from riskrank.typing import Floats, MeasureLike


class AFS(LinearModel):
    """Automatic feature selection: greedy, with a line search for each candidate's weight. Metzler 2007.

    A round tries every feature that is not in the model, and takes in the one whose best weight raises the training
    measure most.

    Parameters
    ----------
    measure, n_rounds
        What is optimised, and how many rounds there are at most.
    tolerance
        Training ends when no feature raises the measure by more than this.
    adjust
        Adjust the weights of all features that are in, after each round.
    early_stopping, valid_measure, n_threads, random_state, verbose
        As in `LambdaMART`.
    """

    def __init__(
        self,
        measure: MeasureLike = "nDCG@10",
        *,
        n_rounds: int = 50,
        tolerance: float = 1e-4,
        adjust: bool = True,
        early_stopping: int | None = None,
        valid_measure: MeasureLike | None = None,
        n_threads: int | None = None,
        random_state: int = 0,
        verbose: bool | None = None,
    ) -> None:
        self.measure = measure
        self.n_rounds = n_rounds
        self.tolerance = tolerance
        self.adjust = adjust
        self.early_stopping = early_stopping
        self.valid_measure = valid_measure
        self.n_threads = n_threads
        self.random_state = random_state
        self.verbose = verbose

    def check_parameters(self) -> None:
        super().check_parameters()
        between("tolerance", self.tolerance, 0, np.inf)
        boolean("adjust", self.adjust)

    def learner(self, plan: FitPlan, checkpoint: Checkpoint | None) -> AFSLearner:
        return AFSLearner(plan, self, checkpoint)


class AFSLearner(LinearLearner[AFS]):
    """One round: one more feature, the one that helps most."""

    def round(self, number: int) -> Floats:
        size = float(np.abs(self.weights).sum())
        value = self.worth(size)
        worth = value(self.scores) if size else -np.inf  # any feature is better than none
        candidates = {
            int(f): best_weight(self.scores, self.column(int(f)), value, now=(0.0, worth))
            for f in self.usable
            if self.weights[f] == 0
        }
        chosen = max(candidates, key=lambda f: candidates[f][1], default=None)
        if chosen is None:
            raise Finished(f"all usable features are in after {number} rounds")
        weight, better = candidates[chosen]
        if weight == 0 or better - worth <= self.ranker.tolerance:
            raise Finished(f"no other feature helps after {number} rounds")
        weights = self.weights.copy()
        weights[chosen] = weight
        if self.ranker.adjust and number:
            weights = self.adjusted(weights, np.flatnonzero(weights))
        return self.change(weights)
