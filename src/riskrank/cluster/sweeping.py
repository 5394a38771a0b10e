"""A sweep by the workers of a cluster: who trains its models, and who judges them where the shards are."""

from __future__ import annotations

import warnings
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Self

from riskrank.cluster.job import JudgedShard, WorkerJob
from riskrank.cluster.judged_shards import joined_baseline, joined_model, joined_predictions
from riskrank.cluster.launcher import LostWorkerError, launcher_for
from riskrank.cluster.training import MOST_FAILURES, baseline_jobs, share_part, shared_out
from riskrank.cluster.worker import library_versions
from riskrank.cluster.worker_process import decoded
from riskrank.data.shards.sharded_data import ShardedData
from riskrank.errors import ParameterError, TrainingError
from riskrank.rankers.selective.query_predictors import KINDS
from riskrank.tradeoff.query_splits import TRAIN
from riskrank.tradeoff.training.judging import must_learn
from riskrank.tradeoff.training.workplace import Workplace

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from riskrank.cluster.launcher import Launcher
    from riskrank.measures.measure import Measure
    from riskrank.rankers.ranker import Ranker
    from riskrank.rankers.selective.query_predictors import QueryPredictor
    from riskrank.tradeoff.query_splits import Split
    from riskrank.tradeoff.sweep_plan import SweepPlan
    from riskrank.tradeoff.training.judging import JudgedBaseline, JudgedModel
    from riskrank.typing import BaselineLike, ClusterLike, Floats

BYTES = 5  # of a value: a single float, and its bin
HELD = 2 << 30  # bytes of data that a worker may hold alone, unless its memory is said


def workplace_on(cluster: ClusterLike, plan: SweepPlan, split: Split) -> Workplace:
    """A cluster on which the models of a sweep are trained side by side, each by one worker, if that can hold the data.

    Else all workers train them together, one model after the other. The models are the same: an only worker's sums are
    those of several.
    """
    parts = {name: part for name, part in split.parts.items() if isinstance(part, ShardedData)}
    _check_predictors(plan.predictors)
    launcher = launcher_for(cluster)
    n_workers = launcher.n_workers()
    is_held = bytes_of(parts[TRAIN]) + (bytes_of(parts["valid"]) if "valid" in parts else 0) <= (plan.memory or HELD)
    n_jobs = min(plan.n_asked or n_workers, n_workers, len(plan.models)) if is_held else 1
    workers: Launcher = OneEach(launcher, n_jobs) if is_held else launcher
    judge = ShardJudge.of(launcher, workers, parts, plan.baseline, plan.all_measures)
    return Workplace(parts, judge, n_jobs, None, workers, plan.memory)


def bytes_of(data: ShardedData) -> int:
    """What a worker that trains takes for data, about."""
    return data.manifest.n_documents * data.manifest.n_features * BYTES


def _check_predictors(predictors: Mapping[str, QueryPredictor]) -> None:
    """Refuse those that need more of other shards than a number of each query, or that workers do not know."""
    for name, predictor in predictors.items():
        if must_learn(predictor):
            way = "Leave it out, or sweep without cluster="
            raise ParameterError(f"the predictor {name} learns from features, which stay on the workers. {way}.")
        if KINDS.get(predictor.kind) is not type(predictor):
            raise ParameterError(f"workers do not know the predictor {name}: leave it out, or sweep without cluster=.")


@dataclass(frozen=True)
class OneEach:
    """A cluster of which each training has one worker; `n_side_by_side` are trained at a time."""

    launcher: Launcher
    n_side_by_side: int

    @classmethod
    def named(cls, address: str) -> Self:
        raise ParameterError(f"no cluster is called {address}.", "cluster")

    @classmethod
    def around(cls, _: ClusterLike, /) -> Self | None:
        return None

    @property
    def address(self) -> str:
        return self.launcher.address

    def n_workers(self) -> int:
        return 1

    def n_threads(self, n_workers: int) -> int | None:
        return self.launcher.n_threads(n_workers * self.n_side_by_side)

    def run(self, jobs: Sequence[str], _: Callable[..., None]) -> list[str]:
        return self.map(jobs)

    def map(self, jobs: Sequence[str]) -> list[str]:
        return self.launcher.map(jobs)


