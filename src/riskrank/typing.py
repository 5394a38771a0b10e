"""The types of riskrank's signatures: arrays, and the forms in which data, runs, judgments and baselines are taken.

Nothing is loaded here: the names are for type checkers, help and completion.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, Protocol, TypeAlias

if TYPE_CHECKING:
    import os
    from collections.abc import Mapping, Sequence

    import numpy as np
    import polars as pl
    from numpy.typing import ArrayLike, NDArray

    from riskrank.data.effectiveness import Effectiveness
    from riskrank.data.feature import Feature
    from riskrank.data.ranking_data import RankingData
    from riskrank.data.trec.qrels import Qrels
    from riskrank.data.trec.runs import Run
    from riskrank.measures.measure import Measure

# Arrays.
Floats: TypeAlias = "NDArray[np.float64]"
Singles: TypeAlias = "NDArray[np.float32]"
Integers: TypeAlias = "NDArray[np.int64]"
Booleans: TypeAlias = "NDArray[np.bool_]"
Arrays: TypeAlias = "dict[str, NDArray[Any]]"

# Files and tables.
PathLike: TypeAlias = "str | os.PathLike[str]"


class FrameLike(Protocol):
    """A pandas or Polars frame."""

    @property
    def columns(self) -> Any:
        """The names of its columns."""

    def __len__(self) -> int: ...

    def __getitem__(self, name: str, /) -> Any: ...


TableLike: TypeAlias = "pl.DataFrame | pl.LazyFrame | FrameLike"

# What `evaluate` takes.
QrelsLike: TypeAlias = "PathLike | Qrels | TableLike | Mapping[str, Mapping[str, float]]"
RunLike: TypeAlias = "PathLike | Run | TableLike | Mapping[str, Mapping[str, float]]"
ScoresLike: TypeAlias = "ArrayLike | PathLike | Feature"  # a score per document of feature data
SystemLike: TypeAlias = "RunLike | ScoresLike"
SystemsLike: TypeAlias = "SystemLike | Sequence[SystemLike] | Mapping[str, SystemLike]"
MatrixLike: TypeAlias = "Effectiveness | PathLike | TableLike"  # systems × topics, as `read_scores` takes it
MatrixRows = Literal["auto", "topics", "systems"]  # what the rows of such a matrix are
Missing = Literal["zero", "intersect", "error"]  # what becomes of topics that a system did not answer


class MeasureOfIrMeasures(Protocol):
    """A measure of ir_measures, as an object."""

    def validate_params(self) -> Any:
        """Are its parameters those that it supports?"""


MeasureLike: TypeAlias = "str | Measure | MeasureOfIrMeasures"

# What `fit` and `predict` take.
DataLike: TypeAlias = "RankingData | PathLike | ArrayLike | FrameLike"
LabelledLike: TypeAlias = "RankingData | PathLike | tuple[ArrayLike, ArrayLike, ArrayLike]"


class Predicts(Protocol):
    """Whatever scores the documents of feature data: a fitted ranker, or one of a user's own."""

    def predict(self, X: Any, /) -> ArrayLike:  # noqa: N803 (scikit-learn's name)
        """A score for each document."""


OneBaseline: TypeAlias = "Feature | RunLike | ArrayLike | Predicts"
BaselineLike: TypeAlias = "OneBaseline | Sequence[OneBaseline] | Mapping[str, OneBaseline]"
