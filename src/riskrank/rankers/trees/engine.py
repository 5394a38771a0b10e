"""What tree engines are told and what they offer; each engine is a module with the same names in it.

Another engine is a file like `lightgbm_trees.py`, a line in `ENGINES`, and its name in `riskrank.typing.EngineName`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from importlib import import_module
from typing import TYPE_CHECKING, Any, Protocol

from riskrank.errors import ParameterError, nearest, quoted

if TYPE_CHECKING:
    from collections.abc import Callable

    from riskrank.data.ranking_data import RankingData
    from riskrank.objectives.on_data.bound_objective import Gradients
    from riskrank.typing import Floats, PathLike, Singles

ENGINES = {"lightgbm": "riskrank.rankers.trees.lightgbm_trees", "xgboost": "riskrank.rankers.trees.xgboost_trees"}
BLOCK = 50  # with random numbers, trees are grown in blocks of so many, each with a seed of its own: see block_seed


def block_seed(seed: int, iteration: int) -> int:
    """The seed of the block that begins at an iteration.

    Engines do not tell the state of their random numbers, so a resumed training can only go on where they begin anew.
    """
    return (seed + 7919 * (iteration // BLOCK)) % 2**31


@dataclass(frozen=True)
class TreeSettings:
    """Parameters that all engines have, and those that only one knows."""

    n_leaves: int
    min_docs_in_leaf: int | None
    learning_rate: float
    n_threads: int
    random_state: int
    fast: bool
    engine_params: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class GrownTrees:
    """Trees of a checkpoint, and the scores that they gave."""

    model: bytes
    train_scores: Floats
    valid_scores: Floats | None
    n_trees: int


class Trees(Protocol):
    """A growing ensemble on training data and, perhaps, validation data."""

    def grow(self, gradients: Gradients, iteration: int) -> bool:
        """Add a tree to gradients of the present scores; False if no split was worth it."""

    def train_scores(self) -> Floats:
        """The scores of the training data."""

    def valid_scores(self) -> Floats:
        """The scores of the validation data."""

    def is_resumable(self, n_trees: int) -> bool:
        """Can training go on from here in another process just as in this one?"""

    def text(self) -> bytes:
        """The ensemble as the engine writes it."""


class TreeModel(Protocol):
    """A finished ensemble."""

    def predict(self, features: Singles, *, n_trees: int, n_threads: int | None) -> Floats:
        """A score for each row from the first trees."""

    def importances(self) -> dict[str, Floats]:
        """How much each feature gained (``"gain"``), and how often it split (``"split"``)."""


class Engine(Protocol):
    """The module of an engine."""

    NAME: str
    VERSION: str
    MODEL_FILE: str  # the name of the file that a model is kept in
    LIMITS_DOCUMENTS: bool  # can leaves have a least number of documents?
    Trees: Callable[[RankingData, RankingData | None, TreeSettings, GrownTrees | None], Trees]

    def read_model(self, text: bytes, path: PathLike) -> TreeModel:
        """A model from what `Trees.text` gave; `path` is for messages."""

    def quiet(self) -> None:
        """Keep the engine from writing lines of its own; what it refuses comes as an error."""


def engine_named(name: str) -> Engine:
    """A tree engine by its name."""
    if name not in ENGINES:
        known = ", ".join(ENGINES)
        raise ParameterError(f"unknown engine {quoted(name)}.{nearest(name, list(ENGINES))} Known: {known}.")
    engine: Any = import_module(ENGINES[name])
    return engine  # type: ignore[no-any-return]  # a module with these names
