"""The manifest of a folder of shards; read at run time, so without ``from __future__ import annotations``."""

import hashlib
import json
from dataclasses import asdict, dataclass, fields
from typing import Annotated, ClassVar, Literal, Self

from riskrank.data.feature_columns import FeatureColumns
from riskrank.errors import FileError, ParameterError
from riskrank.files.file_list import Within
from riskrank.files.reading import parse_json
from riskrank.files.records import Count, Digest, Limits, check_version, decode
from riskrank.typing import PathLike

WeightKind = Literal["queries", "documents"]
FORMAT: Literal["riskrank shards"] = "riskrank shards"
VERSION = 1
MANIFEST = "shards.json"
MOST_FEATURES = 10_000_000
# The columns of shards besides features, and what stands before the names of systems whose scores they have.
QUERY, LABEL, DOCUMENT, WEIGHT, ROW = "qid", "label", "docno", "weight", "row"
SCORES = "score:"


@dataclass(frozen=True)
class ShardFile:
    """A Parquet file of whole queries, with the digest of its bytes."""

    name: Within
    digest: Digest
    queries: Count
    documents: Count


@dataclass(frozen=True)
class ShardManifest:
    """All that is known of sharded data without a look at them.

    Each shard is a list of files, in order; `sample` is a file of rows that the bins of features are found by.
    `weights` says what has weights, `scores` which columns are those of systems. `digest` is of all other entries.
    """

    has_more: ClassVar[bool] = False

    format: Literal["riskrank shards"]
    version: Annotated[int, Limits(1, VERSION)]
    n_queries: Annotated[int, Limits(1, 2**53)]
    n_documents: Annotated[int, Limits(1, 2**53)]
    n_features: Annotated[int, Limits(1, MOST_FEATURES)]
    first_feature: Annotated[int, Limits(0, 1)]
    feature_names: list[str] | None
    categories: dict[str, list[str | None]]
    highest_label: float
    longest_query: Annotated[int, Limits(1, 2**53)]
    has_document_ids: bool
    weights: WeightKind | None
    mean_weight: float
    scores: list[str]
    shards: list[list[ShardFile]]
    sample: ShardFile
    digest: Digest = "0" * 64

    def __post_init__(self) -> None:
        """Counts must add up, and names must fit."""
        if not all(self.shards) or not all(file.queries and file.documents for file in self.files):
            raise ParameterError("shards: must have files, and these must have queries.")
        for name, count in (("queries", self.n_queries), ("documents", self.n_documents)):
            if sum(getattr(file, name) for file in self.files) != count:
                raise ParameterError(f"n_{name}: must be those of all files together.")
        if self.weights is not None and not self.mean_weight > 0:
            raise ParameterError("mean_weight: must be above 0.")
        _ = self.columns

    @property
    def files(self) -> list[ShardFile]:
        """Of all shards, in order."""
        return [file for shard in self.shards for file in shard]

    @property
    def columns(self) -> FeatureColumns:
        """How the features are called."""
        names = None if self.feature_names is None else tuple(self.feature_names)
        return FeatureColumns(self.n_features, self.first_feature, names).with_categories(self.categories)

    @property
    def documents_of_shards(self) -> list[int]:
        """How many documents each shard has."""
        return [sum(file.documents for file in shard) for shard in self.shards]

    def to_json(self) -> str:
        """As the manifest is written, with the digest of the rest."""
        content = {field.name: getattr(self, field.name) for field in fields(self) if field.name != "digest"}
        content |= {"shards": [list(map(asdict, shard)) for shard in self.shards], "sample": asdict(self.sample)}
        return json.dumps({**content, "digest": manifest_digest(content)}, indent=1, ensure_ascii=False) + "\n"

    @classmethod
    def read(cls, content: bytes, path: PathLike) -> Self:
        """A manifest that nobody has changed since it was written; `path` is for messages."""
        plain = parse_json(content, path)
        if not isinstance(plain, dict) or plain.get("format") != FORMAT:
            raise FileError(path, "is not the manifest of shards.")
        check_version(plain, path, VERSION)
        manifest = decode(cls, plain, path)
        if manifest_digest({name: value for name, value in plain.items() if name != "digest"}) != manifest.digest:
            raise FileError(path, "was changed since it was written: its digest is another. Shard the data again.")
        return manifest


def manifest_digest(content: object) -> str:
    """Of all entries but the digest itself."""
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()
