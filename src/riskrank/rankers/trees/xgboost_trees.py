"""Boosted trees of XGBoost, driven tree by tree with gradients of our own."""

from __future__ import annotations

import json
import os
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import numpy as np

from riskrank.data.shards.data_share import DataShare
from riskrank.errors import FileError, ParameterError
from riskrank.rankers.trees.engine import BLOCK, NO_CATEGORIES, block_seed, check_threads, first_line, refusals
from riskrank.rankers.trees.xgboost_text import check_xgboost_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from riskrank.data.ranking_data import RankingData
    from riskrank.objectives.on_data.bound_objective import Gradients
    from riskrank.rankers.trees.boosted_trees import BoostedTrees
    from riskrank.rankers.trees.engine import GrownTrees
    from riskrank.typing import Categories, Floats, PathLike, Singles

os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")  # threads that spin while they wait take cores from our kernel

try:
    import xgboost
except ImportError as missing:
    raise ParameterError("training with XGBoost needs it installed: pip install 'riskrank[xgboost]'.") from missing
from riskrank.rankers.trees.collective.xgboost_peers import trouble_told
from riskrank.rankers.trees.xgboost_matrices import binned, plain_matrix, validation_rows

NAME = "xgboost"
VERSION = xgboost.__version__
MODEL_FILE = "model.json"
LIMITS_DOCUMENTS = False
NEEDS_SCORES = False

RANDOM = ("subsample", "colsample_bytree", "colsample_bylevel", "colsample_bynode")
ALIASES = {"eta": "learning_rate", "lambda": "reg_lambda", "alpha": "reg_alpha", "gamma": "min_split_loss",
           "random_state": "seed", "n_jobs": "nthread"}  # fmt: skip


@contextmanager
def _refusals() -> Iterator[None]:
    with refusals("XGBoost", xgboost.core.XGBoostError), trouble_told():
        yield


class Trees:
    """A growing ensemble on training data and, perhaps, validation data."""

    def __init__(
        self, data: RankingData, valid: RankingData | None, ranker: BoostedTrees, grown: GrownTrees | None
    ) -> None:
        self._parameters = _parameters(ranker)
        if isinstance(data, DataShare):
            check_shared(self._parameters)
        n_threads = ranker.usable_threads
        with _refusals():
            self.is_random = any(float(self._parameters.get(name, 1.0)) < 1 for name in RANDOM)
            self._train = binned(data, _max_bin(self._parameters), n_threads)
            self._valid = None if valid is None else validation_rows(valid, n_threads)
            self._start_block(*(None, 0) if grown is None else (grown.model, grown.n_trees))

    def _start_block(self, model: bytes | None, iteration: int) -> None:
        """A booster with random numbers of its own; they go by the iteration that it begins with."""
        matrices = [self._train, *([] if self._valid is None else self._valid.matrices)]
        seed = block_seed(int(self._parameters["seed"]), iteration)
        source = {} if model is None else {"model_file": bytearray(model)}
        self._booster = xgboost.Booster({**self._parameters, "seed": seed}, matrices, **source)

    def grow(self, gradients: Gradients, iteration: int) -> bool:
        with _refusals():
            if self.is_random and iteration % BLOCK == 0:
                self._start_block(self.text() if iteration else None, iteration)
            self._booster.boost(self._train, iteration, grad=gradients.gradient, hess=gradients.hessian)
        return True

    def train_scores(self) -> Floats:
        with _refusals():
            return _doubles(self._booster.predict(self._train, output_margin=True, training=True))

    def valid_scores(self) -> Floats:
        with _refusals():
            return np.empty(0) if self._valid is None else _doubles(self._valid.scores(self._booster))

    def text(self) -> bytes:
        with trouble_told():
            return bytes(self._booster.save_raw("json"))


def check_shared(parameters: Mapping[str, Any]) -> None:
    """Refuse what depends on who has which documents."""
    if str(parameters.get("subsample", 1)) not in ("1", "1.0"):
        raise ParameterError("subsample draws documents on each worker by itself: leave it out on shards.")


