"""Documents as codes of one byte a value, which all trees of all models on the same data share."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from riskrank.cores import share_work
from riskrank.kernels.histogram_trees.bin import CODES, encode, find_bounds
from riskrank.rankers.trees.engine import Bins
from riskrank.rankers.trees.native.document_spans import DocumentSpans

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from riskrank.data.ranking_data import RankingData
    from riskrank.typing import Floats, Integers, Singles

SEEN_ROWS = 20_000  # bounds of bins go by so many documents; more gave no better trees
LARGEST = float(np.finfo(np.float32).max)

_codes, _codes_beside = Bins["DocumentCodes"](), Bins["DocumentCodes"]()


@dataclass(frozen=True, eq=False)
class BinBounds:
    """The bins of each feature: the largest value in each, how many there are, and the range of the values seen."""

    upper: Singles  # features × codes, infinite from the last bin on
    n_bins: NDArray[np.int32]
    ranges: Floats  # features × 2

    def thresholds(self, features: Integers, codes: Sequence[int]) -> Floats:
        """What values in bins up to a code are at most: all values, where it is the last."""
        return np.minimum(self.upper[features, codes].astype(np.float64), LARGEST)


@dataclass(frozen=True, eq=False)
class DocumentCodes:
    """The bin of each value (documents × features), and the bins."""

    codes: NDArray[np.uint8]
    bounds: BinBounds

    @property
    def n_features(self) -> int:
        """How many features there are."""
        return int(self.codes.shape[1])


def coded(data: RankingData, n_bins: int, n_threads: int) -> DocumentCodes:
    """Training data in bins of their own."""
    return _codes.of(
        data, n_bins, lambda: encoded(data.features, find_bins(data.features, n_bins, n_threads), n_threads)
    )


def coded_beside(data: RankingData, train: DocumentCodes, n_threads: int) -> DocumentCodes:
    """Validation data in the bins of training data."""
    return _codes_beside.of(data, train, lambda: encoded(data.features, train.bounds, n_threads))


def find_bins(features: Singles, n_bins: int, n_threads: int) -> BinBounds:
    """Bins of about as many documents each, by rows from all parts of the data."""
    n_documents, n_features = features.shape
    n_rows = min(n_documents, SEEN_ROWS)
    rows = (np.arange(n_rows) * n_documents) // n_rows
    seen = features[rows]
    upper, counts = np.empty((n_features, CODES), np.float32), np.empty(n_features, np.int32)
    ranges = np.zeros((n_features, 2))

    def find(f: int) -> None:
        column = np.sort(seen[:, f])  # missing values last
        known = column[: n_rows - int(np.isnan(column).sum())]
        counts[f] = find_bounds(known, n_bins, upper[f])
        if len(known):
            ranges[f] = known[0], known[-1]

    share_work(find, range(n_features), n_threads)
    return BinBounds(upper, counts, ranges)


def encoded(features: Singles, bounds: BinBounds, n_threads: int) -> DocumentCodes:
    """The codes of all values."""
    codes = np.empty(features.shape, np.uint8)
    DocumentSpans(len(features), n_threads).run(lambda _, span: encode(features, *span, bounds.upper, codes))
    return DocumentCodes(codes, bounds)
