"""Shards scored and judged where they are, each by a worker that knows no others."""

from __future__ import annotations

import os
from contextlib import nullcontext
from typing import TYPE_CHECKING, Any

import numpy as np

from riskrank.cluster.job import RankingJob, WorkerJob
from riskrank.cluster.launchers.launcher import launched
from riskrank.cluster.shard_work import answers_of
from riskrank.cluster.worker import library_versions
from riskrank.cluster.worker_shares import baseline_job, baseline_jobs
from riskrank.data.effectiveness import Effectiveness
from riskrank.data.shards.joined_effectiveness import joined_effectiveness
from riskrank.files.own_folder import OwnFolder
from riskrank.measures import parse_measure
from riskrank.rankers.fitting.sharded_fit import check_has_systems

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from contextlib import AbstractContextManager

    from riskrank.cluster.launchers.launcher import Launcher
    from riskrank.data.shards.sharded_data import ShardedData
    from riskrank.rankers.ranker import Ranker
    from riskrank.rankers.selective.wrapped import Wrapped
    from riskrank.typing import ClusterLike, MeasureLike, OneBaseline, PathLike

PART = "data"


def score_shards(
    model: Ranker | Wrapped,
    data: ShardedData,
    folder: PathLike,
    *,
    baseline: OneBaseline | None = None,
    tag: str | None = None,
    depth: int | None = None,
    column: str = "score",
    cluster: ClusterLike | None = None,
) -> list[str]:
    """Scores and ranks of documents in a folder of Parquet files, one for each shard; returns their names.

    They have the columns query, document, score (or the name of the `column`) and rank, to a `depth` of ranks if it is
    given. With a `tag` they are TREC runs, which one below the other are the run of all data. `baseline` is for a model
    that starts from one, or is around one. Without a cluster this process does it, shard by shard.
    """
    place = scores_folder(folder)
    place.check()
    names = [f"{shard:05d}.{'parquet' if tag is None else 'run'}" for shard in range(data.n_shards)]
    other = None if baseline is None else baseline_job("baseline", baseline)
    ranking = RankingJob(
        baseline_job("model", model), other, is_run=tag is not None, tag=tag or "", depth=depth, column=column
    )
    job = WorkerJob(task="score", versions=library_versions(), ranking=ranking)
    with place.changed() as change:
        outputs = [os.path.abspath(change.reserve(name)) for name in names]
        with _workers(cluster) as workers:
            answers_of(workers, job, {PART: data}, {PART: outputs})
    return names


def scores_folder(folder: PathLike) -> OwnFolder:
    """A place for scores of shards."""
    return OwnFolder(folder, "folder of scores")


def evaluate_shards(
    data: ShardedData,
    systems: Mapping[str, OneBaseline],
    measures: Sequence[MeasureLike] = ("nDCG@10",),
    *,
    cluster: ClusterLike | None = None,
) -> dict[str, Effectiveness]:
    """The effectiveness of systems on each query, by measure, as `evaluate` has it of the same data in one piece.

    Systems are features, columns of scores in the shards, and models. Values are computed where the shards are; only
    a number for each query and system comes back.
    """
    names = [str(parse_measure(measure)) for measure in measures]
    check_has_systems(data, systems)
    job = WorkerJob(task="measure", versions=library_versions(), baselines=baseline_jobs(systems), measures=names)
    with _workers(cluster) as workers:
        parts = answers_of(workers, job, {PART: data})[PART]
    return {name: _joined([part["measured"][name] for part in parts]) for name in names}


def _workers(cluster: ClusterLike | None) -> AbstractContextManager[Launcher | None]:
    return nullcontext() if cluster is None else launched(cluster)


def _joined(parts: Sequence[dict[str, Any]]) -> Effectiveness:
    """What shards have of one measure, as one."""
    weights = [part["weights"] for part in parts]
    shards = [
        Effectiveness(**{**part, "matrix": np.array(part["matrix"]).reshape(len(part["systems"]), -1), "weights": None})
        for part in parts
    ]
    return joined_effectiveness(
        shards, None if weights[0] is None else np.concatenate([np.array(each) for each in weights])
    )
