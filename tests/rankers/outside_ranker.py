"""A ranker as another package might bring it, with no more than the contract asks for."""

from __future__ import annotations

import numpy as np

from riskrank.rankers.fitting.learner import Finished, SeenValues
from riskrank.rankers.ranker import Ranker


class BestFeature(Ranker):
    """Tries one feature after the other; its model is the last one, or the best where validation queries decide."""

    unit = "tries"

    def __init__(
        self,
        measure="nDCG@10",
        *,
        n_tries=5,
        early_stopping=None,
        valid_measure=None,
        n_threads=None,
        random_state=0,
        verbose=None,
    ):
        self.measure = measure
        self.n_tries = n_tries
        self.early_stopping = early_stopping
        self.valid_measure = valid_measure
        self.n_threads = n_threads
        self.random_state = random_state
        self.verbose = verbose

    @property
    def n_steps(self):
        return self.n_tries

    def learner(self, plan, checkpoint):
        return Trial(plan, checkpoint)

    def adopt(self, learner, result):
        self.feature_ = result.best_steps - 1

    def score_documents(self, features):
        return features[:, self.feature_].astype(np.float64)

    def model_files(self):
        return {"feature.txt": str(self.feature_).encode()}

    def restore(self, saved):
        self.feature_ = int(saved.file("feature.txt"))


class Trial:
    """The learner: a step is a feature."""

    def __init__(self, plan, checkpoint):
        self.plan = plan
        self.feature = -1 if checkpoint is None else int(checkpoint.arrays["feature"])
        self.kept = []

    def step(self, number):
        data = self.plan.train.bound.data
        if number == data.n_features:
            raise Finished(f"all {number} features were tried")
        self.feature = number
        return SeenValues(number + 1, self.plan.train.bound.values(self.column(data)))

    def column(self, data):
        return data.features[:, self.feature].astype(np.float64)

    def final_values(self):
        return None

    def valid_scores(self):
        return self.column(self.plan.valid.bound.data)

    def keep(self):
        self.kept.append(self.feature)

    def is_resumable(self, number):
        return True

    def arrays(self):
        return {"feature": np.array(self.feature)}
