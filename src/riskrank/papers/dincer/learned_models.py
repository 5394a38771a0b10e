"""How both papers train: LambdaMART with their parameters and the printed pairs, and the columns of their tables."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from riskrank.rankers.trees.lambdamart import LambdaMART
from riskrank.risk.trisk import standard_error

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from riskrank.objectives.objective import Objective
    from riskrank.papers.paper import Workplace
    from riskrank.typing import Floats

MEASURE = "nDCG@10"
SECONDS = 6e-7  # a document of 136 features in a tree of 50 leaves, on one core
SAMPLE = 1 << 20  # bytes of a file that tell how long its lines are

AS_TRAINED = (
    "Trees are LightGBM's, the papers' Jforests'. Pairs weigh as printed, with nDCG@10 for the NDCG of unnamed depth, "
    "and without LightGBM's normalisation and lowest sum of hessians.",
    "Where print and the authors' code differ, ours follows the code, which the numbers come from: a swap is worth the "
    "exact change of URisk, also where it crosses the baseline; and in SARO and FARO a query stands d / s, with s the "
    "standard deviation of a query. By the standard error, as printed, nearly every α′ would be 0 or α.",
)
NOT_HERE = "The data folder has other data of the paper and no folds to learn from: a small version on generated data."


@dataclass(frozen=True)
class TreePlan:
    """The parameters of all trees of an experiment."""

    n_trees: int
    n_leaves: int
    learning_rate: float
    min_docs_in_leaf: int

    def ranker(self, objective: type[Objective]) -> LambdaMART:
        """LambdaMART for a kind of objective, its pairs as printed."""
        return LambdaMART(
            objective(MEASURE, truncation=None, normalise="none"),
            n_trees=self.n_trees,
            n_leaves=self.n_leaves,
            learning_rate=self.learning_rate,
            min_docs_in_leaf=self.min_docs_in_leaf,
            engine_params={"min_sum_hessian_in_leaf": 0.0},
        )


def by_chance(differences: Sequence[Floats]) -> str:
    """How far the mean nDCG@10 of two models may differ by chance, from their differences on each query."""
    largest = max(float(standard_error(each)) for each in differences)
    return f"With these queries, differences of nDCG@10 up to {2 * largest:.4f} (two standard errors) may be chance."


def about_documents(files: list[Path]) -> int:
    """About how many lines files have, by their sizes and their first lines."""
    total = 0.0
    for file in files:
        if file.is_file():
            with open(file, "rb") as content:
                start = content.read(SAMPLE)
            total += file.stat().st_size * max(start.count(b"\n"), 1) / max(len(start), 1)
    return round(total)


def training_files(work: Workplace, folds: int) -> list[Path]:
    """The training files of the first folds of the reader's copy."""
    return [] if work.data is None else [work.data / f"Fold{i + 1}" / "train.txt" for i in range(folds)]
