"""`train_on`: a training by the workers of a cluster, which goes on when some of them are lost."""

from __future__ import annotations

import os
import sys
import time
import warnings
from contextlib import ExitStack, suppress
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from riskrank.cluster.job import CheckpointJob, WorkerJob, unpacked_files
from riskrank.cluster.job_outcome import Losses, LostWorkerError, decoded
from riskrank.cluster.launchers.launcher import LOOK, launched
from riskrank.cluster.lifeline import Lifelines
from riskrank.cluster.worker import worker_versions
from riskrank.cluster.worker_shares import baseline_jobs, share_part, shared_out
from riskrank.errors import FileError, ParameterError, counted
from riskrank.objectives.objective import OBJECTIVES
from riskrank.progress import Progress
from riskrank.rankers.card import held_model
from riskrank.rankers.fitting.checkpoint import NAME, checkpoint_folder, has_checkpoint, remove_checkpoint
from riskrank.rankers.fitting.sharded_fit import ShardedFit, TrainedElsewhere
from riskrank.rankers.trees.collective.xgboost_tracker import TrackerProcess

if TYPE_CHECKING:
    from riskrank.cluster.launchers.launcher import Launcher
    from riskrank.data.shards.sharded_data import ShardedData
    from riskrank.objectives.objective import Objective
    from riskrank.typing import ClusterLike, PathLike

LONGEST_END = 15  # seconds, for a worker that was let go


def train_on(cluster: ClusterLike, asked: ShardedFit) -> TrainedElsewhere:
    """The model that the workers of a cluster learn from shards: the same as one process would, whoever they are."""
    job = _job(asked)
    if asked.checkpoint is not None:
        checkpoint_folder(asked.checkpoint).check()
    losses, former = Losses(), None if asked.resume else _stamp(asked.checkpoint)
    title = f"{asked.ranker.label} on {cluster if isinstance(cluster, str) else type(cluster).__name__}"
    with Progress(title, asked.ranker.n_steps, show=asked.ranker.verbose) as bar, ExitStack() as ending:
        bar.say("looking for workers")
        launcher = ending.enter_context(launched(cluster))
        while True:
            try:
                made = decoded(_once(launcher, job, asked, bar))
                break
            except LostWorkerError as lost:
                goes_on = asked.checkpoint is not None and _is_left(asked.checkpoint, former)
                losses.count(lost, lost.n_steps, _way_on(asked, goes_on))
                again = "goes on from the last checkpoint" if goes_on else "begins anew"
                bar.pause()
                warnings.warn(f"{lost}; training {again}.", stacklevel=5)
                if goes_on and job.checkpoint is not None:
                    job = replace(job, checkpoint=replace(job.checkpoint, resume=True))
    if asked.checkpoint is not None and not asked.keep_checkpoint:
        remove_checkpoint(asked.checkpoint)
    model = held_model(unpacked_files(made["files"]), "the model of the workers")
    changes, weights = (
        None if made[name] is None else np.array(made[name], float) for name in ("valid_changes", "valid_weights")
    )
    return TrainedElsewhere(model, changes, weights)


def _stamp(checkpoint: PathLike | None) -> tuple[int, int] | None:
    """What tells a checkpoint from the next one in its place."""
    if checkpoint is None:
        return None
    with suppress(OSError):
        status = os.stat(os.path.join(checkpoint, NAME))
        return status.st_mtime_ns, status.st_ino
    return None


def _is_left(checkpoint: PathLike, former: tuple[int, int] | None) -> bool:
    """Is there a checkpoint to go on from, other than a `former` training's?

    A worker that is being ended may be writing it: it is waited for.
    """
    until = time.monotonic() + LONGEST_END
    while time.monotonic() < until:
        with suppress(FileError):
            with checkpoint_folder(checkpoint).held():
                pass
            break
        time.sleep(LOOK)
    return has_checkpoint(checkpoint) and (former is None or _stamp(checkpoint) != former)


def _way_on(asked: ShardedFit, goes_on: bool) -> str:
    if goes_on:
        return f"The last checkpoint is in {asked.checkpoint}: the same command, or fit(resume=True), goes on from it."
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
            lifelines.look()
            if lifelines.n_steps:
                bar.update(lifelines.n_steps)

        try:
            return launcher.run(jobs, look)[0]
        except LostWorkerError as lost:
            lost.n_steps = lifelines.n_steps
            raise


def _valid_shares(valid: ShardedData, n_workers: int) -> list[list[int]]:
    return shared_out(valid.manifest.documents_of_shards, n_workers)


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
