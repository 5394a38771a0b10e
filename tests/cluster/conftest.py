"""Data in shards, and workers as threads: they train together as processes would, but start at once."""

from __future__ import annotations

import importlib.util
import os
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import polars as pl
import pytest

import riskrank as rr
from riskrank.cluster.launchers.launcher import all_done
from riskrank.cluster.worker import run_worker
from riskrank.data.feature_tables.feature_table import choice_of
from riskrank.data.letor.writer import write_letor
from riskrank.data.shards.shard_writer import write_shards
from riskrank.rankers.trees.collective.xgboost_peers import Tracker

SMALL = {"n_trees": 6, "n_leaves": 6, "engine": "xgboost", "n_threads": 1}
FIT = ("checkpoint", "checkpoint_every", "resume", "keep_checkpoint")  # the others are the ranker's
TWO = [rr.Feature(1), rr.Feature(2)]


def fitted(data, valid=None, *, objective=None, cluster=None, baseline=TWO, **options):
    fit = {name: options.pop(name) for name in FIT if name in options}
    ranker = rr.LambdaMART(objective or rr.URisk(alpha=3), **{**SMALL, **options})
    return ranker.fit(data, valid=valid, baseline=baseline, cluster=cluster, **fit)


def same(one, other):
    """Trees, history and card, but for the time."""
    assert one.model_text_ == other.model_text_
    assert one.history_.to_json() == other.history_.to_json()
    cards = [{**ranker.card_, "created": ""} for ranker in (one, other)]
    assert cards[0] == cards[1]
    np.testing.assert_array_equal(one.valid_changes_, other.valid_changes_)


def installed(package, engine):
    if importlib.util.find_spec(package) is None:
        pytest.skip(f"needs {package}: pip install 'riskrank[{engine}]'")


HERE = str(Path(__file__).parent)


class ThreadLauncher:
    """Workers as threads of this process, each of which knows peers of its own."""

    address = "127.0.0.1"

    def __init__(self, count):
        self.count = count
        self.jobs = []

    def close(self):
        pass

    def n_workers(self):
        return self.count

    def n_threads(self, n_workers):
        return 1

    def run(self, jobs, look):
        self.jobs.append(jobs)
        with ThreadPoolExecutor(len(jobs)) as pool:
            results = list(pool.map(run_worker, jobs))
        look()
        return all_done(lambda take: [take(*each) for each in enumerate(results)])

    def map(self, jobs, look, take, n_threads):
        for number, job in enumerate(jobs):
            take(number, run_worker(job))
            look()


@pytest.fixture
def threads(monkeypatch):
    """`cluster=threads(3)`."""
    monkeypatch.setattr("riskrank.cluster.training.TrackerProcess", Tracker)  # without a process it starts at once
    return ThreadLauncher


@pytest.fixture(scope="session")
def folder(tmp_path_factory):
    """Training data in 5 uneven shards, others in 2 and 3, and all as LETOR text."""
    place = tmp_path_factory.mktemp("shards")
    for name, n_queries, n_shards, seed in (("train", 60, 5, 1), ("valid", 20, 2, 2), ("test", 30, 3, 3)):
        data = rr.web_search_data(n_queries, documents_per_query=25, n_features=20, random_state=seed)
        write_letor(data, place / f"{name}.txt")
        write_shards(place / f"{name}.txt", place / name, n_shards=n_shards)
    return place


@pytest.fixture(scope="session")
def train(folder):
    return rr.ShardedData(folder / "train")


@pytest.fixture(scope="session")
def valid(folder):
    return rr.ShardedData(folder / "valid")


def weighted_shards(place, weigh):
    """30 queries of 20 documents in 4 shards: `weigh` gives each document a weight by its query and its row."""
    data = rr.web_search_data(30, documents_per_query=20, n_features=20, random_state=4)
    frame = pl.DataFrame(data.features, schema=[f"f{i}" for i in range(20)]).with_columns(
        qid=pl.Series(np.asarray(data.query_ids)[data.query_numbers]),
        label=pl.Series(data.labels),
        weight=pl.Series(weigh(data.query_numbers, np.arange(data.n_documents)).astype(float)),
    )
    write_shards(frame, place, choice_of(weight="weight"), n_shards=4)
    return rr.ShardedData(place)


def late(queries, _):
    """No weight for any query of the first shard."""
    return np.where(queries < 10, 0.0, 1.0 + queries % 4)


@pytest.fixture
def importable(monkeypatch):
    """Modules beside this one are found by workers in processes, too."""
    monkeypatch.syspath_prepend(HERE)
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(filter(None, (HERE, os.environ.get("PYTHONPATH")))))
    yield
    sys.modules.pop("own_targets", None)


@pytest.fixture
def stand_in(tmp_path, monkeypatch):
    """`stand_in(script)` is run for whatever is started as a Python program, once it has read a line, or at once."""

    def put(script, *, reads=True):
        program = tmp_path / "program"
        first = "read job" if reads else ""
        program.write_text(f"#!/bin/sh\n{first}\n{script}\n", encoding="ascii")
        program.chmod(0o755)
        monkeypatch.setattr(sys, "executable", str(program))

    return put
