"""What is told of a worker's process, whatever becomes of it."""

from __future__ import annotations

import json

import pytest

from riskrank.cluster import worker_process
from riskrank.cluster.launchers.launcher import LostWorkerError
from riskrank.cluster.worker_process import decoded, run_apart


@pytest.fixture
def worker(stand_in, monkeypatch):
    """`worker(script)` stands for the program of all workers."""
    monkeypatch.setattr(worker_process, "WAIT", 0.01)
    return stand_in


def test_a_worker_that_is_killed_while_it_writes_its_result_is_lost(worker):
    worker("""printf '{"alive": true}\\n{"result": "{\\\\"files'; kill -9 $$""")
    with pytest.raises(LostWorkerError, match=r"^a worker was killed \(SIGKILL, perhaps for want of memory\)"):
        decoded(run_apart("{}"))


def test_what_libraries_print_may_be_of_any_encoding(worker):
    worker(r"""head -c 200000 /dev/zero | tr '\0' '\377' >&2; echo '{"result": "1"}'""")
    assert json.loads(run_apart("{}")) == 1
