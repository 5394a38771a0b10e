"""Work on shards one by one: what is done stays done, whoever is lost."""

from __future__ import annotations

import pytest

import riskrank as rr
from riskrank.cluster.job import WorkerJob
from riskrank.cluster.job_outcome import LostWorkerError
from riskrank.errors import TrainingError

from .conftest import ThreadLauncher


class Breaking(ThreadLauncher):
    """Three workers, of whom one is heard of before the others are lost; a few times."""

    def __init__(self, failures):
        super().__init__(3)
        self.failures, self.begun = failures, []

    def map(self, jobs, look, take, n_threads):
        self.begun.append([shard.data.shards[0] for job in jobs for shard in WorkerJob.from_json(job).shards])
        self.failures -= 1
        super().map(jobs if self.failures < 0 else jobs[:1], look, take, n_threads)
        if self.failures >= 0:
            raise LostWorkerError("the engine lost a worker")


def test_shards_that_are_done_are_not_taken_again_when_others_are_lost(train):
    expected = rr.evaluate(train, {"text": rr.Feature(1)}, "AP")
    cluster = Breaking(2)
    with pytest.warns(UserWarning, match="the engine lost a worker; its shards are taken again") as told:
        assert rr.evaluate(train, {"text": rr.Feature(1)}, "AP", cluster=cluster) == expected
    assert len(told) == 2
    first, second, third = map(set, cluster.begun)
    assert first == set(range(5))
    assert first > second > third


def test_workers_that_are_lost_before_anything_is_done_end_the_work(train):
    class Dead(ThreadLauncher):
        def map(self, *_):
            raise LostWorkerError("the engine lost a worker")

    with pytest.warns(UserWarning, match="again"), pytest.raises(TrainingError, match="a worker, 3 times. Look at the"):
        rr.evaluate(train, {"text": rr.Feature(1)}, "AP", cluster=Dead(2))


@pytest.mark.parametrize(("n_workers", "n_threads"), [(3, 4), (9, 2)])
def test_the_engine_keeps_as_many_cores_for_a_worker_as_it_uses(n_workers, n_threads, train):
    """Also where there are fewer shards than workers."""
    said = []

    class Counting(ThreadLauncher):
        def n_threads(self, n_workers):
            return 12 // n_workers

        def map(self, jobs, look, take, n_threads):
            said.extend([n_threads, *(WorkerJob.from_json(job).n_threads for job in jobs)])
            super().map(jobs, look, take, n_threads)

    rr.evaluate(train, {"text": rr.Feature(1)}, "AP", cluster=Counting(n_workers))
    assert set(said) == {n_threads}
