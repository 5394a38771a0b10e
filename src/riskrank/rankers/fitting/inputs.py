"""What rankers take: RankingData, a LETOR file, or arrays the scikit-learn way."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import numpy as np

from riskrank.data.ranking_data import RankingData
from riskrank.errors import AlignmentError, ParameterError

if TYPE_CHECKING:
    from numpy.typing import NDArray


def training_data(x: Any, y: Any = None, *, qid: Any = None, group: Any = None) -> RankingData:
    """Labelled data, from whatever form it has."""
    if isinstance(x, RankingData):
        if not x.n_documents:
            raise AlignmentError("there are no documents.")
        if y is not None or qid is not None or group is not None:
            raise ParameterError("RankingData already holds labels and queries; pass it alone.")
        return x
    if isinstance(x, str | os.PathLike):
        from riskrank.data.letor.reader import read_letor

        return read_letor(x)
    if isinstance(x, tuple) and y is None and len(x) == 3:
        x, y, qid = x
    if y is None:
        raise ParameterError("labels are missing: pass y=, or RankingData.")
    try:
        labels = np.asarray(y, dtype=np.float64)
    except (TypeError, ValueError):
        raise AlignmentError("labels must be numbers.") from None
    return RankingData.from_arrays(features_of(x), labels, qid=qid, group=group)


def features_of(x: Any) -> NDArray[np.float32]:
    """A matrix of features as float32."""
    if hasattr(x, "toarray"):
        x = x.toarray()
    matrix = np.asarray(x, dtype=np.float32)
    if matrix.ndim != 2:
        raise AlignmentError(f"features must be documents × features, got shape {matrix.shape}.")
    return matrix


def check_features(data: RankingData) -> None:
    """Infinite features have no place in a tree; NaN means a missing value."""
    check_finite(data.features, data.first_feature)


def check_finite(features: NDArray[np.float32], first_feature: int) -> None:
    """The same for an array whose columns are numbered from `first_feature`."""
    if not features.size:
        return
    extremes = np.fmin.reduce(features, axis=None), np.fmax.reduce(features, axis=None)  # no copy, no NaN
    if np.isinf(extremes).any():
        row, column = np.argwhere(np.isinf(features))[0]
        raise AlignmentError(
            f"feature {first_feature + int(column)} of document {int(row) + 1} is infinite. "
            "Use a number, or NaN for a missing value."
        )
