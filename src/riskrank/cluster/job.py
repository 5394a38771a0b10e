"""Jobs of workers, as JSON; read at run time, so without ``from __future__ import annotations``.

What crosses from the driver to a worker and back is text: nothing of ours is pickled.
"""

import json
from base64 import b64decode, b64encode
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Annotated, Literal, Self

from riskrank.errors import ParameterError
from riskrank.files.reading import parse_json
from riskrank.files.records import Count, Digest, Json, Limits, decode

PLACE = "the job of a worker"  # in messages


@dataclass(frozen=True)
class SharePart:
    """Some shards of a folder, whose manifest must have this digest."""

    folder: str
    digest: Digest
    shards: list[Count]


NOTHING = SharePart("", "0" * 64, [])


@dataclass(frozen=True)
class BaselineJob:
    """A baseline by its name: a feature or a column as text, or the files of a model."""

    name: str
    text: str = ""
    model: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class RankingJob:
    """What is made of a model's scores: a table with a column of them, or a TREC run with a tag."""

    model: BaselineJob
    baseline: BaselineJob | None = None
    is_run: bool = False
    tag: str = ""
    depth: Annotated[int, Limits(1, 2**53)] | None = None
    column: str = "score"


@dataclass(frozen=True)
class ShardJob:
    """A shard of a part of the data, and the file that is made of it, if one is."""

    part: str
    data: SharePart
    output: str = ""


@dataclass(frozen=True)
class CheckpointJob:
    """Where checkpoints are, in a folder that all workers see."""

    folder: str
    every: int | None
    resume: bool


@dataclass(frozen=True)
class WorkerJob:
    """What one of several workers is to do; all have the same but their shards and `rank`.

    Those that train do it together on their `data`; others take their `shards` one by one. `extremes` are what these
    need to know of all shards of a part (`KnownExtremes`).
    """

    task: Literal["train", "score", "measure", "judge"]
    versions: dict[str, str]
    data: SharePart = NOTHING
    shards: list[ShardJob] = field(default_factory=list)
    rank: Count = 0
    ranker: str = ""
    parameters: dict[str, Json] = field(default_factory=dict)
    objective: dict[str, Json] | None = None
    objective_home: str | None = None
    n_threads: Annotated[int, Limits(1, 2**10)] | None = None
    memory: Annotated[int, Limits(1, 2**44)] | None = None
    valid: SharePart | None = None
    baselines: list[BaselineJob] = field(default_factory=list)
    valid_baselines: list[BaselineJob] | None = None
    checkpoint: CheckpointJob | None = None
    tracker: dict[str, str | int] = field(default_factory=dict)
    lifeline: dict[str, str | int] = field(default_factory=dict)
    measures: list[str] = field(default_factory=list)
    ranking: RankingJob | None = None
    extremes: dict[str, list[list[float]]] = field(default_factory=dict)
    model: BaselineJob | None = None
    predictors: dict[str, dict[str, Json]] = field(default_factory=dict)

    def to_json(self) -> str:
        """As it is sent."""
        try:
            return json.dumps(asdict(self))
        except TypeError as error:
            raise ParameterError(f"workers are told by JSON, which cannot hold a parameter ({error}).") from None

    @classmethod
    def from_json(cls, text: str) -> Self:
        """What `to_json` gave."""
        return decode(cls, parse_json(text, PLACE), PLACE)


def packed(files: Mapping[str, bytes]) -> dict[str, str]:
    """Files as texts."""
    return {name: b64encode(content).decode() for name, content in files.items()}


def unpacked_files(texts: Mapping[str, str]) -> dict[str, bytes]:
    """What `packed` gave."""
    return {name: b64decode(text) for name, text in texts.items()}
