"""Trees as arrays for compiled loops, which score documents as LightGBM does, to the last bit."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from riskrank.cores import usable_cores
from riskrank.kernels.histogram_trees.walk import Nodes, Walks, add_trees
from riskrank.rankers.trees.native.document_spans import DocumentSpans

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from riskrank.rankers.trees.native.forest_text import TreeColumns
    from riskrank.typing import Floats, Singles

ZERO = float(np.float32(1e-35))  # LightGBM takes what is not farther from 0 for 0
FEW_STEPS = 200_000  # documents × trees that are not worth a second thread


class CompiledForest:
    """Trees that score documents."""

    def __init__(self, columns: TreeColumns) -> None:
        self.walks = Walks(
            np.concatenate([[0], np.cumsum(columns.n_leaves - 1)]),
            np.concatenate([[0], np.cumsum(columns.n_leaves)]),
            columns.feature.astype(np.int32),
            rounded_down(around_zero(columns.threshold)),
            columns.missing_left.astype(np.uint8),
            np.stack([columns.left, columns.right], axis=1).astype(np.int32).ravel(),
            columns.values,
        )
        self._nodes = nodes_of(self.walks)

    def predict(self, features: Singles, *, n_trees: int, n_threads: int | None) -> Floats:
        """A score for each row from the first trees."""
        scores = np.zeros(len(features))
        is_small = len(features) * n_trees < FEW_STEPS
        spans = DocumentSpans(len(features), 1 if is_small else n_threads or usable_cores())
        spans.run(lambda _, span: add_trees(features, span, self._nodes, n_trees, scores))
        return scores


def nodes_of(walks: Walks) -> Nodes:
    """The same trees with their leaves among the nodes."""
    n_splits, n_leaves = np.diff(walks.splits), np.diff(walks.leaves)
    begin = walks.splits + walks.leaves
    of_splits = np.arange(len(walks.feature)) + np.repeat(walks.leaves[:-1], n_splits)
    of_leaves = np.arange(len(walks.values)) + np.repeat(walks.splits[1:], n_leaves)
    nodes = Nodes(
        begin,
        np.zeros(begin[-1], np.uint32),
        np.zeros(begin[-1], np.float32),
        np.zeros(begin[-1], np.uint8),
        np.empty(2 * begin[-1], np.uint32),
        np.zeros(begin[-1]),
    )
    nodes.feature[of_splits] = walks.feature
    nodes.threshold[of_splits] = walks.threshold
    nodes.missing_right[of_splits] = walks.missing_left == 0
    nodes.values[of_leaves] = walks.values
    children = walks.children.reshape(-1, 2)
    pairs = nodes.children.reshape(-1, 2)
    pairs[of_splits] = np.where(children >= 0, children, np.repeat(n_splits, n_splits)[:, np.newaxis] + ~children)
    pairs[of_leaves] = (of_leaves - np.repeat(begin[:-1], n_leaves))[:, np.newaxis]
    return nodes


def around_zero(thresholds: Floats) -> Floats:
    """Thresholds that lie among the values that count as 0, moved so that all of these go where 0 goes."""
    below = np.nextafter(np.float32(-ZERO), np.float32(-np.inf))
    moved = np.where((thresholds >= -ZERO) & (thresholds < 0), below, thresholds)
    return np.where((thresholds >= 0) & (thresholds < ZERO), ZERO, moved)


def rounded_down(values: Floats) -> NDArray[np.float32]:
    """The largest single numbers that are not above these: no single number lies between them.

    >>> rounded_down(np.array([0.1, 0.5])).astype(float) <= [0.1, 0.5]
    array([ True,  True])
    """
    with np.errstate(over="ignore"):
        single = values.astype(np.float32)
    return np.where(single > values, np.nextafter(single, np.float32(-np.inf)), single).astype(np.float32)
