"""The line between a worker and its driver, with processes that end."""

from __future__ import annotations

import json
import math
import signal
import socket
import subprocess
import sys
import threading
from types import SimpleNamespace

import pytest

from riskrank.cluster import lifeline
from riskrank.cluster.job_outcome import LostWorkerError
from riskrank.cluster.lifeline import Lifelines
from riskrank.errors import TrainingError
from riskrank.rankers.fitting.interruption import stop_in_threads

from .processes import PATIENCE, wait_for

WORKER = """
import json, sys
from riskrank.cluster import lifeline
lifeline.HEARTBEAT = 0.05
arguments, rank = json.loads(sys.argv[1])
line = lifeline.Lifeline(arguments, rank)
line.count(7)
sys.stdin.read()
line.done()
"""


class Lines(Lifelines):
    """Of two workers, which are processes of this test; a worker whose input ends is done."""

    def start(self, rank):
        return subprocess.Popen(
            [sys.executable, "-c", WORKER, json.dumps([self.arguments, rank])],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        )  # fmt: skip


@pytest.fixture
def lines():
    lines = Lines(2, "127.0.0.1")
    yield lines
    lines.close()


@pytest.fixture
def own_jobs():
    """Lines of workers that do not know each other."""
    lines = Lines(2, "127.0.0.1", begin_together=False)
    yield lines
    lines.close()


def is_lost(lines, message):
    def said():
        try:
            lines.look()
        except LostWorkerError as lost:
            assert message in str(lost)
            return True
        return False

    return said


def test_the_driver_hears_how_far_its_workers_are_until_they_are_done(lines, monkeypatch):
    monkeypatch.setattr(lifeline, "GONE", 0.0)
    with lines.start(0) as worker:
        wait_for(lambda: lines.n_steps == 7)
        worker.communicate()
    assert worker.returncode == 0
    wait_for(lambda: not lines.heard[0].is_open)
    lines.look()


def test_a_worker_ends_with_its_driver(lines):
    with lines.start(0) as worker:
        wait_for(lambda: lines.n_steps == 7)
        lines.close()
        assert worker.wait() == -signal.SIGKILL


def test_a_worker_that_is_cut_off_is_lost(lines, monkeypatch):
    monkeypatch.setattr(lifeline, "GONE", 0.0)
    with lines.start(1) as worker:
        worker.kill()
        worker.wait()
    with lines.start(1) as worker:
        wait_for(lambda: 1 in lines.heard)
        worker.kill()
    wait_for(is_lost(lines, "worker 2 of 2 was cut off"))


def test_a_worker_that_stops_is_lost(lines, monkeypatch):
    with lines.start(1) as worker:
        wait_for(lambda: 1 in lines.heard)
        worker.send_signal(signal.SIGSTOP)
        monkeypatch.setattr(lifeline, "SILENCE", 0.2)
        wait_for(is_lost(lines, "worker 2 of 2 has given no sign of life"))
        worker.kill()


def test_a_worker_that_does_not_come_after_the_others_is_lost(lines, monkeypatch):
    lines.look()  # nobody has come: the engine may have no place yet
    with lines.start(0) as worker:
        wait_for(lambda: 0 in lines.heard)
        monkeypatch.setattr(lifeline, "LATEST", 0.0)
        wait_for(is_lost(lines, "worker 2 of 2 has not begun"))
        worker.kill()


def test_a_worker_waits_longer_for_its_others_than_the_driver_does():
    """So that the driver says which of them does not come."""
    from riskrank.rankers.trees.collective.xgboost_peers import LONGEST_WAIT

    assert lifeline.LATEST < LONGEST_WAIT


def test_workers_with_jobs_of_their_own_may_wait_for_a_place(own_jobs, monkeypatch):
    monkeypatch.setattr(lifeline, "LATEST", 0.0)
    monkeypatch.setattr(lifeline, "GONE", 0.0)
    with own_jobs.start(1) as worker:
        worker.communicate()
    wait_for(lambda: 1 in own_jobs.heard and not own_jobs.heard[1].is_open)
    own_jobs.look()


@pytest.mark.parametrize("is_open", [True, False])
def test_whoever_works_alone_and_is_lost_does_not_end_the_others(own_jobs, is_open):
    own_jobs.heard[0] = long_ago = lifeline._Heard(-math.inf, is_open)
    with own_jobs.start(1) as worker:
        wait_for(lambda: 1 in own_jobs.heard)
        own_jobs.look()
        worker.communicate()
    wait_for(lambda: not own_jobs.heard[1].is_open)
    with pytest.raises(LostWorkerError, match="worker 1 of 2"):  # the engine says nothing of it, and nobody is at work
        own_jobs.look()
    own_jobs.end(0)
    own_jobs.look()
    assert own_jobs.heard[0] is long_ago


LEFT = """
import json, sys
from riskrank.cluster import lifeline
from riskrank.cluster.job_outcome import LostWorkerError
lifeline.end_at_once = lambda: None
line = lifeline.Lifeline(*json.loads(sys.argv[1]))
sys.stdin.read()
try:
    while True:
        line.say(lifeline.MEETING)
except LostWorkerError as error:
    print(error)
"""


def test_a_worker_that_has_something_to_say_when_its_driver_is_gone_is_lost(lines, monkeypatch):
    monkeypatch.setattr(sys.modules[__name__], "WORKER", LEFT)
    with lines.start(0) as worker:
        wait_for(lambda: 0 in lines.heard)
        lines.close()
        assert worker.communicate()[0].startswith("a worker lost the driver (")


def test_whoever_looks_hears_of_an_interruption(lines):
    stop_in_threads.set()
    try:
        with pytest.raises(KeyboardInterrupt):
            lines.look()
    finally:
        stop_in_threads.clear()


def test_an_address_that_is_not_of_this_machine_is_told():
    with pytest.raises(TrainingError, match=r"^workers cannot reach the driver: nothing can listen at 192.0.2.1 \("):
        Lifelines(1, "192.0.2.1")


@pytest.mark.parametrize("said", [b"", b"secret 0\n9\n", b"secret", b"\xff" * 5000 + b"\n", b" 1\n", b"{token} 2\n"])
def test_whoever_does_not_know_the_token_is_not_heard(lines, said):
    arguments = lines.arguments
    said = said.replace(b"{token}", str(arguments["token"]).encode())
    with socket.create_connection((arguments["host"], arguments["port"])) as connection:
        connection.sendall(said)
        connection.shutdown(socket.SHUT_WR)
        assert connection.recv(1) == b""
    lines.look()
    assert not lines.heard


def test_whoever_says_nothing_is_not_waited_for(lines, monkeypatch):
    monkeypatch.setattr(lifeline, "TOKEN_WAIT", 0.05)
    with socket.create_connection((lines.arguments["host"], lines.arguments["port"]), timeout=PATIENCE) as connection:
        assert connection.recv(1) == b""


def test_whoever_has_said_nothing_yet_is_let_go_at_the_end(lines, monkeypatch):
    monkeypatch.setattr(lifeline, "TOKEN_WAIT", PATIENCE)
    before = threading.active_count()
    with socket.create_connection(
        (lines.arguments["host"], lines.arguments["port"]), timeout=PATIENCE / 2
    ) as connection:
        wait_for(lambda: threading.active_count() > before)
        lines.close()
        assert connection.recv(1) == b""


def test_a_worker_that_comes_at_the_end_is_not_kept(lines):
    said = iter([f"{lines.arguments['token']} 0", ""])
    lines.close()
    lines.follow(SimpleNamespace(connection=None, line=lambda: next(said)))
    assert not lines.heard