class Model:
    """A finished ensemble."""

    def __init__(self, booster: xgboost.Booster, n_features: int, categories: Categories) -> None:
        self.booster = booster
        self._categories = categories
        self.n_features = n_features
        self.n_trees = int(booster.num_boosted_rounds())

    def predict(self, features: Singles, *, n_trees: int, n_threads: int | None) -> Floats:
        if n_threads is not None:
            self.booster.set_param({"nthread": n_threads})
        return _doubles(self.booster.inplace_predict(features, iteration_range=(0, n_trees), predict_type="margin"))

    def contributions(self, features: Singles, *, n_trees: int, n_threads: int | None) -> Floats:
        rows = plain_matrix(features, n_threads, self._categories)
        options: dict[str, Any] = {"iteration_range": (0, n_trees), "validate_features": False}
        return _doubles(self.booster.predict(rows, pred_contribs=True, **options))

    def importances(self) -> dict[str, Floats]:
        return {"gain": self._importance("total_gain"), "splits": self._importance("weight")}

    def _importance(self, kind: str) -> Floats:
        values = np.zeros(self.n_features)
        names = self.booster.feature_names or [f"f{i}" for i in range(self.n_features)]
        places = {name: place for place, name in enumerate(names)}
        for feature, value in self.booster.get_score(importance_type=kind).items():
            values[places[feature]] = value
        return values


def read_model(text: bytes, path: PathLike, categories: Categories = NO_CATEGORIES) -> Model:
    """A model from its text."""
    booster = xgboost.Booster()
    try:
        n_features = check_xgboost_text(text, categories)
        booster.load_model(bytearray(text))
    except (xgboost.core.XGBoostError, ValueError) as error:
        raise FileError(path, f"is not a model of XGBoost ({first_line(error)}).") from None
    return Model(booster, n_features, categories)


def model_file(text: bytes, n_trees: int, names: Sequence[str]) -> bytes:
    """The first trees; with an objective of ranking, whose scores are the sums of leaves."""
    booster = xgboost.Booster()
    booster.load_model(bytearray(text if n_trees else _without_trees(text)))
    cut = booster[:n_trees] if n_trees else booster
    cut.set_param({"objective": "rank:ndcg"})
    cut.feature_names = list(names) or None
    return bytes(cut.save_raw("json"))


def _without_trees(text: bytes) -> bytes:
    """XGBoost takes a slice up to 0 for one up to the end."""
    content = json.loads(text)
    trees = content["learner"]["gradient_booster"]["model"]
    trees |= {"trees": [], "tree_info": [], "iteration_indptr": [0]}
    trees["gbtree_model_param"]["num_trees"] = "0"
    return json.dumps(content).encode()


def quiet() -> None:
    """It writes nothing with its verbosity at 0."""


def bin_share(data: DataShare, ranker: BoostedTrees) -> None:
    """Find the bins of a share as a training will, before its worker knows the others."""
    parameters = _parameters(ranker)
    check_shared(parameters)
    with _refusals():
        binned(data, _max_bin(parameters), ranker.usable_threads)


def _max_bin(parameters: Mapping[str, Any]) -> int:
    return int(parameters.get("max_bin", 256))


def _parameters(ranker: BoostedTrees) -> dict[str, Any]:
    if ranker.min_docs_in_leaf is not None:
        raise ParameterError(
            "XGBoost has no least number of documents in a leaf. Leave min_docs_in_leaf out, "
            "or pass engine_params={'min_child_weight': …}, the least sum of hessians."
        )
    if ranker.fast:
        raise ParameterError("fast training is LightGBM's; leave it out with engine='xgboost'.")
    parameters = {
        "base_score": 0.0,
        "tree_method": "hist",
        "grow_policy": "lossguide",
        "max_depth": 0,
        "max_leaves": int(ranker.n_leaves),
        "min_child_weight": 1e-3,  # as LightGBM; gradients are small numbers
        "reg_lambda": 0.0,  # the same
        "learning_rate": float(ranker.learning_rate),
        "nthread": ranker.usable_threads,
        "seed": int(ranker.random_state),
        "verbosity": 0,
    }
    for name, value in (ranker.engine_params or {}).items():
        parameters[ALIASES.get(name, name)] = value
    check_threads(str(parameters["nthread"]))
    if parameters.get("booster", "gbtree") != "gbtree" or "objective" in parameters:
        raise ParameterError("XGBoost refuses the parameters: booster and objective are given here; leave them out.")
    return parameters


def _doubles(values: Any) -> Floats:
    return np.asarray(values, dtype=np.float64)
