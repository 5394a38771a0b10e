"""A finished model of the engine `native`."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from riskrank.cores import usable_cores
from riskrank.errors import ParameterError
from riskrank.rankers.trees.native.compiled_forest import CompiledForest
from riskrank.rankers.trees.native.document_spans import DocumentSpans
from riskrank.rankers.trees.native.forest_text import TreeColumns

if TYPE_CHECKING:
    from riskrank.typing import Categories, Floats, Singles


class Model:
    """Trees that score documents as LightGBM would, to the last bit."""

    def __init__(self, text: bytes, categories: Categories) -> None:
        columns = TreeColumns(text, categories)
        self._text = text
        self.n_features = columns.n_features
        self.n_trees = len(columns.n_leaves)
        self._forest = CompiledForest(columns)
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
        return self._forest.predict(features, n_trees=n_trees, n_threads=n_threads)

    def contributions(self, features: Singles, *, n_trees: int, n_threads: int | None) -> Floats:
        """What each feature adds to such a score, and the part that all rows have in common."""
        from riskrank.kernels.histogram_trees.shapley import count_nodes, explain_rows

        walks = self._forest.walks
        counts, out = np.empty(len(self._gains) + len(self._counts)), np.zeros((len(features), self.n_features + 1))
        deepest = count_nodes(walks, self._counts, counts)
        spans = DocumentSpans(len(features), n_threads or usable_cores())
        spans.run(lambda _, span: explain_rows(features, span, walks, counts, n_trees, deepest, out))
        return out

    def importances(self) -> dict[str, Floats]:
        """How much each feature gained, and how often it split."""
        feature = self._forest.walks.feature
        gain = np.bincount(feature, weights=self._gains, minlength=self.n_features)
        return {"gain": gain, "splits": np.bincount(feature, minlength=self.n_features).astype(float)}
