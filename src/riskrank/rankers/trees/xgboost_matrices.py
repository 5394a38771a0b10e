"""Data as XGBoost takes them: in bins to learn from, in memory or on disk, and rows to validate by."""

from __future__ import annotations

import tempfile
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
import xgboost

from riskrank.data.shards.data_share import DataShare
from riskrank.errors import FileError
from riskrank.rankers.trees.engine import Bins
from riskrank.rankers.trees.xgboost_text import feature_types

if TYPE_CHECKING:
    from collections.abc import Callable

    from riskrank.data.ranking_data import RankingData
    from riskrank.typing import Categories, Singles

NOT_WRITTEN = "Write incomplete"  # in what XGBoost says of a full disk

_bins: Bins[Any] = Bins()


def binned(data: RankingData, max_bin: int, n_threads: int) -> Any:
    """The data in XGBoost's bins; a share of data has those of the sample that all workers have in common.

    Workers call it before they know each other, else XGBoost would look for bins with all of them.
    """
    options: dict[str, Any] = {"max_bin": max_bin, "nthread": n_threads}
    types = _types(data.categories, data.n_features)

    def build() -> Any:
        if isinstance(data, DataShare):
            sample = _with_all_categories(data.sample(), data.categories)
            options["ref"] = xgboost.QuantileDMatrix(sample, **options, **types)
            if data.storage.codes is not None:
                return _on_disk(data, data.storage.codes, options, types)
        return xgboost.QuantileDMatrix(data.features, np.zeros(len(data), np.float32), **options, **types)

    return _bins.of(data, max_bin, build)


class _Batches(xgboost.DataIter):
    """Rows of features, some at a time, whose codes go to a file."""

    def __init__(self, data: DataShare, types: dict[str, Any], prefix: str) -> None:
        self._data, self._types, self._row = data, types, 0
        super().__init__(cache_prefix=prefix)

    def reset(self) -> None:
        """From the first row on."""
        self._row = 0

    def next(self, input_data: Callable[..., None]) -> bool:
        """Hand over the next rows; False where there are none."""
        low, high = self._row, self._row + self._data.storage.rows_at_once
        if low >= len(self._data):
            return False
        input_data(data=self._data.features[low:high], feature_types=self._types.get("feature_types"))
        self._row = high
        return True


def _on_disk(data: DataShare, prefix: str, options: dict[str, Any], types: dict[str, Any]) -> Any:
    batches = _Batches(data, types, prefix)
    enabled = {name: value for name, value in types.items() if name != "feature_types"}
    try:
        return xgboost.ExtMemQuantileDMatrix(batches, **options, **enabled)
    except xgboost.core.XGBoostError as error:
        if NOT_WRITTEN not in str(error):
            raise
        why = "XGBoost had no room for all codes of features"
        raise FileError(tempfile.gettempdir(), f"cannot be written ({why}). Set TMPDIR to another place.") from None


class ValidationRows(Protocol):
    """Rows that a growing booster is validated by; `matrices` are those that it should know from the beginning."""

    matrices: tuple[Any, ...]

    def scores(self, booster: Any) -> Singles:
        """The sums of all trees so far."""


class _InMemory:
    """XGBoost keeps their scores, and adds those of new trees."""

    def __init__(self, matrix: Any) -> None:
        self.matrices: tuple[Any, ...] = (matrix,)

    def scores(self, booster: Any) -> Singles:
        scores: Singles = booster.predict(self.matrices[0], output_margin=True)
        return scores


class _Stored:
    """Their features are on disk: scores of new trees are added here, as XGBoost does, in single floats."""

    matrices: tuple[Any, ...] = ()

    def __init__(self, data: DataShare) -> None:
        self._data = data
        self._scores = np.zeros(len(data), np.float32)
        self._n_trees = 0

    def scores(self, booster: Any) -> Singles:
        trees = self._n_trees, booster.num_boosted_rounds()
        if trees[0] < trees[1]:
            for low in range(0, len(self._data), self._data.storage.rows_at_once):
                rows = slice(low, low + self._data.storage.rows_at_once)
                self._scores[rows] += booster.inplace_predict(
                    self._data.features[rows], iteration_range=trees, predict_type="margin"
                )
            self._n_trees = trees[1]
        return self._scores


def validation_rows(data: RankingData, n_threads: int | None) -> ValidationRows:
    """Of validation data, wherever they are kept."""
    if isinstance(data, DataShare) and data.storage.scratch is not None:
        return _Stored(data)
    return _InMemory(plain_matrix(data.features, n_threads, data.categories))


def plain_matrix(features: Singles, n_threads: int | None, categories: Categories) -> Any:
    """Features as they are."""
    return xgboost.DMatrix(features, nthread=n_threads, **_types(categories, features.shape[1]))


def _with_all_categories(sample: Singles, categories: Categories) -> Singles:
    """One more row, with the last code of each category and no numbers: bins know all codes up to the largest."""
    if not categories:
        return sample
    row = np.full((1, sample.shape[1]), np.nan, np.float32)
    for column, values in categories.items():
        row[0, column] = len(values) - 1
    return np.concatenate([sample, row])


def _types(categories: Categories, n_features: int) -> dict[str, Any]:
    types = feature_types(categories, n_features)
    return {} if types is None else {"feature_types": types, "enable_categorical": True}
