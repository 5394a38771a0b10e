"""A tree: its splits, and what its leaves are worth."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from riskrank.kernels.histogram_trees.renew import CodedTree, add_values, find_leaves, sum_by_leaf

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from riskrank.objectives.on_data.bound_objective import Gradients
    from riskrank.rankers.trees.native.best_first import LeafSplit
    from riskrank.rankers.trees.native.document_codes import DocumentCodes
    from riskrank.rankers.trees.native.document_spans import DocumentSpans
    from riskrank.typing import Floats, Integers


@dataclass(frozen=True, eq=False)
class GrownTree:
    """Splits with thresholds and, where documents are coded, with codes; what each leaf adds to scores.

    `sums` has gradient, hessian and number of the documents in each leaf, of all, not of a sample.
    """

    coded: CodedTree
    feature: Integers
    thresholds: Floats
    missing_left: NDArray[np.bool_]
    gains: Floats
    sums: Floats
    values: Floats


def coded_tree(splits: Sequence[LeafSplit], columns: Integers) -> CodedTree:
    """The tree that splits make, which know features by their columns in a sample."""
    left, right = (np.empty(len(splits), np.int32) for _ in range(2))
    place: dict[int, tuple[NDArray[np.int32], int]] = {}  # of each leaf: where its parent has its number
    for number, split in enumerate(splits):
        if split.leaf in place:
            children, parent = place[split.leaf]
            children[parent] = number
        left[number], right[number] = ~split.leaf, ~(number + 1)
        place[split.leaf], place[number + 1] = (left, number), (right, number)
    shift = np.array([split.missing_left for split in splits], np.uint64)
    cut = np.array([split.cut for split in splits], np.uint64) + shift
    feature = columns[[split.column for split in splits]].astype(np.uint64)
    packed = feature << np.uint64(16) | shift << np.uint64(8) | cut
    return CodedTree(packed, np.stack([left, right], axis=1).ravel())


def leaf_numbers(tree: CodedTree, documents: DocumentCodes, spans: DocumentSpans, out: NDArray[np.int32]) -> None:
    """Which leaf each document is in."""
    spans.run(lambda _, span: find_leaves(documents.codes, span, tree, out))


def leaf_sums(gradients: Gradients, n_leaves: int, spans: DocumentSpans, leaf_of: NDArray[np.int32]) -> Floats:
    """Gradient, hessian and number of the documents in each leaf, the same for any number of threads."""
    sums = np.zeros((len(spans), n_leaves, 3))
    arrays = gradients.gradient, gradients.hessian
    spans.run(lambda number, span: sum_by_leaf(*arrays, span, leaf_of, sums[number]))
    total: Floats = sums.sum(axis=0)
    return total


def add_tree(values: Floats, spans: DocumentSpans, leaf_of: NDArray[np.int32], scores: Floats) -> None:
    """Add what a tree says of documents to their scores."""
    spans.run(lambda _, span: add_values(values, span, leaf_of, scores))