@dataclass(frozen=True, eq=False)
class ShardJudge:
    """Has workers judge models on the queries of shards; only numbers of each query come back.

    `ends` are those of the first baseline's scores, by part.
    """

    workers: Launcher
    parts: Mapping[str, ShardedData]
    template: WorkerJob
    baselines: Mapping[str, JudgedBaseline]
    ends: Mapping[str, list[float]]

    @classmethod
    def of(
        cls,
        everybody: Launcher,
        workers: Launcher,
        parts: Mapping[str, ShardedData],
        baseline: BaselineLike,
        measures: Sequence[Measure],
    ) -> ShardJudge:
        """With the baselines judged by everybody; models will be by some workers each."""
        template = WorkerJob(
            task="judge",
            versions=library_versions(),
            data=replace(share_part(parts[TRAIN]), shards=[]),
            baselines=baseline_jobs(baseline),
            measures=[str(measure) for measure in measures],
        )
        joined = {name: joined_baseline(shards) for name, shards in _asked(everybody, parts, template, {}).items()}
        baselines = {name: judged for name, (judged, _) in joined.items()}
        ends = {name: of_part for name, (_, of_part) in joined.items()}
        first = replace(template, baselines=template.baselines[:1])
        return cls(workers, parts, first, baselines, ends)

    def judge(self, model: Ranker) -> dict[str, JudgedModel]:
        return {name: joined_model(shards) for name, shards in self._of_model(model, {}).items()}

    def learned(self, predictor: QueryPredictor, model: Ranker) -> QueryPredictor:
        return predictor

    def predict(self, model: Ranker, predictors: Mapping[str, QueryPredictor]) -> dict[str, dict[str, Floats]]:
        return {name: joined_predictions(shards) for name, shards in self._of_model(model, predictors).items()}

    def _of_model(self, model: Ranker, predictors: Mapping[str, QueryPredictor]) -> dict[str, list[dict[str, Any]]]:
        (packed,) = baseline_jobs({"model": model})
        told = {name: predictor.to_dict() for name, predictor in predictors.items()}
        job = replace(self.template, model=packed, predictors=told)
        return _asked(self.workers, self.parts, job, self.ends)


def _asked(
    workers: Launcher, parts: Mapping[str, ShardedData], template: WorkerJob, ends: Mapping[str, list[float]]
) -> dict[str, list[dict[str, Any]]]:
    """What workers say of all shards, by part and in the order of the manifest."""
    shards = [
        JudgedShard(name, replace(part, shards=[shard]), ends.get(name, []))
        for name, data in parts.items()
        for part in [share_part(data)]
        for shard in part.shards
    ]
    sizes = [size for data in parts.values() for size in data.manifest.documents_of_shards]
    n_workers = min(workers.n_workers(), len(shards))
    groups = shared_out(sizes, n_workers)
    n_threads = workers.n_threads(n_workers)
    jobs = [replace(template, n_threads=n_threads, judged=[shards[i] for i in group]) for group in groups]
    said: dict[int, dict[str, Any]] = {}
    for group, result in zip(groups, _mapped(workers, [job.to_json() for job in jobs]), strict=True):
        said |= zip(group, result["judged"], strict=True)
    answers: dict[str, list[dict[str, Any]]] = {name: [] for name in parts}
    for number, shard in enumerate(shards):
        answers[shard.name].append(said[number])
    return answers


def _mapped(workers: Launcher, jobs: Sequence[str]) -> list[dict[str, Any]]:
    """What becomes of jobs that do not know each other; those of lost workers are done again, but not for ever."""
    done: dict[int, dict[str, Any]] = {}
    failures = 0
    while len(done) < len(jobs):
        left = [number for number in range(len(jobs)) if number not in done]
        try:
            for number, result in zip(left, workers.map([jobs[number] for number in left]), strict=True):
                done[number] = decoded(result)
        except LostWorkerError as lost:
            failures += 1
            if failures == MOST_FAILURES:
                raise TrainingError(f"{lost}, {failures} times. Look at the workers, and start again.") from None
            warnings.warn(f"{lost}; its shards are judged again.", stacklevel=2)
    return [done[number] for number in range(len(jobs))]
