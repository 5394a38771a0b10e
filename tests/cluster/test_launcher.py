"""What is said of a cluster: engines by their addresses, how many workers, and what is told where there is none."""

from __future__ import annotations

import socket

import pytest

from riskrank import __version__
from riskrank.cluster.job_outcome import LostWorkerError
from riskrank.cluster.launchers.launcher import (
    SharedEngine,
    address_and_count,
    check_answers,
    engine_line,
    launcher_for,
    lost_by,
)
from riskrank.cluster.launchers.local_launcher import LocalLauncher
from riskrank.errors import ParameterError

from .conftest import installed


@pytest.mark.parametrize("cluster", ["moon:1", "local:many", "local:-1", "local:99999", object(), 3])
def test_what_is_no_cluster_is_refused(cluster):
    with pytest.raises(ParameterError, match="cluster must (be|have)"):
        launcher_for(cluster)


@pytest.mark.parametrize("cluster", ["dask:", "spark:", "local:0", "spark:local?workers=0", "ray:auto?workers=-1"])
def test_an_address_that_cannot_be_is_refused_before_anything_starts(cluster):
    if cluster.startswith("dask"):
        installed("distributed", "dask")
    if cluster.startswith("spark"):
        installed("pyspark", "spark")
    with pytest.raises(ParameterError, match="cluster must"):
        launcher_for(cluster)


@pytest.mark.parametrize(
    "address", ["tcp://127.0.0.1:1", "127.0.0.1:1", "spark://127.0.0.1:1", "tls://nowhere.invalid:1"]
)
def test_an_address_at_which_nobody_listens_is_told_before_an_engine_tries_it(address, monkeypatch):
    monkeypatch.setattr("riskrank.cluster.launchers.launcher.FIRST_ANSWER", 0.1)
    with pytest.raises(ParameterError, match=rf"^there is no engine at {address} \(.+\)\.$"):
        check_answers("engine", address)


@pytest.mark.parametrize("address", ["auto", "local[2]", "yarn", "spark://one:7077,two:7077", "k8s://https://host:443"])
def test_what_only_an_engine_understands_is_left_to_it(address):
    check_answers("engine", address)


def test_an_address_at_which_somebody_listens_is_left_to_the_engine():
    with socket.create_server(("127.0.0.1", 0)) as server:
        check_answers("engine", f"127.0.0.1:{server.getsockname()[1]}")


def test_a_dask_scheduler_that_does_not_answer_is_told_in_one_line(monkeypatch):
    installed("distributed", "dask")
    monkeypatch.setattr("riskrank.cluster.launchers.launcher.FIRST_ANSWER", 0.1)
    with pytest.raises(ParameterError, match=r"there is no Dask scheduler at tcp://127.0.0.1:1 \(.*\)\.$"):
        launcher_for("dask:tcp://127.0.0.1:1")


def test_of_what_java_says_the_cause_is_told():
    said = (
        "An error occurred while calling None.SparkSession.\n: Exception: failed\nCaused by: refused: host:7077\n\tat"
    )
    assert engine_line(RuntimeError(said)) == "refused: host:7077"
    assert engine_line(RuntimeError("one\ntwo")) == "one"
    assert engine_line(RuntimeError()) == "RuntimeError"


def test_whoever_leaves_a_shared_engine_last_closes_it_if_it_was_not_there_before():
    closed = []
    engine = SharedEngine("Ray")
    for there in (None, ("engine", "10.0.0.5:6379")):
        assert engine.join("head:6379", lambda there=there: there, lambda: "engine") == "engine"
    for expected in ([], [True]):
        engine.leave(lambda: closed.append(True))
        assert closed == expected
    engine.join("10.0.0.5:6379", lambda: ("of somebody else", "10.0.0.5:6379"), pytest.fail)
    engine.leave(lambda: closed.append(False))
    assert closed == [True]


def test_an_engine_that_a_process_has_is_not_taken_for_one_elsewhere():
    engine = SharedEngine("Ray")
    with pytest.raises(ParameterError, match="has Ray at 10.0.0.5:6379, and cannot have it at head:6379 as well. Name"):
        engine.join("head:6379", lambda: ("engine", "10.0.0.5:6379"), pytest.fail)
    engine.join("head:6379", lambda: None, lambda: "engine")
    with pytest.raises(ParameterError, match="has Ray at"):
        engine.join("other:6379", lambda: ("engine", "10.0.0.5:6379"), pytest.fail)


def test_how_many_workers_stands_behind_the_address():
    assert address_and_count("spark://host:7077?workers=3") == ("spark://host:7077", 3)
    for count in ("x", "0", "1025", "0000010249", "9" * 5000):
        for said in (lambda text: address_and_count(f"auto?workers={text}"), LocalLauncher.named):
            with pytest.raises(ParameterError, match="from 1 to 1024 workers, got"):
                said(count)


@pytest.mark.parametrize("module", ["riskrank", "riskrank.cluster"])
def test_workers_without_riskrank_are_not_lost_but_cannot_begin(module):
    said = RuntimeError(f"The function failed to import\n  File ...\nModuleNotFoundError: No module named '{module}'\n")
    refused = lost_by("Ray", said)
    assert isinstance(refused, ParameterError)
    assert str(refused).endswith(f"Install riskrank {__version__} where they run.")
    assert isinstance(lost_by("Ray", RuntimeError("No module named 'numpy'")), LostWorkerError)
