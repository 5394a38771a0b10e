"""A process that dies, or a disk that fails, at the n-th step of what changes the disk."""

from __future__ import annotations

import errno
import os
from contextlib import contextmanager
from unittest.mock import patch

from riskrank.files import disk
from riskrank.files.locks import LOCK
from riskrank.files.processes import Process

STEPS = (
    "create",
    "extend",
    "write",
    "cut",
    "sync",
    "sync_folder",
    "allow",
    "rename",
    "remove",
    "make_folder",
    "remove_folder",
)
DEAD = Process(Process.this().machine, 2**22 + 7, 1)  # beyond the largest number that systems give


class Crash(BaseException):
    """The process is gone: nothing catches it, and nothing is cleaned up after it."""


class Steps:
    """Counts steps; from the n-th on, or at it alone, they fail."""

    def __init__(self, fail_at: int | None = None, error: int | None = None) -> None:
        self.count = 0
        self._fail_at, self._error = fail_at, error

    def take(self) -> None:
        self.count += 1
        if self._fail_at is None or self.count < self._fail_at:
            return
        if self._error is None:
            raise Crash
        if self.count == self._fail_at:
            raise OSError(self._error, os.strerror(self._error))


@contextmanager
def crashing(fail_at: int | None = None, error: int | None = None):
    """All steps counted; at one of them the process dies, or (with an error number) the system fails once."""
    steps = Steps(fail_at, error)

    def counted(function):
        def step(*arguments, **options):
            steps.take()
            return function(*arguments, **options)

        return step

    patches = [patch.object(disk, name, counted(getattr(disk, name))) for name in STEPS]
    patches.append(patch.object(Process, "this", lambda: DEAD))
    for each in patches:
        each.start()
    try:
        yield steps
    except Crash:
        pass
    finally:
        for each in patches:
            each.stop()


def leave_traces(folder) -> None:
    """What a process leaves that dies at work in a folder."""
    folder.mkdir()
    (folder / LOCK).write_text(str(DEAD))


ERRORS = (errno.ENOSPC, errno.EACCES, errno.EIO)
