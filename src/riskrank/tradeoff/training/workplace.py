"""Workplace: where the models of a fold are trained and judged: in this process, or by the workers of a cluster."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING

from riskrank.rankers.fitting.sharded_fit import check_learns_from_shards
from riskrank.tradeoff.training.judging import HeldJudge

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from riskrank.data.ranking_data import RankingData
    from riskrank.data.shards.sharded_data import ShardedData
    from riskrank.tradeoff.query_splits import Split
    from riskrank.tradeoff.sweep_plan import SweepPlan
    from riskrank.tradeoff.training.judging import Judge
    from riskrank.typing import ClusterLike


@dataclass(frozen=True, eq=False)
class Workplace:
    """What `fit` is given, who judges, and how many models are trained side by side.

    `parts` are the data, by name, `cluster` has the workers, each of which may use so many bytes of `memory`;
    `n_threads` is how many threads each model has, None for its own number.
    """

    parts: Mapping[str, RankingData | ShardedData]
    judge: Judge
    n_jobs: int
    n_threads: int | None
    cluster: ClusterLike | None = None
    memory: int | None = None


@contextmanager
def workplace_of(plan: SweepPlan, split: Split) -> Iterator[Workplace]:
    """Where a split is swept; rankers that cannot learn from its data are refused before these are read."""
    if split.is_sharded:
        for ranker in plan.models.values():
            check_learns_from_shards(ranker)
    if plan.cluster is not None:  # that layer is above this one
        with import_module("riskrank.cluster.sweeping").workplace_on(plan.cluster, plan, split) as workplace:
            yield workplace
        return
    held = split.held()
    yield Workplace(held, HeldJudge(held, plan.baseline, plan.all_measures), plan.n_jobs, plan.n_threads)
