"""What rankers take: RankingData, a LETOR file, or arrays the scikit-learn way."""

from __future__ import annotations

import os
import warnings
from typing import TYPE_CHECKING, Any

import numpy as np

from riskrank.data.letor.reader import read_letor
from riskrank.data.ranking_data import RankingData
from riskrank.errors import AlignmentError, ParameterError

if TYPE_CHECKING:
    from riskrank.data.feature_columns import FeatureColumns
    from riskrank.typing import DataLike, Ids, LabelledLike, Numbers, Singles


def training_data(
    x: DataLike | LabelledLike, y: Numbers | None = None, *, qid: Ids | None = None, group: Numbers | None = None
) -> RankingData:
    """Labelled data, from whatever form it has."""
    if isinstance(x, RankingData):
        if not x.n_documents:
            raise AlignmentError("there are no documents.")
        if y is not None or qid is not None or group is not None:
            raise ParameterError("RankingData already holds labels and queries; pass it alone.")
        return x
    if isinstance(x, str | os.PathLike):
        return read_letor(x)
    features: Any = x
    if isinstance(x, tuple) and y is None and len(x) == 3:
        features, y, qid = features
    if y is None:
        raise ParameterError("labels are missing: pass y=, or RankingData.")
    try:
        labels = np.asarray(y, dtype=np.float64)
    except (TypeError, ValueError):
        raise AlignmentError("labels must be numbers.") from None
    matrix, names = features_of(features)
    return RankingData.from_arrays(matrix, labels, qid=qid, group=group, feature_names=names)


def features_of(x: DataLike) -> tuple[Singles, tuple[str, ...] | None]:
    """A matrix of features as float32, and the names of its columns if they have any."""
    dense = x.toarray() if hasattr(x, "toarray") else x  # a sparse matrix
    matrix = np.asarray(dense, dtype=np.float32)
    if matrix.ndim != 2:
        raise AlignmentError(f"features must be documents × features, got shape {matrix.shape}.")
    return matrix, _names_of(x)


def _names_of(x: Any) -> tuple[str, ...] | None:
    """The names of a frame's columns, if they are texts."""
    columns = list(getattr(x, "columns", []))
    return tuple(columns) if columns and all(isinstance(name, str) for name in columns) else None


def columns_of_model(
    features: Singles, data: FeatureColumns, model: FeatureColumns, *, what: str = "the data"
) -> Singles:
    """The columns that a model knows, in its order; others are left out, with a warning."""
    positions = model.positions_in(data, what=what)
    if positions is None:
        return features
    left_out = model.left_out_of(data)
    if left_out:
        warnings.warn(f"columns that the model does not know are left out: {left_out}.", stacklevel=3)
    return features[:, positions]


def check_finite(features: Singles, columns: FeatureColumns) -> None:
    """Infinite features have no place in a tree; NaN means a missing value."""
    if not features.size:
        return
    extremes = np.fmin.reduce(features, axis=None), np.fmax.reduce(features, axis=None)  # no copy, no NaN
    if np.isinf(extremes).any():
        row, column = np.argwhere(np.isinf(features))[0]
        raise AlignmentError(
            f"{columns.label(int(column))} of document {int(row) + 1} is infinite. "
            "Use a number, or NaN for a missing value."
        )
