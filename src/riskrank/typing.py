"""The types of riskrank's signatures: arrays, and the forms in which data, runs, judgments and baselines are taken.

Nothing is loaded here: the names are for type checkers, help and completion.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, Protocol, TypeAlias, TypedDict, get_args

if TYPE_CHECKING:
    import os
    from collections.abc import Iterable, Mapping, Sequence

    import altair as alt
    import numpy as np
    import polars as pl
    from numpy.typing import ArrayLike, NDArray

    from riskrank.data.effectiveness import Effectiveness
    from riskrank.data.feature import Feature
    from riskrank.data.ranking_data import RankingData
    from riskrank.data.shards.sharded_data import ShardedData
    from riskrank.data.trec.qrels import Qrels
    from riskrank.data.trec.runs import Run
    from riskrank.measures.measure import Measure
    from riskrank.objectives.objective import Objective
    from riskrank.rankers.ranker import Ranker
    from riskrank.rankers.selective.query_predictors import QueryPredictor
    from riskrank.tradeoff.operating_point import OperatingPoint

# Arrays.
Floats: TypeAlias = "NDArray[np.float64]"
Singles: TypeAlias = "NDArray[np.float32]"
Integers: TypeAlias = "NDArray[np.int64]"
Booleans: TypeAlias = "NDArray[np.bool_]"
Arrays: TypeAlias = "dict[str, NDArray[Any]]"
Categories: TypeAlias = "Mapping[int, tuple[str | None, ...]]"  # of columns, by position: values in the order of codes


class SupportsArray(Protocol):
    """An array, or what NumPy makes one: a series, a tensor."""

    def __array__(self) -> NDArray[Any]: ...


# NumPy's ArrayLike would take any text and any single number for an array.
Numbers: TypeAlias = "SupportsArray | Sequence[float]"  # one per document, topic, …
Ids: TypeAlias = "SupportsArray | Sequence[str] | Sequence[int]"

# Files and tables.
PathLike: TypeAlias = "str | os.PathLike[str]"
JsonValue: TypeAlias = "Mapping[str, Any] | Sequence[Any] | str | float | bool | None"  # what JSON may hold


class FrameLike(Protocol):
    """A pandas or Polars frame."""

    @property
    def columns(self) -> Any:
        """The names of its columns."""

    def __len__(self) -> int: ...

    def __getitem__(self, name: str, /) -> Any: ...


TableLike: TypeAlias = "pl.DataFrame | pl.LazyFrame | FrameLike"


class SupportsArrowStream(Protocol):
    """A table that speaks Arrow's protocol: of pyarrow, DuckDB, …"""

    def __arrow_c_stream__(self, requested_schema: object = None) -> object: ...


class SupportsInterchange(Protocol):
    """A table that speaks the protocol of dataframes."""

    def __dataframe__(self, nan_as_null: bool = False, allow_copy: bool = True) -> object: ...


FeatureTableLike: TypeAlias = "PathLike | Sequence[PathLike] | TableLike | SupportsArrowStream | SupportsInterchange"

# Unions that take one thing, several in a sequence and several by name have one sequence and one mapping each, which
# also stand for a list of numbers and for one run as a dict: so mypy can infer what is mixed in a list or dict.

# What `evaluate` takes.
QrelsLike: TypeAlias = "PathLike | Qrels | TableLike | Mapping[str, Mapping[str, float]]"
RunLike: TypeAlias = "PathLike | Run | TableLike | Mapping[str, Mapping[str, float]]"
ScoresLike: TypeAlias = "Numbers | PathLike | Feature"  # a score per document of feature data
SystemLike: TypeAlias = "RunLike | ScoresLike"
NamedSystems: TypeAlias = "Mapping[str, SystemLike | Mapping[str, float]]"
SystemsLike: TypeAlias = (
    "PathLike | Run | TableLike | SupportsArray | Feature | Sequence[SystemLike | float] | NamedSystems"
)
JudgmentsLike: TypeAlias = "QrelsLike | RankingData"  # what systems are scored by
MatrixLike: TypeAlias = "Effectiveness | PathLike | TableLike"  # systems × topics, as `read_scores` takes it
TopicColumnLike: TypeAlias = "PathLike | TableLike | Mapping[str, str] | Mapping[str, float]"  # a value for each topic
WeightsLike: TypeAlias = "TopicColumnLike | Numbers"  # how much topics, queries or documents count
MatrixRows = Literal["auto", "topics", "systems"]  # what the rows of such a matrix are
CorrectionName = Literal["holm", "bh", "none"]  # of p-values, for the number of systems tested
Combination = Literal["mean", "median", "max"]  # how several baselines become one, topic by topic
Missing = Literal["zero", "intersect", "error"]  # what becomes of topics that a system did not answer
WithoutRelevant = Literal["zero", "drop"]  # what becomes of topics that have no relevant document
MeasureLike: TypeAlias = "str | Measure"


