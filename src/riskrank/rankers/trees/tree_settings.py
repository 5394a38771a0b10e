"""What every tree engine is told."""

from __future__ import annotations

from dataclasses import dataclass, field
from importlib import import_module
from typing import TYPE_CHECKING, Any

from riskrank.errors import ParameterError, nearest, quoted

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

ENGINES = {"lightgbm": "riskrank.rankers.trees.lightgbm_trees", "xgboost": "riskrank.rankers.trees.xgboost_trees"}
MODEL_FILES = {"lightgbm": "model.txt", "xgboost": "model.json"}


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
class Earlier:
    """Trees grown before an interruption, and the scores that they gave."""

    model: bytes
    train_scores: NDArray[np.float64]
    valid_scores: NDArray[np.float64] | None
    n_trees: int


def quiet_engine(name: str) -> None:
    """Keep an engine from writing lines of its own; what it refuses comes as an error."""
    quiet = getattr(engine_named(name), "quiet", None)
    if quiet is not None:
        quiet()


def engine_named(name: str) -> Any:
    """The module of a tree engine: its Trees and Model."""
    if name not in ENGINES:
        known = ", ".join(ENGINES)
        raise ParameterError(f"unknown engine {quoted(name)}.{nearest(name, list(ENGINES))} Known: {known}.")
    return import_module(ENGINES[name])
