"""One worker: what it reads, and what it says of a job that is none."""

from __future__ import annotations

import riskrank as rr
from riskrank.cluster.job import ShardJob, WorkerJob
from riskrank.cluster.job_outcome import failure_of
from riskrank.cluster.worker import library_versions, run_worker
from riskrank.cluster.worker_shares import share_part
from riskrank.data.shards.manifest import ShardManifest
from riskrank.errors import ParameterError

from .conftest import fitted


def test_the_manifest_is_read_once_by_a_worker_for_all_its_shards(train, valid, threads, monkeypatch):
    read, real = [], ShardManifest.read
    monkeypatch.setattr(ShardManifest, "read", lambda content, path: read.append(path) or real(content, path))
    rr.evaluate(train, {"text": rr.Feature(1)}, "AP", cluster=threads(1))
    assert len(read) == 1
    read.clear()
    fitted(train, valid, cluster=threads(2))
    assert len(read) == 2 * 2  # of training and of validation data, by each


def test_a_job_that_lacks_what_its_task_needs_is_refused(train):
    job = WorkerJob("score", library_versions(), shards=[ShardJob("data", share_part(train))])
    refused = failure_of(run_worker(job.to_json()))
    assert isinstance(refused, ParameterError)
    assert str(refused) == "the job of a worker: ranking: must say what is made of the scores."