class LimitOptions(TypedDict, total=False):
    """What `gate` may be told of `riskrank.risk.Budget`."""

    alpha: float | None
    max_hurt: float | None
    tolerance: float | None
    max_severe: float | None
    severe_loss: float | None
    max_loss: float | None
    max_risk: float | None
    min_urisk: float | None
    min_trisk: float | None
    min_gain: float | None
    max_worse: float | None
    no_significant_loss: bool | None
    level: float | None
    strict: bool | None


AggregateName = Literal["mean", "geometric"]  # how the values of all topics become one number

# What `clicks.prepare` takes.
SplitKind = Literal["time", "user", "session"]  # what keeps a log's pages together
PartName = Literal["train", "valid", "test"]  # of prepared clicks

# What searches and permutation importances go by, against a baseline.
QuantityName = Literal["gain", "reward", "risk", "urisk"]

# What objectives take.
ParameterValue: TypeAlias = "float | str | bool | Measure | None"
ObjectiveLike: TypeAlias = "Objective | str"  # or its text: urisk, urisk:alpha=5

# What rankers are told.
EngineName = Literal["lightgbm", "native", "xgboost"]
StartName = Literal["zero", "baseline"]
SideName = Literal["above", "below"]  # of a threshold
SIDES: tuple[SideName, ...] = get_args(SideName)

# What `fit` and `predict` take.
Table: TypeAlias = "FrameLike | pl.LazyFrame | SupportsArrowStream | SupportsInterchange"
Matrix: TypeAlias = "SupportsArray | Sequence[Sequence[float]] | Table"  # documents × features
DataLike: TypeAlias = "RankingData | ShardedData | PathLike | Matrix"
ClusterLike: TypeAlias = "str | object"  # local:4, dask:ADDRESS, …; or a client of Dask, a session of Spark
LabelledLike: TypeAlias = "RankingData | ShardedData | PathLike | tuple[Matrix, Numbers, Ids] | tuple[Matrix, Numbers]"
EvalSetLike: TypeAlias = "Sequence[tuple[Matrix, Numbers]] | tuple[Matrix, Numbers]"  # as engines' estimators have it


class Predicts(Protocol):
    """Whatever scores the documents of feature data: a fitted ranker, or one of a user's own."""

    def predict(self, X: Any, /) -> ArrayLike:
        """A score for each document."""


OneBaseline: TypeAlias = "SystemLike | Predicts"
NamedBaselines: TypeAlias = "Mapping[str, OneBaseline | Mapping[str, float]]"
BaselineLike: TypeAlias = (
    "PathLike | Run | TableLike | SupportsArray | Feature | Predicts | Sequence[OneBaseline | float] | NamedBaselines"
)

# What `chart` gives and takes.
AltairChart: TypeAlias = "alt.Chart | alt.LayerChart"


class ChartOptions(TypedDict, total=False):
    """What charts can be told; each takes some of it."""

    alpha: float  # how much more losses weigh
    largest_alpha: float  # the end of the axis
    system: str | None  # the one whose topics are shown
    systems: Sequence[str] | None  # those that are shown
    point: OperatingPoint | None  # the one that is marked


# What `sweep` takes.
FeatureDataLike: TypeAlias = "RankingData | PathLike"
SweptDataLike: TypeAlias = "FeatureDataLike | ShardedData"
Split3: TypeAlias = "tuple[SweptDataLike, SweptDataLike | None, SweptDataLike]"  # train, valid, test
Split4: TypeAlias = "tuple[SweptDataLike, SweptDataLike | None, SweptDataLike, SweptDataLike | None]"  # and calibration
SplitLike: TypeAlias = "Split3 | Split4"
FoldLike: TypeAlias = "tuple[FeatureDataLike, FeatureDataLike | None, FeatureDataLike]"  # a split in files or memory
SplitsLike: TypeAlias = "SweptDataLike | Sequence[SplitLike]"
RankersLike: TypeAlias = "Ranker | Sequence[Ranker] | Mapping[str, Ranker]"
GridLike: TypeAlias = "float | Iterable[float]"
PredictorsLike: TypeAlias = "Sequence[str | QueryPredictor] | Mapping[str, str | QueryPredictor]"
