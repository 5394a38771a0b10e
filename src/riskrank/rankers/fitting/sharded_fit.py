"""A training on data in shards: in this process, or on a cluster."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, TypedDict, Unpack

import numpy as np

from riskrank.data.baseline_scores import named_baselines
from riskrank.data.feature import Feature
from riskrank.data.shards.data_share import DataShare
from riskrank.data.shards.sharded_data import check_in_shards, shards_of
from riskrank.data.shards.storage import LEAST_MEMORY, storage_for
from riskrank.errors import AlignmentError, ParameterError, RiskrankError, TrainingError, one_line
from riskrank.parameters import whole

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from riskrank.data.ranking_data import RankingData
    from riskrank.data.shards.sharded_data import ShardedData
    from riskrank.rankers.card import SavedModel
    from riskrank.rankers.fitting.checkpoint import Checkpoint
    from riskrank.rankers.ranker import Ranker
    from riskrank.typing import BaselineLike, ClusterLike, DataLike, Floats, LabelledLike, PathLike

ENGINE = "xgboost"  # whose workers grow one tree together


@dataclass(frozen=True, eq=False)
class TrainedElsewhere:
    """What workers made: a model, and what its validation queries gain, as `FitResult` has it."""

    model: SavedModel
    valid_changes: Floats | None
    valid_weights: Floats | None


class FitOptions(TypedDict):
    """What `fit` is told besides data."""

    baseline: BaselineLike | None
    valid_baseline: BaselineLike | None
    checkpoint: PathLike | None
    checkpoint_every: int | None
    keep_checkpoint: bool


@dataclass(frozen=True, eq=False)
class ShardedFit:
    """What `fit` was asked to do with data in shards."""

    ranker: Ranker
    train: ShardedData
    valid: ShardedData | None
    baseline: BaselineLike | None
    valid_baseline: BaselineLike | None
    checkpoint: PathLike | None
    checkpoint_every: int | None
    resume: bool
    keep_checkpoint: bool
    memory: int | None

    @contextmanager
    def shares(self) -> Iterator[tuple[DataShare, DataShare | None]]:
        """All shards, for a training in this process."""
        n_valid = 0 if self.valid is None else self.valid.n_documents()
        with storage_for(self.memory, self.train, self.train.n_documents(), n_valid) as storage:
            train = self.train.share(storage=storage, with_ids=False)
            yield train, None if self.valid is None else self.valid.share(storage=storage, with_ids=False)

    def trained_on(self, cluster: ClusterLike) -> TrainedElsewhere:
        """By the workers of a cluster; that layer is above this one, and is loaded by its name."""
        trained: TrainedElsewhere = import_module("riskrank.cluster.training").train_on(cluster, self)
        return trained


def sharded_fit(
    ranker: Ranker,
    data: DataLike,
    valid: LabelledLike | None,
    others: Mapping[str, object],
    cluster: ClusterLike | None,
    *,
    memory: int | None,
    resume: bool,
    **options: Unpack[FitOptions],
) -> ShardedFit | None:
    """What was asked for, if data are in shards, which is checked; None otherwise. `others` only go with arrays."""
    train, valid_shards = shards_of(data), shards_of(valid)
    if train is None:
        check_in_shards(data, cluster=cluster, memory=memory)
        if valid_shards is not None:
            raise ParameterError("valid= is in shards, training data are not: shard both, or none.", "valid")
        return None
    whole("memory", memory, LEAST_MEMORY, optional=True)
    named = next((name for name, value in others.items() if value is not None), None)
    if named is not None:
        raise ParameterError(f"data in shards hold all that is known of them: leave {named}= out.", named)
    check_learns_from_shards(ranker)
    if valid is not None and valid_shards is None:
        raise ParameterError("valid= must be in shards as training data are. Shard both.", "valid")
    check_has_systems(train, options["baseline"])
    if valid_shards is not None:
        own = options["valid_baseline"]
        check_has_systems(valid_shards, options["baseline"] if own is None else own)
    return ShardedFit(ranker, train, valid_shards, memory=memory, resume=resume, **options)


def check_learns_from_shards(ranker: Ranker) -> None:
    """Refuse rankers whose workers could not learn one model together."""
    if not ranker.learns_from_shards or getattr(ranker, "engine", None) != ENGINE:
        raise ParameterError("data in shards are learned from by LambdaMART with engine='xgboost' alone.", "engine")


def check_has_systems(data: ShardedData, systems: BaselineLike | None) -> None:
    """Refuse features and columns of scores that are not in shards, before any of these is read."""
    for _, system in named_baselines(systems):
        feature = Feature.meant_by(system) if isinstance(system, str) else system
        if isinstance(feature, Feature) and feature.key not in data.manifest.scores:
            try:
                data.columns.number_position(feature.key)
            except RiskrankError as error:
                known = one_line(", ".join(data.manifest.scores), limit=200) or "none"
                raise AlignmentError(f"{data.folder}: {error} Systems whose scores were put in: {known}.") from None


def check_same_step(data: RankingData, checkpoint: Checkpoint | None) -> None:
    """All workers must go on from the same checkpoint."""
    if not isinstance(data, DataShare):
        return
    n_steps = -1.0 if checkpoint is None else float(checkpoint.n_steps)
    most, least = data.largest(np.array([n_steps, -n_steps]))
    if most != -least:
        raise TrainingError("workers see different checkpoints: keep them in a folder that all of them share.")
