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
from contextlib import closing, contextmanager
from dataclasses import replace
from functools import partial
from types import SimpleNamespace

import pytest

from riskrank.cluster.job import ShardJob, WorkerJob
from riskrank.cluster.job_outcome import LostClusterError, LostWorkerError, check_done
from riskrank.cluster.launchers.dask_launcher import DaskLauncher
from riskrank.cluster.launchers.launcher import (
    Launcher,
    launched,
    launcher_for,
)
from riskrank.cluster.launchers.local_launcher import LocalLauncher
from riskrank.cluster.launchers.ray_launcher import RayLauncher
from riskrank.cluster.launchers.spark_launcher import SparkLauncher
from riskrank.cluster.lifeline import Lifelines
from riskrank.cluster.sweeping import OneEach
from riskrank.cluster.worker import library_versions, run_worker, worker_versions
from riskrank.cluster.worker_shares import baseline_jobs, share_part
from riskrank.errors import FileError, ParameterError

from .conftest import HERE, TWO, fitted, installed, same
from .processes import runs, wait_for

ENGINES = ("local", "dask", "ray", "spark")
QUICK_JAVA = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"  # starts in half the time
pytestmark = pytest.mark.filterwarnings("default")  # engines have warnings of their own


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
    with importing_from_here(), pytest.MonkeyPatch.context() as patch:
        patch.setenv("JAVA_TOOL_OPTIONS", QUICK_JAVA)
        with launched("spark:local[2]"):  # one session for all
            yield "spark:local[2]"


@pytest.fixture(params=ENGINES)
def engine(request):
    return request.getfixturevalue(request.param)


@pytest.fixture
def side_by_side():
    """Two workers, each for itself: no engine, but a launcher."""
    return OneEach(LocalLauncher(2), 2)


@pytest.fixture(params=[*ENGINES, "side_by_side"])
def launcher(request):
    launcher = launcher_for(request.getfixturevalue(request.param))
    yield launcher
    launcher.close()


@pytest.fixture(scope="module")
def alone(train, valid):
    return fitted(train, valid)


def test_a_launcher_knows_its_workers_and_where_they_reach_the_driver(launcher):
    assert isinstance(launcher, Launcher)
    assert launcher.n_workers() == (1 if isinstance(launcher, OneEach) else 2)
    assert launcher.n_threads(2) >= 1
    assert socket.getaddrinfo(launcher.address, 0)


def measuring(data, shard):
    """The job of a worker who soon ends."""
    part = replace(share_part(data), shards=[shard])
    job = WorkerJob("measure", library_versions(), baselines=baseline_jobs(TWO), measures=["P@5"], n_threads=1)
    return replace(job, shards=[ShardJob("data", part)]).to_json()


def slow(data, folder, does, lifeline=None):
    """The job of a worker who trains alone, by an objective that takes its time, refuses or dies."""
    return WorkerJob(
        "train", worker_versions(), share_part(data), ranker="LambdaMART",
        parameters={"n_trees": 1, "engine": "xgboost"}, n_threads=1, baselines=baseline_jobs(TWO),
        objective={"objective": "slow", "folder": str(folder), "does": does}, objective_home="own_targets:Slow",
        lifeline=lifeline or {},
    ).to_json()  # fmt: skip


def test_each_result_goes_with_its_job(launcher, train):
    jobs = [measuring(train, shard) for shard in (1, 0)]
    expected = [run_worker(text) for text in jobs]
    assert expected[0] != expected[1]
    results, looks = {}, []
    launcher.map(jobs, lambda: looks.append(None), results.__setitem__, 1)
    assert results == dict(enumerate(expected))
    assert looks
    looks.clear()
    assert launcher.run(jobs, lambda: looks.append(None)) == expected
    assert looks


@pytest.mark.usefixtures("importable")
def test_a_lost_worker_is_the_result_of_its_job_alone(launcher, train, tmp_path):
    (tmp_path / "somebody").touch()
    jobs = [slow(train, tmp_path, "die"), measuring(train, 0)]
    results = {}
    launcher.map(jobs, lambda: None, results.__setitem__, 1)
    with pytest.raises(LostWorkerError, match="killed"):
        check_done(results.pop(0))
    assert results == {1: run_worker(jobs[1])}


@pytest.mark.usefixtures("importable")
@pytest.mark.parametrize(("way", "does", "error"), [("map", "refuse", ParameterError), ("run", "die", LostWorkerError)])
def test_whoever_fails_ends_the_others_at_once(launcher, way, does, error, train, tmp_path):
    with closing(Lifelines(1, launcher.address)) as lines:
        jobs = [slow(train, tmp_path, "wait", lines.arguments), slow(train, tmp_path, does)]
        work = {"run": launcher.run, "map": partial(launcher.map, take=lambda _, made: check_done(made), n_threads=1)}
        with pytest.raises(error):
            work[way](jobs, lambda: None)
    (worker,) = os.listdir(tmp_path)  # which has not come to its end
    wait_for(lambda: not runs(int(worker)))


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


class Heard:
    """A Dask client that knows when its scheduler has heard of workers."""

    run = None

    def __init__(self, **last_seen):
        self.asked, self.scheduler, self.loop = [], None, None
        self.workers = {address: {"last_seen": when} for address, when in last_seen.items()}

    def wait_for_workers(self, *_, **__):
        pass

    def scheduler_info(self, **_):
        return {"workers": self.workers}

    def sync(self, *_, workers, **__):
        self.asked.append(workers)
        if "hangs" in self.workers:
            del self.workers["hangs"]
            raise TimeoutError

    @contextmanager
    def as_current(self):
        yield


