"""Lines at the ends of files that several processes write: histories, and summaries of builds."""

from __future__ import annotations

import errno
import os
from contextlib import ExitStack, contextmanager, suppress
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from riskrank.files import disk
from riskrank.files.locks import is_still_there
from riskrank.files.writing import devices_among, tell_device, writing_told

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from riskrank.typing import PathLike

P = TypeVar("P", bound="PathLike")


def append_line(path: PathLike, line: bytes) -> None:
    """Add a line; two processes may do so at once, and a line that was cut off by a crash harms no other."""
    with appended({path: line}):
        pass


@contextmanager
def appended(lines: Mapping[P, bytes]) -> Iterator[None]:
    """A line at the end of each file, which is taken back if anything goes wrong meanwhile; nobody else adds any.

    What devices and pipes were told cannot be taken back: they are told last.
    """
    with ExitStack() as files:
        devices = devices_among(lines)
        for path in sorted(lines.keys() - set(devices), key=str):
            files.enter_context(_appended(path, lines[path]))
        for path in devices:
            tell_device(path, lines[path] + b"\n")
        yield


@contextmanager
def _appended(path: PathLike, line: bytes) -> Iterator[None]:
    with writing_told(path):
        end = _opened(path)
    try:
        with writing_told(path):
            size = end.add(line)
        try:
            yield
        except BaseException:
            end.take_back(size)
            raise
    finally:
        os.close(end.handle)


class _End(NamedTuple):
    """The end of an open file, at which it is our turn; `start` is where that was."""

    path: PathLike
    handle: int
    start: int
    is_new: bool

    def add(self, line: bytes) -> int:
        """Write a line, or nothing; returns the size that the file has then."""
        is_cut_off = self.start > 0 and os.pread(self.handle, 1, self.start - 1) != b"\n"
        whole = (b"\n" if is_cut_off else b"") + line + b"\n"
        try:
            if disk.write(self.handle, whole) < len(whole):
                raise OSError(errno.ENOSPC, "no space left for a whole line")
            disk.sync(self.handle)
        except OSError:
            self.take_back(os.fstat(self.handle).st_size)
            raise
        return self.start + len(whole)

    def take_back(self, size: int) -> None:
        """Leave the file as it was, unless somebody without locks has added to it."""
        with suppress(OSError):  # a disk that fails twice
            if os.fstat(self.handle).st_size == size:
                disk.cut(self.handle, self.start)
                if self.is_new and not self.start:
                    disk.remove(self.path)


def _opened(path: PathLike) -> _End:
    """The end of a file, once nobody else is at it; again, if it was taken back meanwhile."""
    while True:
        is_new = not os.path.lexists(path)
        handle = disk.extend(path)
        try:
            _wait_for_turn(handle)
            if is_still_there(handle, path):
                return _End(path, handle, os.fstat(handle).st_size, is_new)
        except BaseException:
            os.close(handle)
            raise
        os.close(handle)


def _wait_for_turn(handle: int) -> None:
    """Nobody else appends until the file is closed, where the system has such locks."""
    try:
        import fcntl

        fcntl.flock(handle, fcntl.LOCK_EX)
    except (ImportError, OSError):
        pass  # a line is appended by one call, which systems keep together on their own disks
