"""LambdaMART: boosted trees for any objective, on LightGBM, XGBoost or trees of our own."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from riskrank.rankers.trees.boosted_trees import BoostedTrees

if TYPE_CHECKING:
    from riskrank.typing import EngineName, MeasureLike, ObjectiveLike, StartName


class LambdaMART(BoostedTrees):
    """Boosted trees that rank documents, trained for an objective.

    Parameters
    ----------
    objective
        What is optimised: `Gain("nDCG@10")` (the default), `URisk("nDCG@10", alpha=5)`, …; or its name, ``"urisk"``,
        perhaps with parameters, ``"urisk:alpha=5"``.
    n_trees, n_leaves, learning_rate
        How many trees, and how many leaves each, there are at most; and how much each tree counts.
    min_docs_in_leaf
        Documents that a leaf needs at least (default: 20). XGBoost cannot count them.
    early_stopping
        Stop when the validation queries have not improved for this many trees.
    valid_measure
        What that goes by: a measure (default: the objective's), or ``"objective"``, the value that the objective itself
        gives the model.
    start, start_spread
        ``"zero"``, or ``"baseline"`` to boost from its scores, scaled to this standard deviation within queries; such a
        model needs the baseline to predict.
    fast
        LightGBM's quantised gradients, a third to a half less time for coarser trees; ``engine="native"`` is faster.
    engine, engine_params
        ``"lightgbm"``, ``"xgboost"`` or ``"native"``, which needs no library, and parameters of its own.
    n_threads, random_state
        How many threads it may use (default: one per core), and the seed of what the engine draws.
    verbose
        True or False for the progress bar; None shows it on a terminal.
    """

    learns_from_shards = True

    def __init__(
        self,
        objective: ObjectiveLike | None = None,
        *,
        n_trees: int = 300,
        n_leaves: int = 31,
        min_docs_in_leaf: int | None = None,
        learning_rate: float = 0.1,
        early_stopping: int | None = None,
        valid_measure: MeasureLike | None = None,
        start: StartName = "zero",
        start_spread: float = 1.0,
        fast: bool = False,
        engine: EngineName = "lightgbm",
        engine_params: dict[str, Any] | None = None,
        n_threads: int | None = None,
        random_state: int = 0,
        verbose: bool | None = None,
    ) -> None:
        self.objective = objective
        self.n_trees = n_trees
        self.n_leaves = n_leaves
        self.min_docs_in_leaf = min_docs_in_leaf
        self.learning_rate = learning_rate
        self.early_stopping = early_stopping
        self.valid_measure = valid_measure
        self.start = start
        self.start_spread = start_spread
        self.fast = fast
        self.engine = engine
        self.engine_params = engine_params
        self.n_threads = n_threads
        self.random_state = random_state
        self.verbose = verbose
