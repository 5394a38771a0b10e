"""What the engine `native` is told: the ranker's parameters, and its own, named as LightGBM names them."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Any

from riskrank.errors import ParameterError, nearest, quoted
from riskrank.kernels.histogram_trees.bin import MOST_BINS
from riskrank.parameters import FASTEST, between, positive, positive_share, whole, within

if TYPE_CHECKING:
    from riskrank.rankers.trees.boosted_trees import BoostedTrees

LEAST_SHARE, FEWEST_SAMPLED = 0.2, 20_000  # a fifth of the documents teaches as much as all, where there are enough


@dataclass(frozen=True)
class NativeParameters:
    """How trees are grown.

    `sample_fraction` of the documents are seen by a tree (None: a fifth, but 20,000 at least), by `feature_fraction` of
    the features it may split. A `max_depth` of -1 is none.
    """

    num_leaves: int = 31
    min_data_in_leaf: int = 20
    learning_rate: float = 0.1
    min_sum_hessian_in_leaf: float = 1e-3
    lambda_l2: float = 0.0
    max_depth: int = -1
    max_bin: int = MOST_BINS
    sample_fraction: float | None = None
    feature_fraction: float = 1.0
    seed: int = 0

    @classmethod
    def of(cls, ranker: BoostedTrees) -> NativeParameters:
        """Of a ranker; its `engine_params` win."""
        if ranker.fast:
            raise ParameterError(
                "fast training is LightGBM's, and the engine native is faster: leave fast out.", "fast"
            )
        own: dict[str, Any] = ranker.engine_params or {}
        known = [field.name for field in fields(cls)]
        for name in own:
            if name not in known:
                hint = nearest(str(name), known)
                raise _refused(f"unknown parameter {quoted(str(name))}.{hint} Known: {', '.join(known)}.")
        least = 20 if ranker.min_docs_in_leaf is None else int(ranker.min_docs_in_leaf)
        usual = cls(int(ranker.n_leaves), least, float(ranker.learning_rate), seed=int(ranker.random_state))
        chosen = replace(usual, **own)
        try:
            chosen.check()
        except ParameterError as error:
            raise _refused(str(error)) from None
        return chosen

    def check(self) -> None:
        """Refuse what no tree can be grown with."""
        whole("num_leaves", self.num_leaves, 2)
        whole("min_data_in_leaf", self.min_data_in_leaf, 0)
        whole("max_depth", self.max_depth, -1)
        whole("seed", self.seed, 0)
        whole("max_bin", self.max_bin, 2)
        within("max_bin", self.max_bin, 2, MOST_BINS)
        positive("learning_rate", self.learning_rate, most=FASTEST)
        between("min_sum_hessian_in_leaf", self.min_sum_hessian_in_leaf, 0, float("inf"))
        between("lambda_l2", self.lambda_l2, 0, float("inf"))
        positive_share("feature_fraction", self.feature_fraction)
        if self.sample_fraction is not None:
            positive_share("sample_fraction", self.sample_fraction)

    def share(self, n_documents: int) -> float:
        """Of the documents that a tree sees."""
        if self.sample_fraction is not None:
            return float(self.sample_fraction)
        return min(1.0, max(LEAST_SHARE, FEWEST_SAMPLED / n_documents))


def _refused(reason: str) -> ParameterError:
    return ParameterError(f"the engine native refuses the parameters: {reason}", "engine_params")
