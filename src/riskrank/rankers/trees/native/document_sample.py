"""The documents that a tree sees, drawn anew for each tree."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from riskrank.cores import share_work
from riskrank.kernels.histogram_trees.grow import Sampled
from riskrank.kernels.histogram_trees.mixing import mixed
from riskrank.kernels.histogram_trees.sample import (
    CELLS,
    Odds,
    Packing,
    count_sizes,
    gather,
    keep,
    limit_for,
    pack,
)
from riskrank.rankers.trees.native.document_spans import DocumentSpans

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from riskrank.objectives.on_data.bound_objective import Gradients
    from riskrank.rankers.trees.native.document_codes import DocumentCodes
    from riskrank.rankers.trees.native.native_parameters import NativeParameters
    from riskrank.typing import Integers

FLOOR = 0.1  # of the share: no document is less likely to be kept
BITS = 64
SIZES = ((np.arange(CELLS, dtype=np.int32) << 16) + (1 << 15)).view(np.float32)  # in the middle of each cell


class DocumentSample:
    """Draws samples of documents and features; its arrays serve one tree after the other."""

    def __init__(self, documents: DocumentCodes, parameters: NativeParameters, n_threads: int) -> None:
        self._documents = documents
        self._n_documents = len(documents.codes)
        self._spans = DocumentSpans(self._n_documents, n_threads)
        self._n_threads = n_threads
        self._share = parameters.share(self._n_documents)
        self._n_columns = max(1, math.ceil(parameters.feature_fraction * documents.n_features))
        self._seed = parameters.seed
        self._kept = np.empty(self._n_documents, np.int32)
        self._weights = np.empty(self._n_documents, np.float32)
        self._rows, self._packed = np.empty((2, 0), np.int32), np.empty((2, 0), np.int64)
        self._copies = np.empty((0, self._n_columns), np.uint8)

    def draw(self, gradients: Gradients, iteration: int) -> tuple[Sampled, Integers, Packing]:
        """Documents for a tree, the features that it may split by, and how sums are packed."""
        key = np.uint64(mixed(np.uint64(self._seed), iteration))
        columns = self._columns(key)
        counts, sums = self._keep(gradients, key)
        starts = np.concatenate([[0], np.cumsum(counts)])
        packing = packing_for(sums, int(starts[-1]))
        sampled = self._sampled(int(starts[-1]), columns)
        gradient, hessian = gradients.gradient, gradients.hessian
        copies = sampled.codes is not self._documents.codes

        def fill(number: int, span: tuple[int, int]) -> None:
            begin, end = int(starts[number]), int(starts[number + 1])
            some = slice(span[0], span[0] + end - begin)
            kept, weights = self._kept[some], self._weights[some]
            pack(gradient, hessian, kept, weights, key, packing, sampled.packed[begin:end])
            sampled.rows[begin:end] = np.arange(begin, end)
            if copies:
                gather(self._documents.codes, kept, columns, sampled.codes[begin:end])

        self._spans.run(fill)
        return sampled, columns, packing

    def _columns(self, key: np.uint64) -> Integers:
        n_features = self._documents.n_features
        if self._n_columns == n_features:
            return np.arange(n_features)
        drawn = [int(mixed(key, -2 - feature)) for feature in range(n_features)]
        return np.sort(np.argsort(drawn, kind="stable")[: self._n_columns])

    def _keep(self, gradients: Gradients, key: np.uint64) -> tuple[Integers, NDArray[np.float64]]:
        """How many documents of each span are kept, and what they add up to."""
        floor = FLOOR * self._share
        odds = Odds(self._limit(gradients, floor), floor, key)
        counts, sums = np.zeros(len(self._spans), np.int64), np.zeros((len(self._spans), 3))

        def task(number: int, span: tuple[int, int]) -> None:
            arrays = gradients.gradient, gradients.hessian
            counts[number] = keep(*arrays, span, odds, self._kept, self._weights, sums[number])

        self._spans.run(task)
        return counts, sums.sum(axis=0)

    def _limit(self, gradients: Gradients, floor: float) -> float:
        if self._share >= 1:
            return 0.0
        bits, n_parts = gradients.gradient.view(np.int32), self._n_threads
        bounds = [self._n_documents * part // n_parts for part in range(n_parts + 1)]
        cells = np.zeros((n_parts, CELLS), np.int32)
        share_work(lambda part: count_sizes(bits, *bounds[part : part + 2], cells[part]), range(n_parts), n_parts)
        return float(limit_for(cells.sum(axis=0), SIZES, self._share * self._n_documents, floor))

    def _sampled(self, n: int, columns: Integers) -> Sampled:
        """Arrays for so many documents: codes are copied unless all documents and features are used."""
        documents = self._documents
        is_whole = n == self._n_documents and len(columns) == documents.n_features
        if self._rows.shape[1] < n:
            size = self._some_more_than(n)
            self._rows, self._packed = np.empty((2, size), np.int32), np.empty((2, size), np.int64)
        if not is_whole and len(self._copies) < n:
            self._copies = np.empty((self._some_more_than(n), self._n_columns), np.uint8)
        codes = documents.codes if is_whole else self._copies[:n]
        rows, packed = self._rows[:, :n], self._packed[:, :n]
        return Sampled(codes, rows[0], packed[0], rows[1], packed[1], documents.bounds.n_bins[columns])

    def _some_more_than(self, n: int) -> int:
        """A size that will do for the samples of most trees to come."""
        return min(self._n_documents, n + n // 8 + 64)


def packing_for(sums: NDArray[np.float64], n: int) -> Packing:
    """Units in which no sum over any of n documents overflows its bits.

    Rounding adds less than one unit a document, and with many documents, whose roundings are drawn, far less.
    """
    slopes, curvature, number = (float(each) for each in sums)
    rounding = min(n, 16 * math.sqrt(n)) + 2
    number_bits = int(number + rounding).bit_length()
    gradient_bits = min(BITS // 2, (BITS - number_bits) // 2 + 1)
    hessian_bits = min(BITS // 2 - 1, BITS - number_bits - gradient_bits)
    gradient_unit = slopes / (2.0 ** (gradient_bits - 1) - rounding) or 1.0
    hessian_unit = curvature / (2.0**hessian_bits - rounding) or 1.0
    return Packing(number_bits, hessian_bits, gradient_unit, hessian_unit)
