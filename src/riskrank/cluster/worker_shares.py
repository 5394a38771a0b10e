"""What each worker gets: shards, and baselines in words that it understands."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from riskrank.cluster.job import BaselineJob, SharePart, packed
from riskrank.data.baseline_scores import named_baselines
from riskrank.data.feature import Feature
from riskrank.data.names import system_name
from riskrank.errors import ParameterError, first_duplicate, one_line, quoted
from riskrank.rankers.ranker import Ranker
from riskrank.rankers.selective.wrapped import Wrapped

if TYPE_CHECKING:
    from collections.abc import Sequence

    from riskrank.data.shards.sharded_data import ShardedData
    from riskrank.typing import BaselineLike, OneBaseline


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


def share_part(data: ShardedData) -> SharePart:
    """All shards of a folder, as workers find them."""
    from riskrank.data.opening.remote_files import is_remote

    folder = data.folder if is_remote(data.folder) else os.path.abspath(data.folder)
    return SharePart(folder, data.manifest.digest, list(range(data.n_shards)))


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
    what = quoted(baseline) if isinstance(baseline, str) else one_line(repr(baseline), limit=60)
    raise ParameterError(
        f"{what} is no feature, column of scores in the shards, or model: only these go to workers.", "baseline"
    )
