"""Single files: written beside their place, which they take when all is there."""

from __future__ import annotations

import io
import os
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import IO, TYPE_CHECKING, TypeVar

from riskrank.errors import FileError
from riskrank.files import disk
from riskrank.files.processes import Process

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    import polars as pl

    from riskrank.typing import PathLike

P = TypeVar("P", bound="PathLike")
MARK = ".riskrank-"  # in the names of files that are not finished
LONGEST = 150  # bytes of a name in that of its unfinished file; systems allow 255


def write_atomically(path: PathLike, content: str | bytes) -> None:
    """Write a file so that nobody sees half of it; devices and pipes are written to."""
    with written_together({path: content}):
        pass


@contextmanager
def written_together(contents: Mapping[P, str | bytes]) -> Iterator[None]:
    """Files that appear together, after all that is done meanwhile, or not at all if anything goes wrong."""
    with ExitStack() as places:
        devices = devices_among(contents)
        for path in (path for path in contents if path not in devices):
            file = places.enter_context(new_file(path))
            file.write(as_bytes(contents[path]))
            file.flush()
            disk.sync(file.fileno())  # a full disk is told before anything else is done
        for path in devices:
            tell_device(path, as_bytes(contents[path]))
        yield


def devices_among(paths: Iterable[P]) -> list[P]:
    """Devices and pipes, which nothing can take the place of."""
    return [path for path in paths if os.path.exists(path) and not os.path.isfile(path)]


def tell_device(path: PathLike, content: bytes) -> None:
    """Write to a device or a pipe, which cannot be taken back."""
    with writing_told(path), open(path, "wb") as device:
        device.write(content)


@contextmanager
def new_file(path: PathLike) -> Iterator[IO[bytes]]:
    """A file to write to, which takes its place when all is written; it vanishes if anything goes wrong.

    Where there was a file, the new one has its permissions. Links to files are followed.
    """
    place = Path(os.path.realpath(path))
    with writing_told(path):
        clean_up(place)
        former = os.stat(place) if place.exists() else None
        temporary = place.with_name(unfinished_name(place.name))
        handle = disk.create(temporary, 0o666 if former is None else 0o600)
        try:
            try:
                with disk.stream(handle) as file:
                    yield file
                if former is not None:
                    disk.allow(handle, former)
                disk.sync(handle)
            finally:
                os.close(handle)
            disk.rename(temporary, place)
            disk.sync_folder(place.parent)
        except BaseException:
            disk.remove(temporary)
            raise


def as_parquet(frame: pl.DataFrame, *, is_quick: bool = False) -> bytes:
    """A table as the bytes of a Parquet file; quicker, if it may be a little larger."""
    buffer = io.BytesIO()
    if is_quick:
        frame.write_parquet(buffer, compression_level=1, statistics=False)
    else:
        frame.write_parquet(buffer)
    return buffer.getvalue()


def as_bytes(content: str | bytes) -> bytes:
    """Text as UTF-8."""
    return content if isinstance(content, bytes) else content.encode(errors="replace")


def make_folders(path: PathLike) -> list[Path]:
    """A folder, and those above it, as far as they are missing; returns those that were made, the deepest last."""
    place = Path(os.path.abspath(path))
    made = []
    with writing_told(path):
        for folder in reversed([each for each in (place, *place.parents) if not each.exists()]):
            try:
                disk.make_folder(folder)
                made.append(folder)
            except FileExistsError:  # another thread was faster
                if not folder.is_dir():
                    raise
    return made


def remove_if_empty(folder: Path) -> None:
    """A folder that nothing is in."""
    if folder.is_dir() and not os.listdir(folder):
        disk.remove_folder(folder)


def unfinished_name(name: str) -> str:
    """For a file that is being written, to take this name when it is finished; it tells by which process."""
    start = name.encode(errors="ignore")[:LONGEST].decode(errors="ignore")
    return f".{start}{MARK}{Process.this()}-{os.urandom(4).hex()}"


def is_unfinished(name: str) -> bool:
    """Is it such a name?"""
    return _writer(name) is not None


def is_left_over(name: str) -> bool:
    """Is a file of this name one that a process left behind when it died?"""
    writer = _writer(name)
    return writer is not None and writer.is_dead


def _writer(name: str) -> Process | None:
    start, mark, rest = name.rpartition(MARK)
    return Process.from_text(rest.rpartition("-")[0]) if mark and start.startswith(".") and "/" not in start else None


def clean_up(place: Path) -> None:
    """Remove what processes left behind that died while they wrote this file, as far as the system lets us.

    It may be another user's. That is no reason not to write a file of one's own.
    """
    start = unfinished_name(place.name).partition(MARK)[0] + MARK
    try:
        names = [name for name in os.listdir(place.parent) if name.startswith(start) and is_left_over(name)]
    except OSError:
        return  # whoever writes is told
    for name in names:
        with suppress(OSError):
            disk.discard(place.with_name(name))


def check_writable(path: PathLike) -> None:
    """Refuse a place that cannot be written, before anything else is."""
    place = Path(os.path.realpath(path))
    with writing_told(path):
        if place.is_dir():
            raise FileError(path, "cannot be written (it is a directory).")
        if not place.parent.is_dir():
            raise FileError(path, "cannot be written (there is no such folder).")
        if not os.access(place if place.exists() else place.parent, os.W_OK):
            raise FileError(path, "cannot be written (permission denied).")


@contextmanager
def writing_told(path: PathLike) -> Iterator[None]:
    """Trouble of the system, as a message that names the file."""
    try:
        yield
    except OSError as error:
        raise FileError(path, f"cannot be written ({error.strerror or error}).") from None
