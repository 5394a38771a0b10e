"""A process that reads what may be damaged, so that an abort, a hang or a flood of memory ends it and not the tests."""

from __future__ import annotations

import contextlib
import os
import resource
import select
import subprocess
import sys
import traceback
import warnings
from pathlib import Path

PROJECT = Path(__file__).parent.parent.parent
PATIENCE = 60  # seconds after which it hangs; a reading takes a hundredth of one
MEMORY = 8 << 30  # bytes of addresses beyond those of all libraries, which reserve more than they use
READ, TOLD, READY = "read", "told", "ready"
HELD = (READ, TOLD)


class ReadingProcess:
    """Reads by the name of a format, in a folder; what goes wrong is returned as text."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[str] | None = None

    def _started(self) -> subprocess.Popen[str]:
        if self._process is None:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "tests.hostile.reading_process"], cwd=PROJECT, text=True, stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
            )  # fmt: skip
            self._answer(self._process)
        return self._process

    def read(self, name: str, folder: Path) -> str:
        """`READ`, or `TOLD` in one line why not; else what happened."""
        process = self._started()
        process.stdin.write(f"{name}\t{folder}\n")
        process.stdin.flush()
        return self._answer(process)

    def _answer(self, process: subprocess.Popen[str]) -> str:
        if not select.select([process.stdout], [], [], PATIENCE)[0]:
            self.end()
            return "it hangs"
        line = process.stdout.readline()
        if not line:
            status = process.wait()
            self.end()
            return f"the process ended with status {status}"
        return line.rstrip("\n").replace("\\n", "\n")

    def end(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.communicate()
            self._process = None


def limit_memory() -> None:
    used = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (used + MEMORY, used + MEMORY))


def attempt(name: str, folder: Path) -> str:
    from riskrank.errors import RiskrankError
    from tests.hostile.formats import FORMATS

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            FORMATS[name].read(folder)
    except RiskrankError as told:
        if "\n" in str(told) or len(str(told)) > 1200:
            return f"told in several lines, or at length: {told}"
        return TOLD
    except BaseException:
        return traceback.format_exc()
    return READ


def serve() -> None:
    """Answer a line with a line; nothing else is written to standard output."""
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    import lightgbm  # noqa: F401  # libraries are loaded before memory is limited
    import torch  # noqa: F401
    import xgboost  # noqa: F401

    import tests.hostile.formats  # noqa: F401

    with contextlib.suppress(OSError, ValueError):
        limit_memory()
    print(READY, file=answers, flush=True)
    for line in sys.stdin:
        name, _, folder = line.rstrip("\n").partition("\t")
        print(attempt(name, Path(folder)).replace("\n", "\\n"), file=answers, flush=True)


if __name__ == "__main__":
    serve()
