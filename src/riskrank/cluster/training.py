"""`train_on`: a training by the workers of a cluster, which goes on when some of them are lost."""

from __future__ import annotations

import os
import sys
import time
import warnings
from contextlib import ExitStack, suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from riskrank.cluster.job import BaselineJob, CheckpointJob, SharePart, WorkerJob, packed, unpacked_files
from riskrank.cluster.launchers.launcher import LOOK, LostClusterError, LostWorkerError, launched
from riskrank.cluster.lifeline import Lifelines
from riskrank.cluster.worker import worker_versions
from riskrank.cluster.worker_process import decoded
from riskrank.data.baseline_scores import named_baselines
from riskrank.data.feature import Feature
from riskrank.data.names import system_name
from riskrank.errors import FileError, ParameterError, TrainingError, counted, first_duplicate, quoted
from riskrank.files.reading import parse_json
from riskrank.objectives.objective import OBJECTIVES
from riskrank.progress import Progress
from riskrank.rankers.card import held_model
from riskrank.rankers.fitting.checkpoint import checkpoint_folder, has_checkpoint, remove_checkpoint
from riskrank.rankers.fitting.sharded_fit import ShardedFit, TrainedElsewhere
from riskrank.rankers.ranker import Ranker
from riskrank.rankers.selective.wrapped import Wrapped
from riskrank.rankers.trees.collective.xgboost_tracker import TrackerProcess

if TYPE_CHECKING:
    from collections.abc import Sequence

    from riskrank.cluster.launchers.launcher import Launcher
    from riskrank.data.shards.sharded_data import ShardedData
    from riskrank.objectives.objective import Objective
    from riskrank.typing import BaselineLike, ClusterLike, OneBaseline, PathLike

LONGEST_END = 15  # seconds, for a worker that was let go
MOST_FAILURES = 3  # one after another, without a step more than before


def train_on(cluster: ClusterLike, asked: ShardedFit) -> TrainedElsewhere:
    """The model that the workers of a cluster learn from shards: the same as one process would, whoever they are."""
    job = _job(asked)
    if asked.checkpoint is not None:
        checkpoint_folder(asked.checkpoint).check()
    failures = furthest = 0
    title = f"{asked.ranker.label} on {cluster if isinstance(cluster, str) else type(cluster).__name__}"
    with Progress(title, asked.ranker.n_steps, show=asked.ranker.verbose) as bar, ExitStack() as ending:
        bar.say("looking for workers")
        launcher = ending.enter_context(launched(cluster))
        while True:
            try:
                result = _once(launcher, job, asked, bar)
                break
            except LostWorkerError as lost:
                failures = failures + 1 if lost.n_steps <= furthest else 1
                furthest = max(furthest, lost.n_steps)
                goes_on = asked.checkpoint is not None and _is_left(asked.checkpoint)
                if failures == MOST_FAILURES or isinstance(lost, LostClusterError):
                    times = f", {failures} times" if failures > 1 else ""
                    raise TrainingError(f"{lost}{times}. {_way_on(asked, goes_on)}") from None
                again = "from the last checkpoint" if goes_on else "from the beginning"
                bar.pause()
                warnings.warn(f"{lost}; training goes on {again}.", stacklevel=5)
                if goes_on and job.checkpoint is not None:
                    job = replace(job, checkpoint=replace(job.checkpoint, resume=True))
    if asked.checkpoint is not None and not asked.keep_checkpoint:
        remove_checkpoint(asked.checkpoint)
    content = parse_json(result, "the result of a worker")
    made: dict[str, Any] = dict(content) if isinstance(content, dict) else {}
    model = held_model(unpacked_files(made["files"]), "the model of the workers")
    changes, weights = (
        None if made[name] is None else np.array(made[name], float) for name in ("valid_changes", "valid_weights")
    )
    return TrainedElsewhere(model, changes, weights)


def _is_left(checkpoint: PathLike) -> bool:
    """Is there a checkpoint to go on from? A worker that is being ended may be writing it: it is waited for."""
    until = time.monotonic() + LONGEST_END
    while time.monotonic() < until:
        with suppress(FileError):
            with checkpoint_folder(checkpoint).held():
                pass
            break
        time.sleep(LOOK)
    return has_checkpoint(checkpoint)


def _way_on(asked: ShardedFit, goes_on: bool) -> str:
    if goes_on:
        return f"The last checkpoint is in {asked.checkpoint}: the same call with resume=True goes on from it."
    return "There is no checkpoint yet; look at the workers, and start again."


