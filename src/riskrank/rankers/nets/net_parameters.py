"""What `LambdaNet` may be told: its choices, and its parameters by name."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, TypedDict

if TYPE_CHECKING:
    from torch.nn import Module

    from riskrank.typing import MeasureLike, StartName

Optimiser = Literal["adamw", "sgd"]
Schedule = Literal["cosine", "constant", "drop"]
Backprop = Literal["documents", "pairs"]


class NetParameters(TypedDict, total=False):
    """All parameters of `LambdaNet` but the objective."""

    net: str | Module
    hidden: int | tuple[int, ...] | None
    dropout: float
    standardise: bool
    n_epochs: int
    batch_queries: int
    optimiser: Optimiser
    learning_rate: float
    weight_decay: float
    schedule: Schedule
    restart_after: int | None
    backprop: Backprop
    early_stopping: int | None
    valid_measure: MeasureLike | None
    start: StartName
    start_spread: float
    n_threads: int | None
    random_state: int
    verbose: bool | None
