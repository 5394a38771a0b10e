"""What the files of a model hold; read at run time, so without ``from __future__ import annotations``."""

from dataclasses import dataclass, field
from typing import Annotated, ClassVar

from riskrank.data.feature import feature_of
from riskrank.data.feature_columns import FeatureColumns
from riskrank.data.feature_tables.category_codes import check_number
from riskrank.errors import ParameterError
from riskrank.files.records import Count, Digest, FileName, Json, Limits, Number

MOST_FEATURES = 10_000_000
HistoryColumns = dict[str, list[Number]]
CategoryLists = dict[
    str, list[str | None]
]  # of features: the values in the order of their codes, null for unknown ones
Imputation = dict[str, float]  # what a missing value of a feature counts as
FeatureCount = Annotated[int, Limits(0, MOST_FEATURES)]


@dataclass(frozen=True)
class CardHead:
    """What all cards have."""

    has_more: ClassVar[bool] = True

    format: Annotated[int, Limits(0, 1)]
    kind: str = ""
    files: dict[FileName, Digest] = field(default_factory=dict)


@dataclass(frozen=True)
class DataRecord:
    """Data that a model was trained or validated on; with weights, as how many of equal weight they count."""

    has_more: ClassVar[bool] = True

    queries: Count
    documents: Count
    features: FeatureCount
    fingerprint: str
    effective_queries: float | None = None
    effective_documents: float | None = None


@dataclass(frozen=True)
class ModelCard:
    """A card, but for how many steps there were and are used (`trees` and `best_trees`, say)."""

    has_more: ClassVar[bool] = True

    format: Annotated[int, Limits(0, 1)]
    kind: str
    files: dict[FileName, Digest]
    parameters: dict[str, Json]
    features: FeatureCount
    first_feature: FeatureCount
    baselines: list[str]
    needs_baseline: bool
    start_scale: float | None
    training_data: DataRecord
    validation_data: DataRecord | None
    versions: dict[str, str]
    created: str = ""
    ending: str = ""
    feature_names: list[str] | None = None
    categories: CategoryLists | None = None
    imputation: Imputation | None = None
    objective: dict[str, Json] | None = None

    def __post_init__(self) -> None:
        """A model that starts from a baseline has one, and if that is a feature, it is one of the model's."""
        columns_of(self)
        if self.needs_baseline != (self.start_scale is not None):
            raise ParameterError("needs_baseline: must be true where there is a start_scale, and nowhere else.")
        if self.start_scale is None:
            return
        if len(self.baselines) != 1:
            raise ParameterError("start_scale: needs one baseline to start from.")
        feature = feature_of(self.baselines[0])
        if feature is not None:
            columns_of(self).number_position(feature.key)


@dataclass(frozen=True)
class WrapperCard:
    """The card of a model around another one, of whose card `model` is the digest."""

    has_more: ClassVar[bool] = True

    format: Annotated[int, Limits(0, 1)]
    kind: str
    model: Digest
    parameters: dict[str, Json]
    features: FeatureCount
    first_feature: FeatureCount
    baselines: tuple[str]
    needs_baseline: bool
    training_data: DataRecord
    versions: dict[str, str]
    created: str = ""
    feature_names: list[str] | None = None
    categories: CategoryLists | None = None
    predictor: dict[str, Json] | None = None


def columns_of(card: ModelCard | WrapperCard) -> FeatureColumns:
    """The features of a model."""
    names = None if card.feature_names is None else tuple(card.feature_names)
    columns = FeatureColumns(card.features, card.first_feature, names).with_categories(card.categories or {})
    check_number(columns)
    return columns


@dataclass(frozen=True)
class FeatureWeight:
    """The weight of a feature, and the mean and spread that it is standardised by."""

    feature: FeatureCount
    weight: float
    mean: float
    spread: Annotated[float, Limits(0, 1e300)]


@dataclass(frozen=True)
class LinearWeights:
    """The weights of a linear model; other features have none."""

    weights: list[FeatureWeight]


@dataclass(frozen=True)
class CheckpointState:
    """The text in a checkpoint, beside the arrays of what learns."""

    format: Annotated[int, Limits(2, 2)]
    identity: dict[str, Json]
    n_steps: Count
    best_steps: Count
    best: Number | None
    history: HistoryColumns
    memory: dict[str, Json]
