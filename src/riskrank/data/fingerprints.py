"""Digests that tell whether data are the same."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from riskrank.data.ranking_data import RankingData

SAMPLED_ROWS = 1000


def fingerprint(data: RankingData) -> str:
    """A digest that differs for different data: all labels and queries, and rows of features spread over the data."""
    digest = hashlib.sha256()
    digest.update(repr((data.features.shape, data.first_feature)).encode())
    digest.update(np.ascontiguousarray(data.labels).tobytes())
    digest.update(np.ascontiguousarray(data.query_offsets).tobytes())
    step = max(1, len(data) // SAMPLED_ROWS)
    digest.update(np.ascontiguousarray(data.features[::step]).tobytes())
    return digest.hexdigest()[:32]


def whole_fingerprint(data: RankingData) -> str:
    """A digest of all that is in the data, for caches: another number anywhere is another digest."""
    digest = hashlib.sha256(repr((data.features.shape, data.first_feature, data.query_ids)).encode())
    for array in (data.features, data.labels, data.query_offsets):
        digest.update(np.ascontiguousarray(array).data)
    return digest.hexdigest()[:32]


def array_digest(values: NDArray[Any]) -> str:
    """A digest of numbers."""
    return hashlib.sha256(np.ascontiguousarray(values).tobytes()).hexdigest()[:32]
