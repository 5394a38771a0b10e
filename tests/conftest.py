from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile("project", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("project")

PROJECT = Path(__file__).parent.parent


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """Real data that is not part of the project."""
    folder = Path(os.environ.get("RISKRANK_DATA", PROJECT.parent / "shared" / "data"))
    if not folder.is_dir():
        pytest.skip("needs real data: set RISKRANK_DATA to a folder that holds it")
    return folder


@dataclass(frozen=True)
class Outcome:
    status: int
    out: str
    err: str


@pytest.fixture
def riskrank(tmp_path: Path):
    """The real command, run in a temporary folder."""

    def run(*arguments: object, cwd: Path | None = None) -> Outcome:
        command = [Path(sys.executable).parent / "riskrank", *map(str, arguments)]
        environment = {**os.environ, "COLUMNS": "120", "NO_COLOR": "1", "TERM": "dumb"}
        done = subprocess.run(command, cwd=cwd or tmp_path, capture_output=True, text=True, env=environment)
        return Outcome(done.returncode, done.stdout, done.stderr)

    return run


@pytest.fixture
def example(tmp_path: Path) -> Path:
    """The embedded example's files, unpacked."""
    from riskrank.data.example import save_example

    save_example(tmp_path / "example")
    return tmp_path / "example"
