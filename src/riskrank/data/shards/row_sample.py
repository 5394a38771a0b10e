"""RowSample: a draw of rows that depends on their positions alone."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from riskrank.data.hashing import hashed

if TYPE_CHECKING:
    from riskrank.typing import Floats, Integers, Singles

SALT = 20


@dataclass
class RowSample:
    """The rows with the smallest numbers, hashed from their positions: a draw that depends on nothing else."""

    n_wanted: int
    rows: list[Singles] = field(default_factory=list)
    keys: list[Floats] = field(default_factory=list)
    limit: float = 1.0
    _largest: Singles = field(default_factory=lambda: np.empty(0, np.float32))

    def add(self, features: Singles, positions: Integers) -> None:
        """Look at rows by their positions in the source."""
        self._look_for_largest(features)
        keys = hashed(positions, 0, salt=SALT)
        chosen = keys < self.limit
        self.rows.append(features[chosen])
        self.keys.append(keys[chosen])
        if sum(map(len, self.keys)) > 2 * self.n_wanted:
            self.prune(max(each.shape[1] for each in self.rows))

    def prune(self, width: int) -> Singles:
        """Only as many as are wanted, in the order in which they came."""
        keys = np.concatenate(self.keys)
        if len(keys) > self.n_wanted:
            self.limit = float(np.partition(keys, self.n_wanted)[self.n_wanted])
        rows = np.zeros((int((keys < self.limit).sum()), width), np.float32)
        at = 0
        for each, own_keys in zip(self.rows, self.keys, strict=True):
            kept = each[own_keys < self.limit]
            rows[at : at + len(kept), : kept.shape[1]] = kept
            at += len(kept)
        self.rows, self.keys = [rows], [keys[keys < self.limit]]
        return rows

    def rows_and_largest(self, width: int) -> Singles:
        """The rows that are wanted, and one with the largest value of each feature.

        XGBoost takes a value above the largest that it knows for that one in training, but not in prediction.
        """
        return np.concatenate([self.prune(width), _widened(self._largest, width)[None]])

    def _look_for_largest(self, features: Singles) -> None:
        own = np.fmax.reduce(features, axis=0)
        if not len(self._largest):
            self._largest = own
            return
        width = max(len(own), len(self._largest))
        self._largest = np.fmax(_widened(own, width), _widened(self._largest, width))


def _widened(values: Singles, width: int) -> Singles:
    """With features that lines did not name: they are 0."""
    return np.append(values, np.zeros(width - len(values), np.float32))
