"""A sweep by the workers of a cluster: who trains its models, and who judges them where the shards are."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from riskrank.cluster.job import WorkerJob
from riskrank.cluster.judged_shards import joined_baseline, joined_model, joined_predictions
from riskrank.cluster.launchers.launcher import all_done, launched
from riskrank.cluster.shard_work import answers_of
from riskrank.cluster.worker import library_versions
from riskrank.cluster.worker_shares import baseline_job, baseline_jobs
from riskrank.data.shards.sharded_data import ShardedData
from riskrank.errors import ParameterError
from riskrank.rankers.fitting.sharded_fit import check_has_systems
from riskrank.rankers.selective.query_predictors import KINDS
from riskrank.tradeoff.query_splits import TRAIN
from riskrank.tradeoff.training.judging import must_learn
from riskrank.tradeoff.training.workplace import Workplace

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from riskrank.cluster.launchers.launcher import Launcher, Take
    from riskrank.measures.measure import Measure
    from riskrank.rankers.ranker import Ranker
    from riskrank.rankers.selective.query_predictors import QueryPredictor
    from riskrank.tradeoff.query_splits import Split
    from riskrank.tradeoff.sweep_plan import SweepPlan
    from riskrank.tradeoff.training.judging import JudgedBaseline, JudgedModel
    from riskrank.typing import BaselineLike, ClusterLike, Floats

BYTES = 5  # of a value: a single float, and its bin
HELD = 2 << 30  # bytes of data that a worker may hold alone, unless its memory is said


@contextmanager
def workplace_on(cluster: ClusterLike, plan: SweepPlan, split: Split) -> Iterator[Workplace]:
    """A cluster on which the models of a sweep are trained side by side, each by one worker, if that can hold the data.

    Else all workers train them together, one model after the other. The models are the same: an only worker's sums are
    those of several.
    """
    parts = {name: part for name, part in split.parts.items() if isinstance(part, ShardedData)}
    _check_predictors(plan.predictors)
    for part in parts.values():
        check_has_systems(part, plan.baseline)
    with launched(cluster) as launcher:
        n_workers = launcher.n_workers()
        n_bytes = sum(training_bytes(parts[name]) for name in (TRAIN, "valid") if name in parts)
        is_held = n_bytes <= (plan.memory or HELD)
        n_jobs = min(plan.n_asked or n_workers, n_workers, len(plan.models)) if is_held else 1
        workers: Launcher = OneEach(launcher, n_jobs) if is_held else launcher
        judge = ShardJudge.of(launcher, workers, parts, plan.baseline, plan.all_measures)
        yield Workplace(parts, judge, n_jobs, None, workers, plan.memory)


def training_bytes(data: ShardedData) -> int:
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

    @property
    def address(self) -> str:
        return self.launcher.address

    def n_workers(self) -> int:
        return 1

    def n_threads(self, n_workers: int) -> int | None:
        return self.launcher.n_threads(n_workers * self.n_side_by_side)

    def run(self, jobs: Sequence[str], look: Callable[[], None]) -> list[str]:
        return all_done(lambda take: self.map(jobs, look, take, self.n_threads(len(jobs))))

    def map(self, jobs: Sequence[str], look: Callable[[], None], take: Take, n_threads: int | None) -> None:
        self.launcher.map(jobs, look, take, n_threads)

    def close(self) -> None:
        self.launcher.close()


@dataclass(frozen=True, eq=False)
class ShardJudge:
    """Has workers judge models on the queries of shards; only numbers of each query come back."""

    workers: Launcher
    parts: Mapping[str, ShardedData]
    job: WorkerJob
    baselines: Mapping[str, JudgedBaseline]

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
        names = [str(measure) for measure in measures]
        versions, baselines = library_versions(), baseline_jobs(baseline)
        job = WorkerJob(task="judge", versions=versions, baselines=baselines, measures=names)
        judged = {name: joined_baseline(shards) for name, shards in answers_of(everybody, job, parts).items()}
        return cls(workers, parts, replace(job, baselines=baselines[:1]), judged)

    def judge(self, model: Ranker) -> dict[str, JudgedModel]:
        return {name: joined_model(shards) for name, shards in self._of_model(model, {}).items()}

    def learned(self, predictor: QueryPredictor, model: Ranker) -> QueryPredictor:
        return predictor

    def predict(self, model: Ranker, predictors: Mapping[str, QueryPredictor]) -> dict[str, dict[str, Floats]]:
        return {name: joined_predictions(shards) for name, shards in self._of_model(model, predictors).items()}

    def _of_model(self, model: Ranker, predictors: Mapping[str, QueryPredictor]) -> dict[str, list[dict[str, Any]]]:
        told = {name: predictor.to_dict() for name, predictor in predictors.items()}
        job = replace(self.job, model=baseline_job("model", model), predictors=told)
        return answers_of(self.workers, job, self.parts)
