"""What every launcher promises, whichever it is of: a new one is a fixture here and a name in `ENGINES`."""

from __future__ import annotations

import importlib
import importlib.util
import os
import shutil
import socket
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from types import SimpleNamespace

import pytest

from riskrank import __version__
from riskrank.cluster.job import ShardJob, WorkerJob
from riskrank.cluster.job_outcome import LostClusterError, LostWorkerError
from riskrank.cluster.launchers.launcher import (
    Launcher,
    SharedEngine,
    address_and_count,
    launcher_for,
    lost_by,
)
from riskrank.cluster.lifeline import Lifelines
from riskrank.cluster.worker import library_versions, run_worker
from riskrank.cluster.worker_shares import baseline_jobs, share_part
from riskrank.errors import FileError, ParameterError

from .conftest import HERE, TWO, fitted, same
from .processes import runs, wait_for

ENGINES = ("local", "dask", "ray", "spark")
QUICK_JAVA = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"  # starts in half the time
pytestmark = pytest.mark.filterwarnings("default")  # engines have warnings of their own


def installed(package, engine):
    if importlib.util.find_spec(package) is None:
        pytest.skip(f"needs {package}: pip install 'riskrank[{engine}]'")


@contextmanager
def importing_from_here():
    """What is started within finds the modules beside this one."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", os.pathsep.join(filter(None, (HERE, os.environ.get("PYTHONPATH")))))
        yield


@pytest.fixture(scope="module")
def local():
    return "local:2"


@pytest.fixture(scope="module")
def dask():
    installed("distributed", "dask")
    from distributed import Client, LocalCluster

    with (
        importing_from_here(),
        LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster,
        Client(cluster) as client,
    ):
        yield client


@pytest.fixture(scope="module")
def ray():
    installed("ray", "ray")
    import ray

    with importing_from_here():
        ray.init(address="local", num_cpus=2, include_dashboard=False, log_to_driver=False, configure_logging=False)
        yield "ray:auto?workers=2"
        ray.shutdown()


@pytest.fixture(scope="module")
def spark():
    installed("pyspark", "spark")
    if shutil.which("java") is None:
        pytest.skip("needs Java")
    from pyspark.sql import SparkSession

    with importing_from_here(), pytest.MonkeyPatch.context() as patch:
        patch.setenv("JAVA_TOOL_OPTIONS", QUICK_JAVA)
        yield "spark:local[2]"
        SparkSession.builder.getOrCreate().stop()


@pytest.fixture(params=ENGINES)
def engine(request):
    return request.getfixturevalue(request.param)


@pytest.fixture
def launcher(engine):
    return launcher_for(engine)


@pytest.fixture(scope="module")
def alone(train, valid):
    return fitted(train, valid)


def test_a_launcher_knows_its_workers_and_where_they_reach_the_driver(launcher):
    assert isinstance(launcher, Launcher)
    assert launcher.n_workers() == 2
    assert launcher.n_threads(2) >= 1
    assert socket.getaddrinfo(launcher.address, 0)


def test_results_are_in_the_order_of_jobs(launcher, train):
    job = WorkerJob("measure", library_versions(), baselines=baseline_jobs(TWO), measures=["P@5"])
    parts = [replace(share_part(train), shards=[shard]) for shard in (1, 0)]
    jobs = [replace(job, shards=[ShardJob("data", part)]).to_json() for part in parts]
    expected = [run_worker(text) for text in jobs]
    assert expected[0] != expected[1]
    assert launcher.map(jobs, lambda: None) == expected
    looks = []
    assert launcher.run(jobs, lambda: looks.append(None)) == expected
    assert looks


def test_what_a_worker_refuses_ends_work_on_shards_at_once(launcher, train):
    job = WorkerJob("measure", library_versions(), baselines=baseline_jobs(TWO), measures=["P@5"])
    gone = replace(share_part(train), folder="/gone", shards=[0])
    jobs = [replace(job, shards=[ShardJob("data", part)]).to_json() for part in (share_part(train), gone)]
    with pytest.raises(FileError, match="^/gone"):
        launcher.map(jobs, lambda: None)


def test_the_model_is_that_of_one_process(engine, train, valid, alone):
    same(fitted(train, valid, cluster=engine), alone)


def test_a_killed_worker_does_not_change_the_model(engine, train, valid, alone, tmp_path, importable):
    objective = importlib.import_module("own_targets").Fatal(alpha=3, marker=str(tmp_path / "marker"))
    (tmp_path / "marker").touch()
    with pytest.warns(UserWarning, match="training goes on from the last checkpoint"):
        model = fitted(
            train, valid, objective=objective, cluster=engine, checkpoint=tmp_path / "kept", checkpoint_every=1
        )
    assert not os.listdir(tmp_path)  # neither the marker nor a checkpoint
    assert model.model_text_ == alone.model_text_  # of an objective that differs in its name only
    assert model.history_.to_json() == alone.history_.to_json()


def test_two_trainings_at_once_end_in_the_same_model(engine, train, valid, alone):
    with ThreadPoolExecutor(2) as pool:
        others = [pool.submit(fitted, train, valid, cluster=engine) for _ in range(2)]
    for other in others:
        same(other.result(), alone)


@pytest.mark.skipif(not os.path.exists("/proc/self/task"), reason="needs Linux's /proc to see the workers")
def test_ctrl_c_ends_the_workers(engine, train, tmp_path, importable, monkeypatch):
    def look(lifelines):
        if len(os.listdir(tmp_path)) == 2:
            raise KeyboardInterrupt

    monkeypatch.setattr(Lifelines, "look", look)
    objective = importlib.import_module("own_targets").Watched(alpha=3, folder=str(tmp_path))
    with pytest.raises(KeyboardInterrupt):
        fitted(train, objective=objective, cluster=engine, n_trees=100_000)
    wait_for(lambda: not any(runs(int(worker)) for worker in os.listdir(tmp_path)))


def test_what_a_worker_refuses_ends_the_training_at_once(engine, folder, tmp_path):
    import riskrank as rr

    shutil.copytree(folder / "train", tmp_path / "train")
    data = rr.ShardedData(tmp_path / "train")
    (tmp_path / "train" / "00002" / "00000.parquet").unlink()
    with pytest.raises(FileError, match=r"00002/00000.parquet: no such file"):
        fitted(data, cluster=engine)


@pytest.mark.parametrize(("engine", "package"), [("dask", "distributed"), ("ray", "ray"), ("spark", "pyspark.sql")])
def test_an_engine_that_is_not_installed_is_told_with_what_installs_it(engine, package, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, package, None)
    with pytest.raises(ParameterError, match=rf"this cluster needs {engine}: pip install 'riskrank\[{engine}\]'"):
        launcher_for(f"{engine}:somewhere")


@pytest.mark.parametrize("cluster", ["moon:1", "local:many", "local:-1", "local:99999", object(), 3])
def test_what_is_no_cluster_is_refused(cluster):
    with pytest.raises(ParameterError, match="cluster must be"):
        launcher_for(cluster)


@pytest.mark.parametrize("cluster", ["dask:", "spark:", "local:0", "spark:local?workers=0", "ray:auto?workers=-1"])
def test_an_address_that_cannot_be_is_refused_before_anything_starts(cluster):
    if cluster.startswith("dask"):
        installed("distributed", "dask")
    if cluster.startswith("spark"):
        installed("pyspark", "spark")
    with pytest.raises(ParameterError, match="cluster must"):
        launcher_for(cluster)


def test_a_dask_scheduler_that_does_not_answer_is_told_in_one_line(monkeypatch):
    installed("distributed", "dask")
    monkeypatch.setattr("riskrank.cluster.launchers.dask_launcher.FIRST_WAIT", 1)
    with pytest.raises(ParameterError, match=r"there is no Dask scheduler at tcp://127.0.0.1:1 \(.*\)\.$"):
        launcher_for("dask:tcp://127.0.0.1:1")


class Heard:
    """A Dask client that knows when its scheduler has heard of workers."""

    run = None

    def __init__(self, **last_seen):
        self.workers = {address: {"last_seen": when} for address, when in last_seen.items()}

    def wait_for_workers(self, *_, **__):
        pass

    def scheduler_info(self, **_):
        return {"workers": self.workers}

    def sync(self, *_, **__):
        pass


def test_dask_workers_that_are_not_heard_of_are_not_there_even_if_nobody_is(monkeypatch):
    from riskrank.cluster.launchers import dask_launcher

    installed("distributed", "dask")
    launcher = dask_launcher.DaskLauncher(Heard(a=5.0, b=7.0))
    assert launcher.n_workers() == 2
    monkeypatch.setattr(dask_launcher, "UNSEEN", 0.0)
    with pytest.raises(LostClusterError, match="have not been heard of"):
        launcher.n_workers()


@pytest.mark.parametrize(("count", "expected"), [(2, 2), (None, 3), (5, 3)])
def test_spark_waits_for_the_workers_that_are_wanted_or_until_no_more_come(count, expected, monkeypatch):
    from riskrank.cluster.launchers import spark_launcher

    for name, seconds in (("LOOK", 0.0), ("SETTLED", 0.05), ("FIRST_WAIT", 0.3)):
        monkeypatch.setattr(spark_launcher, name, seconds)
    coming = iter([0, 0, 1, 2])
    monkeypatch.setattr(spark_launcher.SparkLauncher, "_places", lambda _: next(coming, 3))
    session = SimpleNamespace(sparkContext=SimpleNamespace(master="spark://host:7077"))
    assert spark_launcher.SparkLauncher(session, count).n_workers() == expected


def test_whoever_leaves_a_shared_engine_last_closes_it_if_it_was_not_there_before():
    closed = []
    engine = SharedEngine()
    for is_new in (True, False):
        assert engine.join(lambda is_new=is_new: ("engine", is_new)) == "engine"
    for expected in ([], [True]):
        engine.leave(lambda: closed.append(True))
        assert closed == expected
    engine.join(lambda: ("of somebody else", False))
    engine.leave(lambda: closed.append(False))
    assert closed == [True]


def test_how_many_workers_stands_behind_the_address():
    assert address_and_count("spark://host:7077?workers=3") == ("spark://host:7077", 3)
    with pytest.raises(ParameterError, match="from 1 to 1024 workers, got 'x'"):
        address_and_count("auto?workers=x")


def test_dask_workers_without_riskrank_are_told_of_and_live_on(train, tmp_path):
    installed("distributed", "dask")
    from distributed import Client, LocalCluster

    (tmp_path / "riskrank.py").write_text("raise ModuleNotFoundError(\"No module named 'riskrank'\")")
    with LocalCluster(n_workers=0, dashboard_address=None) as cluster, Client(cluster) as client:
        worker = [sys.executable, "-m", "distributed.cli.dask_worker", cluster.scheduler_address, "--no-dashboard"]
        with subprocess.Popen(worker, env={**os.environ, "PYTHONPATH": str(tmp_path)}) as there:
            try:
                with pytest.raises(ParameterError, match=r"^the Python of Dask's workers lacks riskrank \(No module"):
                    fitted(train, cluster=client)
                assert there.poll() is None
            finally:
                there.terminate()


@pytest.mark.parametrize("module", ["riskrank", "riskrank.cluster"])
def test_workers_without_riskrank_are_not_lost_but_cannot_begin(module):
    said = RuntimeError(f"The function failed to import\n  File ...\nModuleNotFoundError: No module named '{module}'\n")
    refused = lost_by("Ray", said)
    assert isinstance(refused, ParameterError)
    assert str(refused).endswith(f"Install riskrank {__version__} where they run.")
    assert isinstance(lost_by("Ray", RuntimeError("No module named 'numpy'")), LostWorkerError)
