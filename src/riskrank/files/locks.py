"""One process at a time writes to a folder."""

from __future__ import annotations

import errno
import os
import warnings
from contextlib import contextmanager
from dataclasses import dataclass
from threading import RLock
from typing import TYPE_CHECKING

from riskrank.errors import FileError, InUseError
from riskrank.files import disk
from riskrank.files.processes import Process
from riskrank.files.reading import check_own, read_back

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from riskrank.typing import PathLike

LOCK = ".riskrank.lock"
LONGEST = 100  # bytes of the name of a process
WITHOUT_LOCKS = {errno.ENOLCK, errno.EOPNOTSUPP, errno.ENOSYS, errno.EINVAL}


@dataclass
class _Held:
    """A lock of this process, and how many of its parts rely on it."""

    handle: int
    count: int = 0


_held: dict[str, _Held] = {}
_turn = RLock()


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """A folder that no other process writes to meanwhile; all parts of this process share the lock."""
    place = os.path.realpath(folder)
    with _turn:
        lock = _held.get(place) or _Held(_taken(folder))
        _held[place] = lock
        lock.count += 1
    try:
        yield
    finally:
        with _turn:
            lock.count -= 1
            if not lock.count:
                del _held[place]
                try:
                    disk.remove(folder / LOCK)
                finally:
                    os.close(lock.handle)


def is_abandoned(folder: Path) -> bool:
    """Did the process that locked a folder die?"""
    try:
        writer = Process.from_text(read_back(folder / LOCK, largest=LONGEST).decode(errors="replace"))
    except FileError:
        return False
    return writer is not None and writer.is_dead


def _taken(folder: Path) -> int:
    """The lock's file, locked, with the name of this process in it."""
    check_own(folder / LOCK)
    while True:
        handle = disk.extend(folder / LOCK, follows=False)
        try:
            _take(handle, folder)
            if is_still_there(handle, folder / LOCK):
                _sign(handle, folder / LOCK)
                return handle
        except BaseException:
            os.close(handle)
            raise
        os.close(handle)  # whoever had it removed it just now


def _sign(handle: int, path: Path) -> None:
    """Write who has the lock; a new one for which there is no space is not left behind."""
    is_new = not os.fstat(handle).st_size
    try:
        disk.cut(handle, 0)
        disk.write(handle, str(Process.this()).encode())
    except OSError:
        if is_new:
            disk.remove(path)
        raise


def _take(handle: int, folder: Path) -> None:
    """By the system's lock, which ends with its process; else by asking whether the process still runs."""
    try:
        import fcntl
    except ImportError:  # Windows
        return _by_process(handle, folder)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise _in_use(_writer(handle), folder) from None
    except OSError as error:
        if error.errno not in WITHOUT_LOCKS:
            raise
        warnings.warn(f"{folder}: this file system has no locks. Write to it by one process at a time.", stacklevel=2)
        _by_process(handle, folder)


def _by_process(handle: int, folder: Path) -> None:
    writer = _writer(handle)
    if writer is not None and writer != Process.this() and not writer.is_dead:
        raise _in_use(writer, folder)


def _writer(handle: int) -> Process | None:
    return Process.from_text(os.pread(handle, LONGEST, 0).decode(errors="replace"))


def _in_use(writer: Process | None, folder: Path) -> InUseError:
    who = "another process" if writer is None else f"process {writer.number}"
    return InUseError(folder, f"is being written by {who}. Wait until it ends, or choose another place.")


def is_still_there(handle: int, path: PathLike) -> bool:
    """Does the path still lead to the open file? Somebody may have removed or replaced it."""
    try:
        return os.path.samestat(os.fstat(handle), os.stat(path))
    except FileNotFoundError:
        return False
