"""Boosted trees of LightGBM, driven tree by tree with gradients of our own."""

from __future__ import annotations

import contextlib
import logging
import os
import re
import sys
import threading
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any

import numpy as np

from riskrank.errors import FileError, ParameterError
from riskrank.rankers.trees.engine import BLOCK, NO_CATEGORIES, Bins, block_seed, check_threads, first_line, refusals
from riskrank.rankers.trees.lightgbm_text import checked_text
from riskrank.rankers.trees.model_texts import BadModelError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from riskrank.data.ranking_data import RankingData
    from riskrank.objectives.on_data.bound_objective import Gradients
    from riskrank.rankers.trees.boosted_trees import BoostedTrees
    from riskrank.rankers.trees.engine import GrownTrees
    from riskrank.rankers.trees.native.compiled_forest import CompiledForest
    from riskrank.typing import Categories, Floats, PathLike, Singles

os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")  # threads that spin while they wait take the cores from our kernel

try:
    import lightgbm
    from lightgbm.basic import _LIB, _safe_call  # type: ignore[attr-defined] # merging is not in the public part
except ImportError as missing:
    raise ParameterError("training with LightGBM needs it installed: pip install 'riskrank[lightgbm]'.") from missing
except AttributeError as missing:  # it reads its own docstrings
    if sys.flags.optimize < 2:
        raise
    message = "LightGBM cannot be loaded by a Python without docstrings (-OO, PYTHONOPTIMIZE=2). Use -O at most."
    raise ParameterError(message) from missing

NAME = "lightgbm"
VERSION = lightgbm.__version__
MODEL_FILE = "model.txt"
LIMITS_DOCUMENTS = True
NEEDS_SCORES = True
BINNING = ("max_bin", "max_bin_by_feature", "min_data_in_bin", "bin_construct_sample_cnt", "data_random_seed",
           "feature_pre_filter", "use_missing", "zero_as_missing", "enable_bundle",
           "is_enable_sparse")  # fmt: skip
SEEN_ROWS = 20_000  # bounds of bins go by so many documents (LightGBM: 200,000): half of the time, and no worse trees
MANY_STEPS = 5_000_000  # documents × trees from which on our own loops save more than it takes to load them
RANDOM = ("feature_fraction", "feature_fraction_bynode", "bagging_fraction", "pos_bagging_fraction",
          "neg_bagging_fraction")  # fmt: skip
FAST = {
    "use_quantized_grad": True,
    "num_grad_quant_bins": 64,
    "quant_train_renew_leaf": True,
    "stochastic_rounding": False,  # no random numbers: such a training can go on from anywhere
}

NAMES = re.compile(rb"(?<=\nfeature_names=)[^\n]*")
OBJECTIVE = re.compile(rb"(?<=\n)objective=[^\n]*\n")
TREES = re.compile(rb"(?<=\ntree_sizes=).*(?=\n\nend of trees\n)|(?<=\nfeature_importances:\n)(?:[^\n]+\n)+", re.DOTALL)

SEEDS = ("seed", "bagging_seed", "feature_fraction_seed", "extra_seed")
REFUSED = {  # what would grow other trees than ours, and what it may be
    "boosting": ("gbdt", "goss"),
    "linear_tree": ("false", "0"),
    "objective": ("none",),
    "categorical_feature": (),  # the data say so
}

_is_quiet = False
_closings: list[int] = []  # what stderr was, once for each that closed it
_closing = threading.Lock()
_starting = threading.Lock()  # a booster takes the scores that it starts from out of the bins, which others share
_bins, _bins_beside = Bins[lightgbm.Dataset](), Bins[lightgbm.Dataset]()
_refusals = partial(refusals, "LightGBM", lightgbm.basic.LightGBMError)


def quiet() -> None:
    """For a command: LightGBM prints what it refuses even where it raises it too."""
    global _is_quiet  # noqa: PLW0603 (a process is a command or not)
    if _is_quiet:
        return
    _is_quiet = True
    lightgbm.register_logger(logging.Logger("LightGBM", logging.CRITICAL))


@contextlib.contextmanager
def _stderr_closed() -> Iterator[None]:
    """Fatal errors go past every logger, to file descriptor 2. Models may begin side by side: the last one opens it."""
    if not _is_quiet:
        yield
        return
    with _closing:
        if not _closings:
            nowhere = os.open(os.devnull, os.O_WRONLY)
            _closings.append(os.dup(2))
            os.dup2(nowhere, 2)
            os.close(nowhere)
        else:
            _closings.append(_closings[-1])
    try:
        yield
    finally:
        with _closing:
            kept = _closings.pop()
            if not _closings:
                os.dup2(kept, 2)
                os.close(kept)


