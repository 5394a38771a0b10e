"""What both papers share of learning: LambdaMART with their parameters and the printed pairs, on the reader's folds or
small, and how models are compared query by query.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from riskrank.cores import usable_cores
from riskrank.papers.dincer.track import holds_folds, holds_track
from riskrank.papers.verdicts import all_of, jackknife_margin, mean_margin
from riskrank.rankers.trees.lambdamart import LambdaMART
from riskrank.risk.outcomes import is_large_loss, risk_profile
from riskrank.risk.paired import difference

if TYPE_CHECKING:
    from pathlib import Path

    from riskrank.objectives.objective import Objective
    from riskrank.papers.paper import Workplace
    from riskrank.papers.verdicts import AtLeast, Margin, Places
    from riskrank.typing import Floats

MEASURE = "nDCG@10"
SECONDS = 6e-7  # a document of 136 features in a tree of 50 leaves, on one core
LEAST_HESSIAN = 1e-6  # in a leaf; with 0, LightGBM's estimates of how many documents are in it may fail

AS_TRAINED = (
    "Trees are LightGBM's, the papers' Jforests'. Pairs weigh as printed, with nDCG@10 for the NDCG of unnamed depth, "
    f"and without LightGBM's normalisation; the lowest sum of hessians is {LEAST_HESSIAN:g}.",
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
            engine_params={"min_sum_hessian_in_leaf": LEAST_HESSIAN},
        )


class JudgedModel:
    """A model query by query against one baseline, or several of which every number is averaged (macro-averages)."""

    def __init__(self, values: Floats, baselines: Floats) -> None:
        rows = np.atleast_2d(baselines)
        delta = difference(np.broadcast_to(values, rows.shape), rows)
        self.values, self.profile = values, risk_profile(values, baselines)
        self._numbers: dict[str, Floats] = {
            "reward": np.maximum(delta, 0.0),
            "risk": np.maximum(-delta, 0.0),
            "wins": (delta > 0).astype(np.float64),
            "losses": (delta < 0).astype(np.float64),
            "large_losses": is_large_loss(delta, rows).astype(np.float64),
        }

    def of(self, name: str) -> Floats:
        """A number of each query, the mean over baselines: effectiveness, reward, risk, wins, losses, large_losses."""
        return self.values if name == "effectiveness" else np.asarray(self._numbers[name].mean(axis=0))

    def ratio(self, name: str, queries: Places) -> float:
        """reward_per_risk or wins_per_loss of some queries, averaged over baselines."""
        above, below = RATIOS[name]
        parts = [self._numbers[part][:, queries].mean(axis=1) for part in (above, below)]
        with np.errstate(divide="ignore", invalid="ignore"):
            return float(np.mean(parts[0] / parts[1]))


RATIOS = {"reward_per_risk": ("reward", "risk"), "wins_per_loss": ("wins", "losses")}


def higher(name: str, one: JudgedModel, other: JudgedModel, *, by: float = 0.0) -> Margin:
    """Is a number of one model higher than that of another, by so much; ratios are compared by their logarithms."""
    if name not in RATIOS:
        return mean_margin(one.of(name) - other.of(name) - by)

    def apart(queries: Places) -> float:
        with np.errstate(divide="ignore", invalid="ignore"):
            return float(np.log(one.ratio(name, queries)) - np.log(other.ratio(name, queries))) - by

    return jackknife_margin(apart, len(one.values))


def alike(name: str, one: JudgedModel, other: JudgedModel, limit: float) -> AtLeast:
    """Do both differ by less than a limit (of ratios: of their logarithms)?"""
    return all_of([higher(name, one, other, by=-limit), higher(name, other, one, by=-limit)])


def has_folds(work: Workplace) -> bool:
    """Is there data of the reader to learn from? A folder with runs of a track only has none."""
    return work.data is not None and (work.is_asked_for or holds_folds(work.data) or not holds_track(work.data))


def small_departures(work: Workplace, smaller: str) -> tuple[str, ...]:
    """Of a small version, and why it is one though there is a folder."""
    return (smaller, *((NOT_HERE,) if work.data is not None else ()))


def training_seconds(documents: float, n_models: int, plan: TreePlan) -> float:
    """About how long models take, each trained on so many documents."""
    return SECONDS * documents * n_models * plan.n_trees / usable_cores()


def training_files(work: Workplace, folds: int) -> list[Path]:
    """The training files of the first folds of the reader's copy."""
    return [] if work.data is None else [work.data / f"Fold{i + 1}" / "train.txt" for i in range(folds)]
