"""What the files of a sweep hold; read at run time, so without ``from __future__ import annotations``."""

import math
from dataclasses import dataclass, field
from typing import Annotated, ClassVar, Literal

from riskrank.errors import ParameterError
from riskrank.files.records import Count, Json, Limits, Number, Words

ParameterName = Annotated[str, Words(r"[A-Za-z_][A-Za-z0-9_]*", "the name of a parameter")]


@dataclass(frozen=True)
class SweepRecord:
    """The results of a sweep, but those of each query, which are in a table beside it."""

    has_more: ClassVar[bool] = True

    format: Literal["riskrank sweep"]
    version: Annotated[int, Limits(1, 1)]
    measure: str
    parameter: ParameterName
    baseline: str
    settings: list[tuple[str, float]]
    baselines: Count
    is_valid_fresh: bool
    train_gain: list[Number]
    train_risk: list[Number]
    unit: str
    folds: Annotated[int, Limits(1, 1_000_000)]
    learning: list[list[list[Number]]]
    thresholds: dict[str, list[Number]]
    predictors: dict[str, dict[str, Json]]
    others: dict[str, dict[str, list[Number]]]
    parameters: dict[str, ParameterName] = field(default_factory=dict)  # sweeps of one parameter may lack it
    learning_baseline: list[list[Number]] = field(default_factory=list)  # of former versions lack it

    def __post_init__(self) -> None:
        n_models = len(self.settings)
        if not n_models or not len(self.train_gain) == len(self.train_risk) == len(self.learning) == n_models:
            raise ParameterError("settings: must be as many as train_gain, train_risk and learning have entries.")
        if self.learning_baseline and [*map(len, self.learning_baseline)] != [*map(len, self.learning)]:
            raise ParameterError("learning_baseline: must have a level for each curve of learning.")


@dataclass(frozen=True)
class FinishedRecord:
    """A model of a sweep that is trained and judged: digests of what it is and of how it was judged, and numbers."""

    has_more: ClassVar[bool] = True

    digest: str
    judged: str
    train_gain: Number
    train_risk: Number
    unit: str
    learning: list[Number]
    learning_baseline: Number = math.nan  # those of former versions lack it