def _once(launcher: Launcher, job: WorkerJob, asked: ShardedFit, bar: Progress) -> str:
    """Start all workers that there are, with a share each, and wait for them."""
    n_workers = max(1, min(launcher.n_workers(), asked.train.n_shards))
    shares = shared_out(asked.train.manifest.documents_of_shards, n_workers)
    valid = [[]] * n_workers if asked.valid is None else _valid_shares(asked.valid, n_workers)
    n_threads = asked.ranker.n_threads or launcher.n_threads(n_workers)
    with ExitStack() as ending:
        tracker = TrackerProcess(n_workers, launcher.address) if n_workers > 1 else None
        if tracker is not None:
            ending.callback(tracker.close)
        lifelines = Lifelines(n_workers, launcher.address)
        ending.callback(lifelines.close)
        jobs = [
            replace(
                job,
                rank=rank,
                n_threads=n_threads,
                data=replace(job.data, shards=shares[rank]),
                valid=None if job.valid is None else replace(job.valid, shards=valid[rank]),
                tracker={} if tracker is None else tracker.arguments,
                lifeline=lifelines.arguments,
            ).to_json()
            for rank in range(n_workers)
        ]
        bar.say(f"{counted(n_workers, 'worker')} on {counted(asked.train.n_shards, 'shard')}")

        def look() -> None:
            if n_steps := lifelines.look():
                bar.update(n_steps)

        try:
            results = launcher.run(jobs, look)
            for result in results:
                decoded(result)
        except LostWorkerError as lost:
            lost.n_steps = lifelines.n_steps
            raise
        return results[0]


def _valid_shares(valid: ShardedData, n_workers: int) -> list[list[int]]:
    return shared_out(valid.manifest.documents_of_shards, n_workers)


def shared_out(sizes: Sequence[int], n_workers: int) -> list[list[int]]:
    """Numbers of shards for each worker, the largest first to whoever has least; in order within a worker.

    >>> shared_out([5, 3, 3, 1], 2)
    [[0, 3], [1, 2]]
    """
    shares: list[list[int]] = [[] for _ in range(n_workers)]
    loads = [0] * n_workers
    for number in sorted(range(len(sizes)), key=lambda shard: (-sizes[shard], shard)):
        worker = loads.index(min(loads))
        shares[worker].append(number)
        loads[worker] += sizes[number]
    return [sorted(share) for share in shares]


def _job(asked: ShardedFit) -> WorkerJob:
    """What all workers are told alike."""
    ranker = asked.ranker
    objective = ranker.own_objective
    checkpoint = None
    if asked.checkpoint is not None:
        folder = os.path.abspath(asked.checkpoint)
        checkpoint = CheckpointJob(folder, asked.checkpoint_every, asked.resume)
    valid = asked.valid_baseline
    return WorkerJob(
        task="train",
        versions=worker_versions(),
        data=share_part(asked.train),
        memory=asked.memory,
        ranker=type(ranker).__name__,
        parameters=ranker.plain_parameters(),
        objective=None if objective is None else objective.to_dict(),
        objective_home=None if objective is None else _home(objective),
        valid=None if asked.valid is None else share_part(asked.valid),
        baselines=baseline_jobs(asked.baseline),
        valid_baselines=None if valid is None else baseline_jobs(valid),
        checkpoint=checkpoint,
    )


def share_part(data: ShardedData) -> SharePart:
    """All shards of a folder, as workers find them."""
    from riskrank.data.opening.remote_files import is_remote

    folder = data.folder if is_remote(data.folder) else os.path.abspath(data.folder)
    return SharePart(folder, data.manifest.digest, list(range(data.n_shards)))


def _home(objective: Objective) -> str | None:
    """Where workers find the class of an objective that is not registered: in the module that its target is of."""
    kind = type(objective)
    if OBJECTIVES.spelled(objective.name) is not None and OBJECTIVES.named(objective.name) is kind:
        return None
    for module in (kind.__module__, kind.target.__module__):
        names = [name for name, value in vars(sys.modules[module]).items() if value is kind]
        if names and module != "__main__":
            return f"{module}:{names[0]}"
    where = "in a module that workers can import, under a name there"
    raise ParameterError(f"workers cannot find the objective {objective!r}: define it {where}.", "objective")


def baseline_jobs(baseline: BaselineLike | None) -> list[BaselineJob]:
    """Baselines, or other systems, as workers are told of them."""
    jobs = [baseline_job(name, each) for name, each in named_baselines(baseline)]
    twice = first_duplicate([job.name for job in jobs])
    if twice is not None:
        way = 'Name them, like baseline={"old": …, "new": …}'
        raise ParameterError(f"two baselines are called {quoted(twice)}. {way}.", "baseline")
    return jobs


def baseline_job(name: str | None, baseline: OneBaseline) -> BaselineJob:
    """A baseline, or a model, as workers are told of it."""
    if isinstance(baseline, Ranker | Wrapped):
        return BaselineJob(name or baseline.label, model=packed(baseline.saved_files()))
    if isinstance(baseline, Feature) or (isinstance(baseline, str) and Feature.meant_by(baseline) is not None):
        return BaselineJob(name or system_name(str(baseline)), str(baseline))
    raise ParameterError(
        "on a cluster a baseline is a feature, a column of scores in the shards, or a model.", "baseline"
    )
