"""AdaRank: boosting of single features, with more weight for the queries that are still ranked badly."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from riskrank.errors import ParameterError
from riskrank.parameters import boolean
from riskrank.rankers.fitting.learner import Finished
from riskrank.rankers.linear.linear_model import LinearLearner, LinearModel

if TYPE_CHECKING:
    from riskrank.rankers.fitting.checkpoint import Checkpoint
    from riskrank.rankers.fitting.plan import FitPlan
    from riskrank.typing import Arrays, Floats, MeasureLike

PERFECT = 1e-9  # what is nearer to 1 is 1


class AdaRank(LinearModel):
    r"""A sum of weak rankers, each of them one feature. Xu and Li 2007.

    .. math:: \alpha_t = \tfrac12 \ln \frac{\sum_q P_t(q) (1 + E_q)}{\sum_q P_t(q) (1 - E_q)} ,\quad
              P_{t+1}(q) \propto e^{-E_q(f_t)}

    with E the measure, from 0 to 1, of the chosen feature or of the whole model. The weights of the best round are
    used: by the validation queries if there are any, else by the training queries. Departures: a feature may also
    count downwards (`signed`), and one that changed no training query is not chosen again in the next round, where
    the published algorithm would choose it for ever.

    Parameters
    ----------
    measure, n_rounds
        What is optimised, from 0 to 1, and how many rounds there are at most.
    signed
        May a feature count downwards?
    early_stopping, valid_measure, n_threads, random_state, verbose
        As in `LambdaMART`.
    """

    def __init__(
        self,
        measure: MeasureLike = "nDCG@10",
        *,
        n_rounds: int = 300,
        signed: bool = True,
        early_stopping: int | None = None,
        valid_measure: MeasureLike | None = None,
        n_threads: int | None = None,
        random_state: int = 0,
        verbose: bool | None = None,
    ) -> None:
        self.measure = measure
        self.n_rounds = n_rounds
        self.signed = signed
        self.early_stopping = early_stopping
        self.valid_measure = valid_measure
        self.n_threads = n_threads
        self.random_state = random_state
        self.verbose = verbose

    def learner(self, plan: FitPlan, checkpoint: Checkpoint | None) -> AdaRankLearner:
        return AdaRankLearner(plan, self, checkpoint)

    def check_parameters(self) -> None:
        super().check_parameters()
        boolean("signed", self.signed)


class AdaRankLearner(LinearLearner[AdaRank]):
    """One round: the feature that ranks the heavy queries best gets more weight."""

    def __init__(self, plan: FitPlan, ranker: AdaRank, checkpoint: Checkpoint | None) -> None:
        super().__init__(plan, ranker, checkpoint)
        signs = (1.0, -1.0) if ranker.signed else (1.0,)
        self._weak = [(int(f), sign) for f in self.usable for sign in signs]
        self._alone = np.array([self.values_of(sign * self.column(f), 1.0) for f, sign in self._weak])
        most = float(self.bound.values(self.bound.gains).max())
        if most > 1 + PERFECT:
            measure = self.bound.objective.measure
            raise ParameterError(f"AdaRank needs a measure from 0 to 1, {measure} goes up to {most:.4g}.")
        self._now = None if checkpoint is None else self.values_of(self.scores, float(np.abs(self.weights).sum()))
        self._barred = -1 if checkpoint is None else int(checkpoint.numbers("barred"))
        if checkpoint is not None and self._barred >= len(self._weak):
            raise checkpoint.misfit("barred")

    def round(self, number: int) -> Floats:
        if self._now is not None and self._now.min() > 1 - PERFECT:
            raise Finished(f"every training query is ranked perfectly after {number} rounds")
        n_queries = self._alone.shape[1]
        importance = np.full(n_queries, 1 / n_queries) if self._now is None else np.exp(-self._now)
        if self.bound.weights is not None:
            importance = importance * self.bound.weights
        importance /= importance.sum()
        strength = self._alone @ importance
        if self._barred >= 0 and len(strength) > 1:
            strength[self._barred] = -np.inf
        chosen = int(np.argmax(strength))
        right, wrong = importance @ (1 + self._alone[chosen]), importance @ (1 - self._alone[chosen])
        feature, sign = self._weak[chosen]
        weights = self.weights.copy()
        weights[feature] += sign * 0.5 * np.log(right / max(wrong, PERFECT))
        before, values = self._now, self.change(weights)
        self._barred = chosen if before is not None and np.array_equal(before, values) else -1
        self._now = values
        return values

    def arrays(self) -> Arrays:
        return {**super().arrays(), "barred": np.array(self._barred)}
