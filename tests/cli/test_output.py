"""Pipes, closed and full outputs: what shells and CI systems do to a command."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

COMMAND = Path(sys.executable).parent / "riskrank"


def shell(command: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PATH": f"{COMMAND.parent}{os.pathsep}{os.environ['PATH']}"}
    return subprocess.run(["bash", "-c", command], cwd=cwd, capture_output=True, text=True, env=environment)


def test_runs_and_qrels_may_come_through_pipes(example, tmp_path):
    plain = shell("riskrank evaluate example/qrels.txt example/bm25.run h=example/hybrid.run", tmp_path)
    for command in (
        "riskrank evaluate <(cat example/qrels.txt) example/bm25.run h=<(gzip -c example/hybrid.run)",
        "cat example/hybrid.run | riskrank evaluate example/qrels.txt example/bm25.run h=-",
    ):
        piped = shell(command, tmp_path)
        assert (piped.returncode, piped.stdout, piped.stderr) == (0, plain.stdout, "")


def test_a_reader_that_leaves_early_is_no_failure_of_the_gate(example, tmp_path):
    gate = "riskrank gate example/qrels.txt example/hybrid.run -b example/bm25.run --json"
    done = shell(f"set -o pipefail; {gate} | true", tmp_path)
    assert done.returncode in (0, 141)
    assert done.stderr == ""


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_full_disk_is_status_2(example, tmp_path):
    done = shell("riskrank gate example/qrels.txt example/hybrid.run -b example/bm25.run > /dev/full", tmp_path)
    assert done.returncode == 2
    assert done.stderr == "riskrank: cannot write the output (No space left on device).\n"


def test_a_closed_stdout_is_no_traceback(example, tmp_path):
    done = shell("riskrank gate example/qrels.txt example/hybrid.run -b example/bm25.run >&-", tmp_path)
    assert done.returncode == 0
    assert "Traceback" not in done.stderr


def test_swapped_arguments_get_a_hint(example, tmp_path):
    done = shell("riskrank evaluate example/bm25.run example/neural.run", tmp_path)
    assert done.returncode == 2
    assert "It looks like a run: qrels come first." in done.stderr
    done = shell("riskrank evaluate example/qrels.txt example/qrels.txt", tmp_path)
    assert "It looks like qrels, a run is needed." in done.stderr


def test_an_input_is_never_overwritten(example, tmp_path):
    before = (tmp_path / "example" / "hybrid.run").read_text()
    evaluate = "riskrank evaluate example/qrels.txt example/bm25.run x=example/hybrid.run"
    gate = "riskrank gate example/qrels.txt example/hybrid.run -b example/bm25.run"
    for command in (
        f"{evaluate} -o example/hybrid.run",
        f"{evaluate} --html example/hybrid.run",
        f"{gate} --junit example/hybrid.run",
    ):
        done = shell(command, tmp_path)
        assert (done.returncode, done.stdout) == (2, "")
        assert "is one of the inputs" in done.stderr
    assert (tmp_path / "example" / "hybrid.run").read_text() == before
