"""Shards scored and judged where they are, each by a worker that knows no others."""

from __future__ import annotations

import os
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from riskrank.cluster.job import RankingJob, WorkerJob
from riskrank.cluster.known_extremes import extremes_of
from riskrank.cluster.launcher import launcher_for
from riskrank.cluster.training import baseline_job, baseline_jobs, share_part
from riskrank.cluster.worker import library_versions, run_worker
from riskrank.cluster.worker_process import decoded
from riskrank.data.effectiveness import Effectiveness
from riskrank.files.own_folder import OwnFolder
from riskrank.measures import parse_measure

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from riskrank.data.shards.sharded_data import ShardedData
    from riskrank.rankers.ranker import Ranker
    from riskrank.rankers.selective.wrapped import Wrapped
    from riskrank.typing import ClusterLike, MeasureLike, OneBaseline, PathLike


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
    place = OwnFolder(folder, "folder of scores")
    place.check()
    names = [f"{shard:05d}.{'parquet' if tag is None else 'run'}" for shard in range(data.n_shards)]
    other = None if baseline is None else baseline_job("baseline", baseline)
    ranking = RankingJob(
        baseline_job("model", model), other, is_run=tag is not None, tag=tag or "", depth=depth, column=column
    )
    with place.changed() as change:
        rankings = [replace(ranking, output=os.path.abspath(change.reserve(name))) for name in names]
        jobs = _each(_job("score", data))
        _mapped(cluster, [replace(job, ranking=each) for job, each in zip(jobs, rankings, strict=True)])
    return names


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
    job = replace(_job("measure", data), baselines=baseline_jobs(systems), measures=names)
    parts = _mapped(cluster, list(_each(job)))
    return {name: _joined([part["measured"][name] for part in parts]) for name in names}


def _job(task: Any, data: ShardedData) -> WorkerJob:
    return WorkerJob(task=task, versions=library_versions(), data=share_part(data))


def _each(job: WorkerJob) -> list[WorkerJob]:
    """The job for each shard alone."""
    return [replace(job, data=replace(job.data, shards=[shard])) for shard in job.data.shards]


def _mapped(cluster: ClusterLike | None, jobs: Sequence[WorkerJob]) -> list[dict[str, Any]]:
    """What workers make of jobs, which is made again where it depends on other shards, in ways that are known then."""
    parts = _made(cluster, jobs)
    answers, again = extremes_of(parts)
    if again:
        renewed = _made(cluster, [replace(jobs[number], extremes=answers) for number in again])
        for number, part in zip(again, renewed, strict=True):
            parts[number] = part
    return parts


def _made(cluster: ClusterLike | None, jobs: Sequence[WorkerJob]) -> list[dict[str, Any]]:
    texts = [job.to_json() for job in jobs]
    if cluster is None:
        return [decoded(run_worker(text)) for text in texts]
    return [decoded(result) for result in launcher_for(cluster).map(texts)]


def _joined(parts: Sequence[dict[str, Any]]) -> Effectiveness:
    """What shards have of one measure, as one; all agree on what does not depend on queries."""
    first = parts[0]
    weights = [part["weights"] for part in parts]
    ties: dict[str, int] = {}
    missing: dict[str, tuple[str, ...]] = {}
    for part in parts:
        for system, count in part["ties_at_cutoff"].items():
            ties[system] = ties.get(system, 0) + count
        for system, topics in part["missing"].items():
            missing[system] = (*missing.get(system, ()), *topics)
    return Effectiveness(
        first["measure"],
        tuple(first["systems"]),
        tuple(topic for part in parts for topic in part["topics"]),
        np.concatenate([np.array(part["matrix"]).reshape(len(first["systems"]), -1) for part in parts], axis=1),
        description=first["description"],
        aggregate=first["aggregate"],
        without_relevant=tuple(topic for part in parts for topic in part["without_relevant"]),
        missing=missing,
        ties_at_cutoff=ties,
        unit=first["unit"],
        weights=None if weights[0] is None else np.concatenate([np.array(each) for each in weights]),
    )
