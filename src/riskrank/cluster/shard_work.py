"""Work on shards one by one, by workers that do not know each other; done again where one of them is lost."""

from __future__ import annotations

import warnings
from contextlib import closing
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from riskrank.cluster.job import ShardJob
from riskrank.cluster.job_outcome import Losses, LostWorkerError, decoded
from riskrank.cluster.known_extremes import extremes_of
from riskrank.cluster.lifeline import Lifelines
from riskrank.cluster.worker import run_worker
from riskrank.cluster.worker_shares import share_part, shared_out

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from riskrank.cluster.job import WorkerJob
    from riskrank.cluster.launchers.launcher import Launcher
    from riskrank.data.shards.sharded_data import ShardedData


def answers_of(
    launcher: Launcher | None,
    job: WorkerJob,
    parts: Mapping[str, ShardedData],
    outputs: Mapping[str, Sequence[str]] | None = None,
) -> dict[str, list[dict[str, Any]]]:
    """What becomes of each shard, by part and in the order of the manifest; without a launcher in this process.

    What depends on other shards is made again for those where it matters, in ways that are known then.
    """
    shards = [
        ShardJob(name, replace(part, shards=[shard]), "" if outputs is None else outputs[name][shard])
        for name, part in ((name, share_part(data)) for name, data in parts.items())
        for shard in part.shards
    ]
    sizes = [size for data in parts.values() for size in data.manifest.documents_of_shards]
    answers = _made(launcher, job, shards, sizes)
    again, extremes = list[int](), dict[str, list[list[float]]]()
    for name in parts:
        numbers = [number for number, shard in enumerate(shards) if shard.part == name]
        extremes[name], matters = extremes_of([answers[number] for number in numbers])
        again += [numbers[place] for place in matters]
    if again:
        job = replace(job, extremes=extremes)
        renewed = _made(launcher, job, [shards[i] for i in again], [sizes[i] for i in again])
        answers = answers | dict(zip(again, renewed.values(), strict=True))
    return {name: [answers[number] for number, shard in enumerate(shards) if shard.part == name] for name in parts}


def _made(
    launcher: Launcher | None, job: WorkerJob, shards: Sequence[ShardJob], sizes: Sequence[int]
) -> dict[int, dict[str, Any]]:
    """By number; the answers of each worker are those to its shards."""
    n_workers = 1 if launcher is None else min(launcher.n_workers(), len(shards))
    groups = shared_out(sizes, n_workers)
    jobs = [replace(job, shards=[shards[number] for number in group]) for group in groups]
    if launcher is None:
        results = [decoded(run_worker(each.to_json())) for each in jobs]
    else:
        n_threads = launcher.n_threads(n_workers)
        results = _mapped(launcher, [replace(each, n_threads=n_threads) for each in jobs])
    made: dict[int, dict[str, Any]] = {}
    for group, result in zip(groups, results, strict=True):
        made |= zip(group, result["shards"], strict=True)
    return dict(sorted(made.items()))


def _mapped(launcher: Launcher, jobs: Sequence[WorkerJob]) -> list[dict[str, Any]]:
    """What becomes of jobs; those of lost workers are done again, but not for ever."""
    done: dict[int, dict[str, Any]] = {}
    losses = Losses()
    while left := {number: job for number, job in enumerate(jobs) if number not in done}:
        if lost := _lost_among(launcher, left, done):
            losses.count(lost[-1], len(done), "Look at the workers, and start again.")
            warnings.warn(f"{lost[-1]}; its shards are taken again.", stacklevel=2)
    return [done[number] for number in range(len(jobs))]


def _lost_among(
    launcher: Launcher, jobs: Mapping[int, WorkerJob], done: dict[int, dict[str, Any]]
) -> list[LostWorkerError]:
    """Have jobs `done`, by number; each worker ends with this process. Returns which of them were lost."""
    numbers, lost = list(jobs), list[LostWorkerError]()
    with closing(Lifelines(len(jobs), launcher.address, begin_together=False)) as lines:

        def take(rank: int, result: str) -> None:
            lines.end(rank)
            try:
                done[numbers[rank]] = decoded(result)
            except LostWorkerError as error:
                lost.append(error)

        told = [replace(job, rank=rank, lifeline=lines.arguments) for rank, job in enumerate(jobs.values())]
        try:
            launcher.map([job.to_json() for job in told], lines.look, take, told[0].n_threads)
        except LostWorkerError as error:
            lost.append(error)
    return lost
