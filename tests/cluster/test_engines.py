"""What every engine promises, whichever it is: the same model, also when a worker is killed in the middle."""

from __future__ import annotations

import importlib
import importlib.util
import os
import shutil
from contextlib import contextmanager

import pytest

from riskrank.cluster.launcher import address_and_count, launcher_for
from riskrank.errors import ParameterError

from .conftest import HERE, fitted, same

ENGINES = ("dask", "ray", "spark")
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
def dask():
    installed("distributed", "dask")
    from distributed import Client, LocalCluster

    with (
        importing_from_here(),
        LocalCluster(n_workers=3, threads_per_worker=1, dashboard_address=None) as cluster,
        Client(cluster) as client,
    ):
        yield client


@pytest.fixture(scope="module")
def ray():
    installed("ray", "ray")
    import ray

    with importing_from_here():
        ray.init(address="local", num_cpus=3, include_dashboard=False, log_to_driver=False, configure_logging=False)
        yield "ray:auto?workers=3"
        ray.shutdown()


@pytest.fixture(scope="module")
def spark():
    installed("pyspark", "spark")
    if shutil.which("java") is None:
        pytest.skip("needs Java")
    from pyspark.sql import SparkSession

    with importing_from_here():
        yield "spark:local[3]"
        SparkSession.builder.getOrCreate().stop()


@pytest.fixture(params=ENGINES)
def engine(request):
    return request.getfixturevalue(request.param)


def test_the_model_is_that_of_one_process(engine, train, valid):
    same(fitted(train, valid, cluster=engine), fitted(train, valid))


def test_a_killed_worker_does_not_change_the_model(engine, train, valid, tmp_path, importable):
    objective = importlib.import_module("own_targets").Fatal(alpha=3, marker=str(tmp_path / "marker"))
    alone = fitted(train, valid, objective=objective)
    (tmp_path / "marker").touch()
    with pytest.warns(UserWarning, match="training goes on from the last checkpoint"):
        model = fitted(
            train, valid, objective=objective, cluster=engine, checkpoint=tmp_path / "kept", checkpoint_every=1
        )
    assert not (tmp_path / "marker").exists()
    same(model, alone)


def test_what_a_worker_refuses_ends_the_training_at_once(engine, folder, tmp_path):
    import riskrank as rr

    shutil.copytree(folder / "train", tmp_path / "train")
    data = rr.ShardedData(tmp_path / "train")
    (tmp_path / "train" / "00002" / "00000.parquet").unlink()
    with pytest.raises(rr.RiskrankError, match=r"00002/00000.parquet: no such file"):
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


def test_how_many_workers_stands_behind_the_address():
    assert address_and_count("spark://host:7077?workers=3") == ("spark://host:7077", 3)
    with pytest.raises(ParameterError, match="from 1 to 1024 workers, got 'x'"):
        address_and_count("auto?workers=x")
