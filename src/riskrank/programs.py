"""Modules of riskrank as programs, in processes of their own."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from contextlib import suppress


def started(module: str, **settings: str) -> subprocess.Popen[str]:
    """A module that runs as a program, with pipes; it imports what this process does, wherever it found riskrank.

    `settings` are for its environment, where that does not have them.
    """
    return subprocess.Popen(  # noqa: S603 (a module of ours)
        [sys.executable, "-P", "-m", module],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True,
        text=True, errors="replace",  # libraries print what they like
        env={**settings, **os.environ, "PYTHONPATH": _import_path()},
    )  # fmt: skip


def end(program: subprocess.Popen[str]) -> None:
    """At once, whatever it does, and with it all that it started, which holds the other ends of its pipes."""
    with suppress(ProcessLookupError, PermissionError):  # nobody is left; macOS says so by the second
        os.killpg(program.pid, signal.SIGKILL)
    program.wait()


def _import_path() -> str:
    """What this process can import, and nothing else."""
    folders = [folder or os.getcwd() for folder in sys.path] + os.environ.get("PYTHONPATH", "").split(os.pathsep)
    return os.pathsep.join(filter(None, dict.fromkeys(folders)))
