"""Boosted trees of LightGBM, driven tree by tree with gradients of our own."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

import numpy as np

from riskrank.errors import FileError, ParameterError

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from riskrank.data.ranking_data import RankingData
    from riskrank.rankers.settings import Earlier, TreeSettings

    Floats = NDArray[np.float64]
    Forces = Callable[[Floats], tuple[NDArray[np.float32], NDArray[np.float32]]]

os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")  # threads that spin while they wait take the cores from our kernel

try:
    import lightgbm
    from lightgbm.basic import _LIB, _safe_call  # type: ignore[attr-defined] # merging is not in the public part
except ImportError as missing:
    raise ParameterError("training with LightGBM needs it installed: pip install 'riskrank[lightgbm]'.") from missing

NAME = "lightgbm"
FILE = "model.txt"
VERSION = lightgbm.__version__
BINNING = ("max_bin", "max_bin_by_feature", "min_data_in_bin", "bin_construct_sample_cnt", "data_random_seed",
           "feature_pre_filter", "use_missing", "zero_as_missing", "categorical_feature", "enable_bundle",
           "is_enable_sparse")  # fmt: skip
RANDOM = (
    "feature_fraction",
    "feature_fraction_bynode",
    "bagging_fraction",
    "pos_bagging_fraction",
    "neg_bagging_fraction",
)
FAST = {"use_quantized_grad": True, "num_grad_quant_bins": 16, "quant_train_renew_leaf": True}

_binned: WeakKeyDictionary[RankingData, dict[str, Any]] = WeakKeyDictionary()


class Trees:
    """A growing ensemble on training data and, perhaps, validation data."""

    def __init__(
        self, data: RankingData, valid: RankingData | None, settings: TreeSettings, earlier: Earlier | None = None
    ) -> None:
        self._earlier = earlier
        self._parameters = _parameters(settings)
        self._is_random = settings.fast or any(
            float(self._parameters.get(name, 1.0)) < 1 for name in RANDOM
        ) or bool(self._parameters.get("extra_trees", False))  # fmt: skip
        self._seed = settings.random_state
        try:
            if earlier is None:
                train = binned(data, self._parameters)
            else:
                train = _dataset(data, self._parameters, init_score=earlier.train_scores)
            self._booster = lightgbm.Booster(dict(self._parameters), train)
            self._valid = None
            if valid is not None:
                begun = None if earlier is None else earlier.valid_scores
                labels = np.zeros(len(valid))
                self._valid = lightgbm.Dataset(
                    valid.features, label=labels, reference=train, init_score=begun, params=train.params
                )
                self._booster.add_valid(self._valid, "valid")
        except (lightgbm.basic.LightGBMError, TypeError, ValueError) as error:
            raise ParameterError(f"LightGBM refuses the parameters: {error}") from None

    def grow(self, forces: Forces, iteration: int) -> bool:
        """Add a tree to gradients of the present scores; False if no split was worth it."""
        if self._is_random:  # random numbers by iteration: a resumed training draws what it would have drawn
            seed = (self._seed * 1_000_003 + iteration * 7919) % 2**31
            names = ("bagging_seed", "feature_fraction_seed", "extra_seed", "seed")
            self._booster.reset_parameter({**self._parameters, **dict.fromkeys(names, seed)})
        is_empty = self._booster.update(fobj=lambda scores, _: forces(scores))
        return not is_empty

    def train_scores(self) -> Floats:
        """The scores of the training data."""
        return _seen(self._booster.eval_train)

    def valid_scores(self) -> Floats:
        """The scores of the validation data."""
        return _seen(self._booster.eval_valid)

    def text(self) -> bytes:
        """The ensemble as LightGBM writes it."""
        own: str = self._booster.model_to_string(num_iteration=-1)
        return own.encode() if self._earlier is None else _joined(self._earlier.model, own.encode())


class Model:
    """A finished ensemble."""

    def __init__(self, text: bytes, *, path: object = FILE) -> None:
        try:
            self._booster = lightgbm.Booster(model_str=text.decode())
        except (lightgbm.basic.LightGBMError, UnicodeDecodeError) as error:
            raise FileError(path, f"is not a model of LightGBM ({error}).") from None
        self.n_trees = int(self._booster.num_trees())

    def predict(self, features: NDArray[np.float32], *, n_trees: int, n_threads: int | None) -> Floats:
        """A score for each row from the first trees."""
        if n_trees == 0:
            return np.zeros(len(features))
        options: dict[str, Any] = {} if n_threads is None else {"num_threads": n_threads}
        return np.asarray(self._booster.predict(features, num_iteration=n_trees, raw_score=True, **options), np.float64)

    def importances(self) -> dict[str, Floats]:
        """How much each feature gained, and how often it split."""
        return {kind: np.asarray(self._booster.feature_importance(kind), np.float64) for kind in ("gain", "split")}


def _seen(evaluate: Callable[[Any], Any]) -> Floats:
    """The scores that LightGBM holds: it shows them to whoever evaluates."""
    seen: list[Floats] = []

    def look(scores: Floats, _: Any) -> tuple[str, float, bool]:
        seen.append(scores)
        return "", 0.0, True

    evaluate(look)
    return seen[0].copy()


def _joined(earlier: bytes, later: bytes) -> bytes:
    """One ensemble of two: the trees of an interrupted training and those grown after it."""
    first, second = (lightgbm.Booster(model_str=text.decode()) for text in (earlier, later))
    _safe_call(_LIB.LGBM_BoosterMerge(second._handle, first._handle))  # puts the other's trees in front
    return second.model_to_string(num_iteration=-1).encode()


def binned(data: RankingData, parameters: dict[str, Any]) -> Any:
    """The data in LightGBM's bins, built once for all models that are trained on the same object."""
    key = repr(sorted(_binning(parameters).items()))
    known = _binned.setdefault(data, {})
    if key not in known:
        known.clear()
        known[key] = _dataset(data, parameters)
    return known[key]


def _dataset(data: RankingData, parameters: dict[str, Any], init_score: Floats | None = None) -> Any:
    return lightgbm.Dataset(
        data.features,
        label=np.zeros(len(data)),
        init_score=init_score,
        params={**_binning(parameters), "num_threads": parameters.get("num_threads", 0), "verbosity": -1},
    ).construct()


def _binning(parameters: dict[str, Any]) -> dict[str, Any]:
    """The parameters that decide the bins."""
    return {"feature_pre_filter": False, **{name: parameters[name] for name in BINNING if name in parameters}}


def _parameters(settings: TreeSettings) -> dict[str, Any]:
    parameters = {
        "objective": "none",
        "metric": "none",
        "verbosity": -1,
        "num_leaves": settings.n_leaves,
        "min_data_in_leaf": 20 if settings.min_docs_in_leaf is None else settings.min_docs_in_leaf,
        "learning_rate": settings.learning_rate,
        "num_threads": settings.n_threads,
        "seed": settings.random_state,
        "force_row_wise": True,
        **(FAST if settings.fast else {}),
    }
    aliases = lightgbm.basic._ConfigAliases.get
    for name, value in settings.engine_params.items():
        for known in [known for known in parameters if name in aliases(known)]:
            del parameters[known]
        parameters[name] = value
    return parameters