class Trees:
    """A growing ensemble on training data and, perhaps, validation data."""

    def __init__(
        self, data: RankingData, valid: RankingData | None, ranker: BoostedTrees, grown: GrownTrees | None
    ) -> None:
        self._parameters = _parameters(ranker)
        self._models = [] if grown is None else [grown.model]
        with _refusals(), _stderr_closed():
            self.is_random = _is_random(self._parameters)
            self._train = binned(data, self._parameters)
            self._valid = None if valid is None else binned_beside(valid, self._train)
            self._start_block(*([], 0) if grown is None else (grown.scores, grown.n_trees))

    def _start_block(self, scores: list[Floats], iteration: int) -> None:
        """A booster that starts from scores, if any, with random numbers of its own; they go by the iteration."""
        self._block_start = iteration
        usual = self._parameters["seed"]
        seeds = {name: block_seed(int(self._parameters.get(name, usual)), iteration) for name in SEEDS}
        sets = [self._train] if self._valid is None else [self._train, self._valid]
        with _starting:
            for bins, start in zip(sets, scores, strict=False):
                bins.set_init_score(start)
            self._booster = lightgbm.Booster({**self._parameters, **seeds}, self._train)
            if self._valid is not None:
                self._booster.add_valid(self._valid, "valid")
            for bins, start in zip(sets, scores, strict=False):
                bins.set_init_score(np.zeros(len(start)))

    def grow(self, gradients: Gradients, iteration: int) -> bool:
        if self.is_random and iteration % BLOCK == 0 and iteration != self._block_start:
            self._models.append(self._own_text())
            scores = [self.train_scores()] if self._valid is None else [self.train_scores(), self.valid_scores()]
            self._start_block(scores, iteration)
        with _refusals():
            is_empty = self._booster.update(fobj=lambda *_: (gradients.gradient, gradients.hessian))
        return not is_empty

    def train_scores(self) -> Floats:
        return _seen(self._booster.eval_train)

    def valid_scores(self) -> Floats:
        return _seen(self._booster.eval_valid)

    def text(self) -> bytes:
        return _joined([*self._models, self._own_text()])

    def _own_text(self) -> bytes:
        text: str = self._booster.model_to_string(num_iteration=-1)
        return text.encode()


class Model:
    """A finished ensemble."""

    def __init__(self, text: bytes, booster: lightgbm.Booster, n_features: int) -> None:
        self._text = text
        self.booster = booster
        self.n_features = n_features
        self.n_trees = int(booster.current_iteration())

    @cached_property
    def _forest(self) -> CompiledForest | None:
        """The trees for loops of our own, which are faster; none where they split as only LightGBM does.

        Numba is loaded for them, which takes longer than LightGBM takes for few documents.
        """
        from riskrank.rankers.trees.native.compiled_forest import CompiledForest
        from riskrank.rankers.trees.native.forest_text import TreeColumns

        if b"\naverage_output\n" in self._text:
            return None
        try:
            return CompiledForest(TreeColumns(self._text, NO_CATEGORIES))
        except BadModelError:
            return None

    def predict(self, features: Singles, *, n_trees: int, n_threads: int | None) -> Floats:
        if len(features) * n_trees >= MANY_STEPS and self._forest is not None:
            return self._forest.predict(features, n_trees=n_trees, n_threads=n_threads)
        options: dict[str, Any] = {} if n_threads is None else {"num_threads": n_threads}
        return np.asarray(self.booster.predict(features, num_iteration=n_trees, raw_score=True, **options), np.float64)

    def contributions(self, features: Singles, *, n_trees: int, n_threads: int | None) -> Floats:
        options: dict[str, Any] = {} if n_threads is None else {"num_threads": n_threads}
        return np.array(self.booster.predict(features, num_iteration=n_trees, pred_contrib=True, **options), np.float64)

    def importances(self) -> dict[str, Floats]:
        kinds = {"gain": "gain", "splits": "split"}
        return {name: np.asarray(self.booster.feature_importance(kind), float) for name, kind in kinds.items()}


def read_model(text: bytes, path: PathLike, categories: Categories = NO_CATEGORIES) -> Model:
    """A model from its text."""
    try:
        checked, n_features = checked_text(text, categories)
        with _stderr_closed():
            return Model(checked, lightgbm.Booster(model_str=checked.decode()), n_features)
    except (lightgbm.basic.LightGBMError, ValueError, RecursionError) as error:
        raise FileError(path, f"is not a model of LightGBM ({first_line(error)}).") from None


