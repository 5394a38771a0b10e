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
    children: list[int]  # left and right of each split, leaves are ~leaf
    feature: Integers
    thresholds: Floats
    missing_left: NDArray[np.bool_]
    gains: Floats
    sums: Floats
    values: Floats


def children_of(splits: Sequence[LeafSplit]) -> list[int]:
    """Left and right of each split, leaves are ~leaf."""
    children: list[int] = []
    place: dict[int, int] = {}  # of each leaf, among the children
    for number, split in enumerate(splits):
        if number:
            children[place[split.leaf]] = number
        place[split.leaf], place[number + 1] = 2 * number, 2 * number + 1
        children += ~split.leaf, ~(number + 1)
    return children


def coded_tree(splits: Sequence[LeafSplit], features: Sequence[int], children: Sequence[int]) -> CodedTree:
    """The tree that splits by these features make."""
    n_splits = len(splits)
    packed = [
        feature << 16 | split.missing_left << 8 | split.cut + split.missing_left
        for feature, split in zip(features, splits, strict=True)
    ]
    nodes = [child if child >= 0 else n_splits + ~child for child in children]
    leaves = range(n_splits, 2 * n_splits + 1)
    return CodedTree(
        np.array(packed + [0] * len(leaves), np.uint64),
        np.array(nodes + [leaf for leaf in leaves for _ in range(2)], np.uint32),
    )


def leaf_numbers(tree: CodedTree, documents: DocumentCodes, spans: DocumentSpans, out: NDArray[np.int32]) -> None:
    """Which leaf each document is in."""
    spans.run(lambda _, span: find_leaves(documents.codes, span, tree, out))


def leaf_sums(
    tree: CodedTree, documents: DocumentCodes, gradients: Gradients, spans: DocumentSpans, leaf_of: NDArray[np.int32]
) -> Floats:
    """Which leaf each document is in; gradient, hessian and number in each leaf, the same for any number of threads."""
    sums = np.zeros((len(spans), len(tree.splits) // 2 + 1, 3))
    arrays = gradients.gradient, gradients.hessian

    def task(number: int, span: tuple[int, int]) -> None:
        find_leaves(documents.codes, span, tree, leaf_of)
        sum_by_leaf(*arrays, span, leaf_of, sums[number])

    spans.run(task)
    total: Floats = sums.sum(axis=0)
    return total


def add_tree(values: Floats, spans: DocumentSpans, leaf_of: NDArray[np.int32], scores: Floats) -> None:
    """Add what a tree says of documents to their scores."""
    spans.run(lambda _, span: add_values(values, span, leaf_of, scores))
