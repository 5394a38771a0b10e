"""What every tree engine is told."""

from __future__ import annotations

from dataclasses import dataclass, field
from importlib import import_module
from typing import TYPE_CHECKING, Any

from riskrank.errors import ParameterError, nearest, quoted

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

ENGINES = {"lightgbm": "riskrank.rankers.lightgbm_trees", "xgboost": "riskrank.rankers.xgboost_trees"}


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


def engine_named(name: str) -> Any:
    """The module of a tree engine: its Trees and Model."""
    if name not in ENGINES:
        known = ", ".join(ENGINES)
        raise ParameterError(f"unknown engine {quoted(name)}.{nearest(name, list(ENGINES))} Known: {known}.")
    return import_module(ENGINES[name])
