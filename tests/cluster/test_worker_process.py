"""What is told of a worker's process, whatever becomes of it."""

from __future__ import annotations

import errno
import json
import os
import sys

import pytest

from riskrank.cluster import worker_process
from riskrank.cluster.job_outcome import LostWorkerError, decoded
from riskrank.cluster.worker_process import run_apart
from riskrank.errors import FileError

from .processes import runs, wait_for


@pytest.fixture
def worker(stand_in, monkeypatch):
    """`worker(script)` stands for the program of all workers."""
    monkeypatch.setattr(worker_process, "WAIT", 0.01)
    return stand_in


def test_a_worker_that_is_killed_while_it_writes_its_result_is_lost(worker):
    worker("""printf '{"alive": true}\\n{"result": "{\\\\"files'; kill -9 $$""")
    with pytest.raises(LostWorkerError, match=r"^a worker was killed \(SIGKILL, perhaps for want of memory\)"):
        decoded(run_apart("{}"))


def test_a_worker_that_takes_nothing_in_is_lost_however_large_its_job_is(worker, monkeypatch):
    monkeypatch.setattr(worker_process, "SILENCE", 0.2)
    worker("exec sleep 60", reads=False)
    with pytest.raises(LostWorkerError, match="no sign of life"):
        decoded(run_apart("x" * 1_000_000))


def test_workers_import_what_their_driver_does_and_nothing_from_the_folder_that_they_are_in(tmp_path, monkeypatch):
    (tmp_path / "queue.py").write_text("raise SystemExit(3)")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.path", [place for place in sys.path if place])
    with pytest.raises(FileError, match="the job of a worker"):
        decoded(run_apart("{}"))


def test_what_libraries_print_may_be_of_any_encoding(worker):
    worker(r"""head -c 200000 /dev/zero | tr '\0' '\377' >&2; echo '{"result": "1"}'""")
    assert json.loads(run_apart("{}")) == 1


@pytest.mark.skipif(not os.path.exists("/proc/self/task"), reason="needs Linux's /proc to see the process")
@pytest.mark.parametrize("script", ["""sleep 60 & echo '{"result": "1"}'""", "sleep 60 >/dev/null & exit 1"])
def test_what_a_worker_started_ends_with_it(worker, script, tmp_path):
    worker(script.replace("&", f"& echo $! >{tmp_path}/number;"))
    run_apart("{}")
    started = int((tmp_path / "number").read_text())
    wait_for(lambda: not runs(started))


def test_a_worker_that_the_system_does_not_start_is_lost(monkeypatch):
    def denied(*_, **__):
        raise BlockingIOError(errno.EAGAIN, "Resource temporarily unavailable")

    monkeypatch.setattr("subprocess.Popen", denied)
    with pytest.raises(LostWorkerError, match=r"^a worker cannot be started \(Resource temporarily unavailable\)$"):
        decoded(run_apart("{}"))
