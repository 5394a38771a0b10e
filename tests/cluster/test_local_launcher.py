"""Workers as processes, which are killed, stopped and left alone for real."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import threading

import pytest

from riskrank.cluster import lifeline, worker_process
from riskrank.cluster.job_outcome import LostWorkerError, check_done
from riskrank.cluster.launchers.local_launcher import LocalLauncher
from riskrank.cores import divided_cores
from riskrank.rankers.fitting.checkpoint import NAME

from .conftest import SMALL, fitted, same
from .processes import children_of, runs, wait_for

LONG = {"n_trees": 60, "learning_rate": 0.05}
LONG_SILENCE = 300.0  # seconds, which no machine takes, however busy it is


class Stopped(LocalLauncher):
    """Two processes; once there is a checkpoint, one of them is stopped, and not waited for long. The next two are."""

    def __init__(self, checkpoint, patch):
        super().__init__(2)
        self.checkpoint, self.patch = checkpoint, patch
        self.runs, self.has_stopped = 0, False

    def run(self, jobs, look):
        def watch():
            if (self.checkpoint / NAME).exists() and not self.has_stopped:
                self.has_stopped = True
                os.kill(self.processes[1].pid, signal.SIGSTOP)
                self.patch.setattr(worker_process, "SILENCE", 4.0)
            look()

        self.has_stopped, self.runs = self.runs > 0, self.runs + 1
        self.patch.setattr(worker_process, "SILENCE", LONG_SILENCE)
        return super().run(jobs, watch)


@pytest.fixture(scope="module")
def alone(train, valid):
    return fitted(train, valid, **LONG)


def test_a_worker_that_hangs_is_killed_and_replaced(train, valid, alone, tmp_path, monkeypatch):
    place = tmp_path / "checkpoint"
    with pytest.warns(UserWarning, match="no sign of life for 4 seconds; training goes on from the last checkpoint"):
        model = fitted(train, valid, **LONG, cluster=Stopped(place, monkeypatch), checkpoint=place, checkpoint_every=1)
    same(model, alone)


class Stranger(LocalLauncher):
    """Two processes; before the first two somebody comes to where they meet, and says nothing.

    Nobody waits long for these to meet.
    """

    silent = None

    def __init__(self, patch):
        super().__init__(2)
        self.patch = patch

    def run(self, jobs, look):
        self.patch.setattr(lifeline, "LONGEST_MEETING", 4.0 if self.silent is None else LONG_SILENCE)
        if self.silent is None:
            tracker = json.loads(jobs[0])["tracker"]
            self.silent = socket.create_connection((tracker["dmlc_tracker_uri"], tracker["dmlc_tracker_port"]))
        return super().run(jobs, look)


def test_a_silent_stranger_holds_nobody_up_for_long(train, valid, alone, monkeypatch):
    launcher = Stranger(monkeypatch)
    with pytest.warns(UserWarning, match="not found each other in 4 seconds; training begins anew"):
        model = fitted(train, valid, **LONG, cluster=launcher)
    launcher.silent.close()
    same(model, alone)


DRIVER = """
import sys
import riskrank as rr
train, valid, checkpoint = sys.argv[1:]
ranker = rr.LambdaMART(rr.URisk(alpha=3), **{options})
ranker.fit(
    rr.ShardedData(train), valid=rr.ShardedData(valid), baseline=[rr.Feature(1), rr.Feature(2)], cluster="local:2",
    checkpoint=checkpoint, checkpoint_every=1,
)
"""


@pytest.mark.skipif(not os.path.exists("/proc/self/task"), reason="needs Linux's /proc to find the workers")
def test_workers_end_when_their_driver_is_killed_and_the_same_call_goes_on(train, valid, alone, tmp_path):
    place = tmp_path / "checkpoint"
    script = DRIVER.replace("{options}", repr({**SMALL, **LONG}))
    driver = subprocess.Popen([sys.executable, "-c", script, train.folder, valid.folder, place])
    wait_for((place / NAME).exists)
    workers = children_of(driver.pid)
    assert len(workers) == 3  # one of them is the tracker
    driver.kill()
    driver.wait()
    wait_for(lambda: not any(map(runs, workers)))
    same(fitted(train, valid, **LONG, checkpoint=place, resume=True), alone)


class Watching(LocalLauncher):
    """Two processes, whose cores are looked at as soon as they have begun."""

    cores = None

    def run(self, jobs, look):
        def watch():
            self.cores = self.cores or [os.sched_getaffinity(process.pid) for process in self.processes]
            look()

        return super().run(jobs, watch)


@pytest.mark.skipif(not divided_cores(2)[0], reason="needs two cores, and Linux")
def test_workers_that_train_together_have_cores_of_their_own(train):
    launcher = Watching(2)
    fitted(train, cluster=launcher)
    assert launcher.cores == divided_cores(2)


def test_of_jobs_that_do_not_know_each_other_a_lost_one_does_not_end_the_others(stand_in):
    stand_in("""case $job in die) kill -9 $$;; esac; echo '{"result": "done"}'""")
    results = {}
    LocalLauncher(2).map(["die", "live"], lambda: None, results.__setitem__, 1)
    assert results[1] == "done"
    with pytest.raises(LostWorkerError, match="was killed"):
        check_done(results[0])


def test_two_trainings_at_once_do_not_know_each_other(train, valid, alone):
    models = []
    other = threading.Thread(target=lambda: models.append(fitted(train, valid, **LONG, cluster="local:2")))
    other.start()
    models.append(fitted(train, valid, **LONG, cluster="local:2"))
    other.join()
    for model in models:
        same(model, alone)