def model_file(text: bytes, n_trees: int, names: Sequence[str]) -> bytes:
    """The first trees, with an objective whose scores are sums of leaves: converters refuse a model without one."""
    is_cut = n_trees < text.count(b"\nTree=")
    if is_cut and not n_trees:  # which LightGBM takes for all of them
        text = TREES.sub(b"", text)
    elif is_cut:
        text = lightgbm.Booster(model_str=text.decode()).model_to_string(num_iteration=n_trees).encode()
    if names:
        own = b" ".join(name.encode() for name in names)
        text = NAMES.sub(lambda _: own, text, count=1)
    return OBJECTIVE.sub(b"", text, count=1).replace(b"\nfeature_names=", b"\nobjective=lambdarank\nfeature_names=", 1)


def _seen(evaluate: Callable[[Any], Any]) -> Floats:
    """The scores that LightGBM holds: it shows them to whoever evaluates."""
    seen: list[Floats] = []

    def look(scores: Floats, _: Any) -> tuple[str, float, bool]:
        seen.append(scores)
        return "", 0.0, True

    evaluate(look)
    return seen[0].copy()


def _joined(texts: list[bytes]) -> bytes:
    """One ensemble of several, in the order of growing."""
    if len(texts) == 1:
        return texts[0]
    boosters = [lightgbm.Booster(model_str=text.decode()) for text in texts]
    whole = boosters.pop()
    for before in reversed(boosters):
        _safe_call(_LIB.LGBM_BoosterMerge(whole._handle, before._handle))  # puts the other's trees in front
    joined: str = whole.model_to_string(num_iteration=-1)
    return joined.encode()


def binned(data: RankingData, parameters: dict[str, Any]) -> lightgbm.Dataset:
    """The data in LightGBM's bins."""
    usual = {"feature_pre_filter": False, "bin_construct_sample_cnt": SEEN_ROWS}
    deciding = {**usual, **{name: parameters[name] for name in BINNING if name in parameters}}
    options = {**deciding, "num_threads": parameters.get("num_threads", 0), "verbosity": -1}
    return _bins.of(data, repr(sorted(deciding.items())), lambda: _dataset(data, params=options))


def binned_beside(data: RankingData, train: lightgbm.Dataset) -> lightgbm.Dataset:
    """Validation data in the bins of training data."""
    options = {name: value for name, value in (train.params or {}).items() if name != "categorical_column"}
    return _bins_beside.of(data, train, lambda: _dataset(data, reference=train, params=options))


def _dataset(data: RankingData, **options: Any) -> lightgbm.Dataset:
    if data.categories:
        options["categorical_feature"] = list(data.categories)
    return lightgbm.Dataset(data.features, label=np.zeros(len(data)), **options).construct()


def _parameters(ranker: BoostedTrees) -> dict[str, Any]:
    parameters = {
        "objective": "none",
        "metric": "none",
        "verbosity": -1,
        "num_leaves": int(ranker.n_leaves),
        "min_data_in_leaf": 20 if ranker.min_docs_in_leaf is None else ranker.min_docs_in_leaf,
        "learning_rate": float(ranker.learning_rate),
        "num_threads": ranker.usable_threads,
        "seed": int(ranker.random_state),
        "force_row_wise": True,
        **(FAST if ranker.fast else {}),
    }
    for name, value in (ranker.engine_params or {}).items():
        of_ours = (*parameters, *BINNING, *RANDOM, *SEEDS, *REFUSED)
        known = [own for own in of_ours if name in {own, *lightgbm.basic._ConfigAliases.get(own)}]
        parameters[known[0] if known else name] = value
    check_threads(str(parameters["num_threads"]))
    for name, allowed in REFUSED.items():
        if name in parameters and str(parameters[name]).lower() not in allowed:
            raise ParameterError(f"LightGBM refuses the parameters: {name}={parameters[name]} cannot be had here.")
    _refuse_coarse_samples(parameters)
    return parameters


def _refuse_coarse_samples(parameters: dict[str, Any]) -> None:
    """Trees of quantised gradients (`fast`) end the training if they see some documents or features only."""
    drawn = [name for name in RANDOM if str(parameters.get(name, 1.0)) not in ("1", "1.0")]
    if parameters.get("use_quantized_grad", False) and drawn:
        raise ParameterError(
            f"LightGBM fails with quantised gradients (fast) and {drawn[0]} together. "
            "Leave one out, or take engine='native', which samples by itself and is faster."
        )


def _is_random(parameters: dict[str, Any]) -> bool:
    is_sampled = any(float(parameters.get(name, 1.0)) < 1 for name in RANDOM)
    is_goss = "goss" in (parameters.get("data_sample_strategy"), parameters.get("boosting"))
    is_rounded = parameters.get("use_quantized_grad", False) and parameters.get("stochastic_rounding", True)
    return bool(is_sampled or is_goss or is_rounded or parameters.get("extra_trees", False))
