"""What rankers take: RankingData, a LETOR file, or arrays the scikit-learn way."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import numpy as np

from riskrank.data.letor.reader import read_letor
from riskrank.data.ranking_data import RankingData
from riskrank.errors import AlignmentError, ParameterError

if TYPE_CHECKING:
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
    return RankingData.from_arrays(features_of(features), labels, qid=qid, group=group)


def features_of(x: DataLike) -> Singles:
    """A matrix of features as float32."""
    dense = x.toarray() if hasattr(x, "toarray") else x  # a sparse matrix
    matrix = np.asarray(dense, dtype=np.float32)
    if matrix.ndim != 2:
        raise AlignmentError(f"features must be documents × features, got shape {matrix.shape}.")
    return matrix


def check_finite(features: Singles, first_feature: int) -> None:
    """Infinite features have no place in a tree; NaN means a missing value. Features are numbered from the first."""
    if not features.size:
        return
    extremes = np.fmin.reduce(features, axis=None), np.fmax.reduce(features, axis=None)  # no copy, no NaN
    if np.isinf(extremes).any():
        row, column = np.argwhere(np.isinf(features))[0]
        raise AlignmentError(
            f"feature {first_feature + int(column)} of document {int(row) + 1} is infinite. "
            "Use a number, or NaN for a missing value."
        )
