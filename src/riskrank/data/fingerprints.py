"""Digests that tell whether data, and other things, are the same."""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING, Any

import numpy as np

from riskrank.data.shards.data_share import DataShare
from riskrank.data.shards.sharded_data import ShardedData

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from riskrank.data.ranking_data import RankingData
    from riskrank.typing import Floats

SAMPLED_ROWS = 1000
LENGTH = 32  # of digests


def sampled_fingerprint(data: RankingData) -> str:
    """A quick digest, for people: all labels and weights, the queries' sizes, and about 1,000 rows of features."""
    if isinstance(data, DataShare):
        return data.manifest.digest[:LENGTH]
    rows = data.features[:: max(1, len(data) // SAMPLED_ROWS)]
    names = (data.features.shape, data.first_feature, *_categories(data))
    return _data_digest(names, data.labels, data.query_offsets, rows, *_weights(data))


def whole_fingerprint(data: RankingData | ShardedData) -> str:
    """A digest of all that training sees, for caches and checkpoints: another number anywhere is another digest."""
    if isinstance(data, DataShare | ShardedData):
        return data.manifest.digest[:LENGTH]
    names = (data.features.shape, data.first_feature, data.query_ids, *_categories(data))
    clicks = () if data.is_clicked is None else (data.is_clicked,)
    return _data_digest(names, data.features, data.labels, data.query_offsets, *clicks, *_weights(data))


def array_digest(values: NDArray[Any]) -> str:
    """A digest of numbers."""
    return hashlib.sha256(np.ascontiguousarray(values).tobytes()).hexdigest()[:LENGTH]


def scores_digest(scores: Floats, data: RankingData) -> str:
    """A digest of scores of documents; for a share of data, of what all queries tell, which no share decides."""
    return array_digest(data.everywhere(scores_told(scores, data)))


def scores_told(scores: Floats, data: RankingData) -> Floats:
    """What tells scores of documents from others: all of them; for a share of data, two sums of each query."""
    if not isinstance(data, DataShare):
        return scores
    known = np.where(np.isfinite(scores), scores, -1.0)
    return np.stack([np.bincount(data.query_numbers, values, data.n_queries) for values in (known, known * known)])


def json_digest(content: object) -> str:
    """A digest of what JSON keeps; other things in it count by their text."""
    return hashlib.sha256(json.dumps(content, sort_keys=True, default=str).encode()).hexdigest()[:LENGTH]


def _weights(data: RankingData) -> tuple[NDArray[Any], ...]:
    return tuple(weights for weights in (data.query_weights, data.document_weights) if weights is not None)


def _categories(data: RankingData) -> tuple[Any, ...]:
    return tuple(sorted(data.categories.items()))


def _data_digest(names: tuple[Any, ...], *arrays: NDArray[Any]) -> str:
    digest = hashlib.sha256(repr(names).encode())
    for array in arrays:
        digest.update(np.ascontiguousarray(array).data)
    return digest.hexdigest()[:LENGTH]