def test_dask_workers_that_are_not_heard_of_are_not_there_even_if_nobody_is(monkeypatch):
    installed("distributed", "dask")
    launcher = DaskLauncher(Heard(a=5.0, b=7.0, cut_off=-240.0))
    assert launcher.n_workers() == 2
    assert launcher._client.asked == [["a", "b"]]
    monkeypatch.setattr("riskrank.cluster.launchers.dask_launcher.UNSEEN", 0.0)
    with pytest.raises(LostClusterError, match="have not been heard of"):
        launcher.n_workers()


def test_a_dask_worker_that_does_not_answer_stops_no_work():
    installed("distributed", "dask")
    assert DaskLauncher(Heard(a=5.0, hangs=5.0)).n_workers() == 1


def test_whoever_waits_for_a_turn_on_dask_looks_around_meanwhile(monkeypatch):
    installed("distributed", "dask")

    class Turn:
        def __init__(self, *_, **__):
            pass

        def acquire(self, timeout):
            return False

    def look():
        raise KeyboardInterrupt

    monkeypatch.setattr("distributed.Lock", Turn)
    with pytest.raises(KeyboardInterrupt):
        DaskLauncher(Heard(a=5.0)).run(["job"], look)


class Reserved:
    """Stands for the module ray: does jobs at once, or is interrupted, and knows how many cores were asked for."""

    exceptions = SimpleNamespace(RayError=RuntimeError)

    def __init__(self, *, is_interrupted=False):
        self.is_interrupted, self.cores = is_interrupted, None

    def nodes(self):
        return [{"Alive": True, "Resources": {"CPU": 4}}]

    def remote(self, num_cpus, **_):
        if self.is_interrupted:
            raise KeyboardInterrupt
        self.cores = num_cpus
        return lambda _: SimpleNamespace(remote=str)

    def wait(self, tasks, **_):
        return tasks, []

    def get(self, task):
        return task


def test_ray_keeps_as_many_cores_for_a_job_as_it_uses():
    ray, results = Reserved(), {}
    RayLauncher(ray).map(["a", "b"], lambda: None, results.__setitem__, 3)
    assert results == {0: "a", 1: "b"}
    assert ray.cores == 3


def test_places_of_ray_are_given_back_whenever_a_training_is_interrupted(monkeypatch):
    installed("ray", "ray")
    removed = []
    groups = importlib.import_module("ray.util.placement_group")
    monkeypatch.setattr(groups, "placement_group", lambda *_, **__: "group")
    monkeypatch.setattr(groups, "remove_placement_group", removed.append)
    with pytest.raises(KeyboardInterrupt):
        RayLauncher(Reserved(is_interrupted=True)).run(["a"], lambda: None)
    assert removed == ["group"]


@pytest.mark.parametrize(("count", "expected"), [(2, 2), (None, 3), (5, 4)])
def test_spark_waits_for_the_workers_that_are_wanted_or_until_no_more_come(count, expected, monkeypatch):
    class Clock:
        now = 0.0

        def monotonic(self):
            return self.now

        def sleep(self, seconds):
            self.now += seconds

    clock = Clock()
    monkeypatch.setattr("riskrank.cluster.launchers.spark_launcher.time", clock)
    comings = {1.0: 1, 4.0: 2, 8.0: 3, 14.0: 4}  # the last one after the time in which another must come
    monkeypatch.setattr(
        SparkLauncher, "_places", lambda _: max((n for when, n in comings.items() if when <= clock.now), default=0)
    )
    session = SimpleNamespace(sparkContext=SimpleNamespace(master="spark://host:7077"))
    assert SparkLauncher(session, count).n_workers() == expected


@pytest.mark.parametrize(("engine", "elsewhere"), [("ray", "ray:other:6379"), ("spark", "spark:spark://other:7077")])
def test_an_address_counts_where_an_engine_is_there_already(engine, elsewhere, request):
    request.getfixturevalue(engine)
    with pytest.raises(ParameterError, match=f"has {engine.title()} at .*, and cannot have it at .*other"):
        launcher_for(elsewhere)


def test_a_session_of_spark_keeps_its_settings(spark):
    from pyspark.sql import SparkSession

    session = SparkSession.builder.getOrCreate()
    session.sparkContext.setLogLevel("ERROR")
    java = session.sparkContext._jvm.org.apache.logging.log4j.LogManager
    before = session.conf.getAll
    try:
        with launched(spark):
            assert str(java.getRootLogger().getLevel()) == "ERROR"
            assert session.conf.getAll == before
    finally:
        session.sparkContext.setLogLevel("OFF")


@pytest.mark.parametrize(
    ("host", "master", "expected"),
    [
        ("127.0.1.1", "spark://127.0.0.1:7077", "127.0.0.1"),
        ("127.0.1.1", "spark://127.0.0.1:7077,127.0.0.2:7077", "127.0.0.1"),
        ("127.0.1.1", "local[2]", "127.0.1.1"),
        ("198.51.100.7", "spark://127.0.0.1:7077", "198.51.100.7"),
    ],
)
def test_workers_reach_sparks_driver_where_its_name_is_of_the_loopback(host, master, expected):
    """The address is that of the way to the master."""
    context = SimpleNamespace(master=master, getConf=lambda: {"spark.driver.host": host})
    assert SparkLauncher(SimpleNamespace(sparkContext=context)).address == expected


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
