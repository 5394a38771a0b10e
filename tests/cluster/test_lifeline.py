"""The line between a worker and its driver, with processes that end."""

from __future__ import annotations

import json
import signal
import socket
import subprocess
import sys

import pytest

from riskrank.cluster import lifeline
from riskrank.cluster.launcher import LostWorkerError
from riskrank.cluster.lifeline import Lifelines

from .processes import wait_for

WORKER = """
import json, sys
from riskrank.cluster.lifeline import Lifeline
arguments, rank = json.loads(sys.argv[1])
line = Lifeline(arguments, rank)
line.count(7)
for order in sys.stdin:
    line.done()
    break
"""


class Lines(Lifelines):
    """Of two workers, which are processes of this test."""

    def start(self, rank):
        return subprocess.Popen(
            [sys.executable, "-c", WORKER, json.dumps([self.arguments, rank])], stdin=subprocess.PIPE, text=True
        )


@pytest.fixture
def lines(monkeypatch):
    monkeypatch.setattr(lifeline, "HEARTBEAT", 0.05)
    lines = Lines(2, "127.0.0.1")
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
        wait_for(lambda: lines.look() == 7)
        worker.communicate("done\n")
    assert worker.returncode == 0
    assert lines.look() == 7


def test_a_worker_ends_with_its_driver(lines):
    with lines.start(0) as worker:
        wait_for(lambda: lines.look() == 7)
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
    assert lines.look() == 0  # nobody has come: the engine may have no place yet
    with lines.start(0) as worker:
        wait_for(lambda: 0 in lines.heard)
        monkeypatch.setattr(lifeline, "LATEST", 0.0)
        wait_for(is_lost(lines, "worker 2 of 2 has not begun"))
        worker.kill()


@pytest.mark.parametrize("said", [b"", b"secret 0\n9\n", b"secret", b"\xff" * 5000 + b"\n", b" 1\n", b"{token} 2\n"])
def test_whoever_does_not_know_the_token_is_not_heard(lines, said):
    arguments = lines.arguments
    said = said.replace(b"{token}", str(arguments["token"]).encode())
    with socket.create_connection((arguments["host"], arguments["port"])) as connection:
        connection.sendall(said)
        connection.shutdown(socket.SHUT_WR)
        assert connection.recv(1) == b""
    assert lines.look() == 0
    assert not lines.heard
