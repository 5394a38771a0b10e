"""A finished model of the engine `native`."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from riskrank.cores import usable_cores
from riskrank.errors import ParameterError
from riskrank.kernels.histogram_trees.walk import Walks, add_trees
from riskrank.rankers.trees.native.document_spans import DocumentSpans
from riskrank.rankers.trees.native.forest_text import TreeColumns

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from riskrank.typing import Categories, Floats, Singles

FEW_STEPS = 200_000  # documents × trees that are not worth a second thread


class Model:
    """Trees that score documents as LightGBM would, to the last bit."""

    def __init__(self, text: bytes, categories: Categories) -> None:
        columns = TreeColumns(text, categories)
        self._text = text
        self.n_features = columns.n_features
        self.n_trees = len(columns.n_leaves)
        self._walks = Walks(
            np.concatenate([[0], np.cumsum(columns.n_leaves - 1)]),
            np.concatenate([[0], np.cumsum(columns.n_leaves)]),
            columns.feature.astype(np.int32),
            rounded_down(columns.threshold),
            columns.missing_left.astype(np.uint8),
            np.stack([columns.left, columns.right], axis=1).astype(np.int32).ravel(),
            columns.values,
        )
        self._gains, self._counts = columns.gain, columns.counts

    @cached_property
    def booster(self) -> Any:
        """The same model as a `lightgbm.Booster`, which needs LightGBM."""
        try:
            from riskrank.rankers.trees import lightgbm_trees
        except ParameterError:
            message = "a booster of the engine native is LightGBM's: pip install 'riskrank[lightgbm]'."
            raise ParameterError(message) from None
        return lightgbm_trees.read_model(self._text, "the model").booster

    def predict(self, features: Singles, *, n_trees: int, n_threads: int | None) -> Floats:
        """A score for each row from the first trees."""
        scores = np.zeros(len(features))
        is_small = len(features) * n_trees < FEW_STEPS
        spans = DocumentSpans(len(features), 1 if is_small else n_threads or usable_cores())
        spans.run(lambda _, span: add_trees(features, span, self._walks, n_trees, scores))
        return scores

    def contributions(self, features: Singles, *, n_trees: int, n_threads: int | None) -> Floats:
        """What each feature adds to such a score, and the part that all rows have in common."""
        from riskrank.kernels.histogram_trees.shapley import count_nodes, explain_rows

        counts, out = np.empty(len(self._gains) + len(self._counts)), np.zeros((len(features), self.n_features + 1))
        deepest = count_nodes(self._walks, self._counts, counts)
        spans = DocumentSpans(len(features), n_threads or usable_cores())
        spans.run(lambda _, span: explain_rows(features, span, self._walks, counts, n_trees, deepest, out))
        return out

    def importances(self) -> dict[str, Floats]:
        """How much each feature gained, and how often it split."""
        feature = self._walks.feature
        gain = np.bincount(feature, weights=self._gains, minlength=self.n_features)
        return {"gain": gain, "splits": np.bincount(feature, minlength=self.n_features).astype(float)}


def rounded_down(values: Floats) -> NDArray[np.float32]:
    """The largest single numbers that are not above these: no single number lies between them.

    >>> rounded_down(np.array([0.1, 0.5])).astype(float) <= [0.1, 0.5]
    array([ True,  True])
    """
    with np.errstate(over="ignore"):
        single = values.astype(np.float32)
    return np.where(single > values, np.nextafter(single, np.float32(-np.inf)), single).astype(np.float32)
