"""Linear models: a weight for each standardised feature; in a file that anybody can read."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, TypeVar

import numpy as np

from riskrank.errors import FileError, ParameterError, TrainingError
from riskrank.files.reading import parse_json
from riskrank.files.records import decode
from riskrank.parameters import whole
from riskrank.rankers.fitting.learner import Finished, Learner, SeenValues
from riskrank.rankers.linear.line_search import best_weight
from riskrank.rankers.model_records import LinearWeights
from riskrank.rankers.ranker import Ranker
from riskrank.weights import relative_weights

if TYPE_CHECKING:
    from collections.abc import Callable

    from riskrank.rankers.card import SavedModel
    from riskrank.rankers.fitting.checkpoint import Checkpoint
    from riskrank.rankers.fitting.loop import FitResult
    from riskrank.rankers.fitting.plan import FitPlan
    from riskrank.typing import Arrays, Floats, Integers, Singles

M = TypeVar("M", bound="LinearModel")
FILE = "weights.json"
NOISE = 1e-12  # of the weights; more than rounding, less than any difference that features make
SEED = 0x71E5  # with the user's, so that no data made with the same seed come from the same numbers
KEPT_BYTES = 256e6  # standardised features are kept if all of them fit into so much


@dataclass(frozen=True, eq=False)
class Standard:
    """The mean and spread that each feature has in the training data; a constant feature has spread 0."""

    mean: Floats
    spread: Floats

    @classmethod
    def of(cls, features: Singles) -> Standard:
        """Measured without missing values."""
        n_features = features.shape[1]
        mean, spread = np.zeros(n_features), np.zeros(n_features)
        for f in range(n_features):
            known = features[:, f].astype(np.float64)
            known = known[~np.isnan(known)]
            if len(known) and known.min() < known.max():
                mean[f], spread[f] = known.mean(), known.std()
        return cls(mean, spread)

    def column(self, features: Singles, f: int) -> Floats:
        """A feature with mean 0 and spread 1; 0 where it is missing or always the same."""
        if self.spread[f] == 0:
            return np.zeros(len(features))
        column: Floats = np.nan_to_num((features[:, f].astype(np.float64) - self.mean[f]) / self.spread[f], nan=0.0)
        return column


def weighted(features: Singles, standard: Standard, weights: Floats) -> Floats:
    """The score of each document, which depends on its own features only, down to the last bit."""
    scores = np.zeros(len(features))
    with np.errstate(over="ignore", invalid="ignore"):  # whoever uses the scores looks whether they are finite
        for f in np.flatnonzero(weights):
            scores += weights[f] * standard.column(features, int(f))
    return scores


def untied(scores: Floats, noise: Floats, size: float) -> Floats:
    """Scores whose ties are broken at random, not by the order of the data, which may be that of the labels.

    `size`: the sum of all weights without sign. What is left of sums that cancel is far smaller than the noise, true
    differences are larger.
    """
    return scores + NOISE * (size or 1.0) * noise


class LinearLearner(Learner, Generic[M]):
    """Weights that change step by step; what a step is, the kinds say."""

    def __init__(self, plan: FitPlan, ranker: M, checkpoint: Checkpoint | None) -> None:
        self.ranker = ranker
        self.seed = int(ranker.random_state)
        self.bound = plan.train.bound
        data = self.bound.data
        if relative_weights(data.document_weights) is not None:
            kind = type(ranker).__name__
            raise ParameterError(f"{kind} ranks whole queries and has no use for weights of documents: weigh queries.")
        self._valid_features = (data if plan.valid is None else plan.valid.bound.data).features
        gains, starts = self.bound.gains, data.query_offsets[:-1]
        if not (np.maximum.reduceat(gains, starts) > np.minimum.reduceat(gains, starts)).any():
            raise TrainingError("no query has documents whose order matters to the measure. Check the labels.")
        self.standard = Standard.of(data.features)
        self.usable = np.flatnonzero(self.standard.spread)
        rng = np.random.default_rng((self.seed, SEED))
        self._noise, self._valid_noise = rng.random(data.n_documents), rng.random(len(self._valid_features))
        self.weights = np.zeros(data.n_features)
        self.best = self.weights.copy()
        if checkpoint is not None:
            self.weights, self.best = (checkpoint.numbers(name, data.n_features) for name in ("weights", "best"))
        self.scores = weighted(data.features, self.standard, self.weights)
        self._columns: dict[int, Floats] = {}

    def column(self, f: int) -> Floats:
        """A standardised feature of the training documents."""
        if f in self._columns:
            return self._columns[f]
        column = self.standard.column(self.bound.data.features, f)
        if column.nbytes * len(self.standard.mean) <= KEPT_BYTES:
            self._columns[f] = column
        return column

    def step(self, number: int) -> SeenValues:
        if not len(self.usable):
            raise Finished("every feature is the same for all documents")
        return SeenValues(number + 1, self.round(number))

    def round(self, number: int) -> Floats:
        """What the kinds do differently: change the weights; the effectiveness of the training queries with them."""
        raise NotImplementedError

    def change(self, weights: Floats) -> Floats:
        """Take over weights; the effectiveness of the training queries with them."""
        self.weights = weights
        self.scores = weighted(self.bound.data.features, self.standard, weights)
        return self.values_of(self.scores, float(np.abs(weights).sum()))

    def worth(self, size: float) -> Callable[[Floats], float]:
        """What scores of the training documents are worth that come from weights of this sum."""
        return lambda scores: self.bound.mean(self.values_of(scores, size))

    def values_of(self, scores: Floats, size: float) -> Floats:
        """The effectiveness of each training query under such scores."""
        return self.bound.values(untied(scores, self._noise, size))

    def adjusted(self, weights: Floats, features: Integers) -> Floats:
        """The best weight of each feature, one after the other; the training measure never falls."""
        weights = weights.copy()
        scores = weighted(self.bound.data.features, self.standard, weights)
        worth = self.worth(float(np.abs(weights).sum()))(scores)
        for f in features.tolist():
            column = self.column(f)
            rest = scores - weights[f] * column
            others = float(np.abs(weights).sum() - abs(weights[f]))
            weight, _ = best_weight(rest, column, self.worth(others), now=(float(weights[f]), worth))
            changed = weights.copy()
            changed[f] = weight
            if weight == weights[f] or not changed.any():
                continue
            changed_scores = weighted(self.bound.data.features, self.standard, changed)
            changed_worth = self.worth(float(np.abs(changed).sum()))(changed_scores)
            if changed_worth > worth:  # also without what rounding did to the sum
                weights, scores, worth = changed, changed_scores, changed_worth
        return weights

    def valid_scores(self) -> Floats:
        scores = weighted(self._valid_features, self.standard, self.weights)
        return untied(scores, self._valid_noise, float(np.abs(self.weights).sum()))

    def keep(self) -> None:
        self.best = self.weights.copy()

    def arrays(self) -> Arrays:
        return {"weights": self.weights, "best": self.best}


class LinearModel(Ranker):
    """Base of the rankers that learn a weight for each feature.

    Features are standardised by what the training data have; a missing value counts as the mean.
    """

    unit = "rounds"

    n_rounds: int
    _weights: Floats

    @property
    def weights_(self) -> Floats:
        """The weight of each standardised feature."""
        self.check_fitted()
        return self._weights.copy()

    def importances(self) -> dict[str, Floats]:
        """The weight of each feature."""
        return {"weight": self.weights_}

    @property
    def label(self) -> str:
        return f"{type(self).__name__}({str(self.training_objective.measure)!r})"

    def check_parameters(self) -> None:
        super().check_parameters()
        whole("n_rounds", self.n_rounds, 1)

    @property
    def n_steps(self) -> int:
        return int(self.n_rounds)

    @property
    def checkpoint_every(self) -> int:
        return 5

    def uses_best_step(self, has_valid: bool) -> bool:
        return True

    def adopt(self, learner: LinearLearner[LinearModel], result: FitResult) -> None:
        self._weights = learner.best
        self._standard = learner.standard

    def score_documents(self, features: Singles) -> Floats:
        return weighted(features, self._standard, self._weights)

    def imputed_values(self) -> Floats:
        return np.where(self._weights == 0, np.nan, self._standard.mean)

    def feature_contributions(self, features: Singles) -> Floats:
        parts = np.zeros((len(features), len(self._weights) + 1))
        for f in np.flatnonzero(self._weights):
            parts[:, f] = self._weights[f] * self._standard.column(features, int(f))
        return parts

    def model_files(self) -> dict[str, bytes]:
        first = self.card_["first_feature"]
        rows = [
            {
                "feature": first + int(f),
                "weight": float(self._weights[f]),
                "mean": float(self._standard.mean[f]),
                "spread": float(self._standard.spread[f]),
            }
            for f in np.flatnonzero(self._weights)
        ]
        return {FILE: (json.dumps({"weights": rows}, indent=1) + "\n").encode()}

    def restore(self, saved: SavedModel) -> None:
        first, path = self.card_["first_feature"], saved.folder / FILE
        rows = decode(LinearWeights, parse_json(saved.file(FILE), path), path).weights
        self._weights = np.zeros(self.n_features_in_)
        self._standard = Standard(np.zeros(self.n_features_in_), np.zeros(self.n_features_in_))
        for i, row in enumerate(rows):
            f = row.feature - first
            if not 0 <= f < self.n_features_in_:
                raise FileError(path, f"weights[{i}].feature: must be one of the model's {self.n_features_in_}.")
            self._weights[f] = row.weight
            self._standard.mean[f], self._standard.spread[f] = row.mean, row.spread
