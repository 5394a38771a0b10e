"""The steps that change a disk. Nothing else in riskrank makes, writes, moves or removes a file or a folder.

A crash may come between any two of them; tests stop at each, and let each fail.
"""

from __future__ import annotations

import io
import os
from contextlib import suppress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

    from riskrank.typing import PathLike

CHUNK = 1 << 20
NO_LINKS = getattr(os, "O_NOFOLLOW", 0)
NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | NO_LINKS | getattr(os, "O_CLOEXEC", 0)
END = os.O_RDWR | os.O_CREAT | os.O_APPEND | getattr(os, "O_CLOEXEC", 0)


def create(path: PathLike, mode: int = 0o666) -> int:
    """A file that was not there; the mode is the user's, less what their umask takes."""
    return os.open(path, NEW, mode)


def extend(path: PathLike, *, follows: bool = True) -> int:
    """A file, perhaps a new one, to append to and to read; the last part of its path may be a link if it `follows`."""
    return os.open(path, END if follows else END | NO_LINKS, 0o666)


def write(handle: int, content: ReadableBuffer) -> int:
    """Write as much as the system takes at once."""
    return os.write(handle, content)


def allocate(handle: int, size: int) -> None:
    """Make a file this large; where the system can promise it the space, a full disk is told now, not as it is used."""
    if hasattr(os, "posix_fallocate"):
        os.posix_fallocate(handle, 0, size)
    else:
        os.truncate(handle, size)


def cut(handle: int, size: int) -> None:
    """Take back what was written beyond this size."""
    os.truncate(handle, size)


def sync(handle: int) -> None:
    """Have what was written survive a loss of power."""
    os.fsync(handle)


def sync_folder(path: PathLike) -> None:
    """The same for the names in a folder, where the system lets folders be opened."""
    try:
        handle = os.open(path, os.O_RDONLY)
    except OSError:
        return
    try:
        with suppress(OSError):  # of some network file systems
            os.fsync(handle)
    finally:
        os.close(handle)


def allow(handle: int, like: os.stat_result) -> None:
    """Give a file the permissions of another one, and its owner and group where the system lets us."""
    with suppress(OSError, AttributeError):
        os.fchown(handle, like.st_uid, like.st_gid)
    os.fchmod(handle, like.st_mode & 0o777)


def rename(source: PathLike, target: PathLike) -> None:
    """Move a file to its place in one step; what was there is gone."""
    os.replace(source, target)


def remove(path: PathLike) -> None:
    """A file, or a link to one, which may be gone already."""
    with suppress(FileNotFoundError):
        os.unlink(path)


def make_folder(path: PathLike, mode: int = 0o777) -> None:
    """A folder that was not there."""
    os.mkdir(path, mode)


def remove_folder(path: PathLike) -> None:
    """A folder that is empty."""
    os.rmdir(path)


def discard(path: PathLike) -> None:
    """A file or a folder, with all that is in it, that was not finished; links are removed, not followed.

    Several processes may do so at once: what is gone already is no trouble.
    """
    if os.path.isdir(path) and not os.path.islink(path):
        with suppress(FileNotFoundError):
            for name in os.listdir(path):
                discard(os.path.join(path, name))
            remove_folder(path)
    else:
        remove(path)


class NewFile(io.FileIO):
    """A file as it is written, step by step; whoever made the handle closes it."""

    def __init__(self, handle: int) -> None:
        super().__init__(handle, "wb", closefd=False)

    def write(self, content: ReadableBuffer, /) -> int:
        return write(self.fileno(), content)


def stream(handle: int) -> io.BufferedWriter:
    """A file that is written in large steps."""
    return io.BufferedWriter(NewFile(handle), CHUNK)
