"""Opening what users hand us: plain or gzip files, with errors that name the file."""

from __future__ import annotations

import gzip
import io
import os
import stat
import tempfile
import zlib
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING, TypeVar, cast

from riskrank.errors import FileError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    import polars as pl

    from riskrank.typing import PathLike

P = TypeVar("P", bound="PathLike")
GZIP_MAGIC = b"\x1f\x8b"
UTF8_BOM = b"\xef\xbb\xbf"
HEAD = 1 << 16  # bytes that tell what a file is


@contextmanager
def opened(path: PathLike) -> Iterator[IO[bytes]]:
    """The file's bytes, decompressed when it is gzip (told by content, not by name)."""
    try:
        if not stat.S_ISREG(os.stat(path).st_mode) and not os.path.isdir(path):
            raise FileError(path, "is a pipe or device, which cannot be read twice. Save it to a file first.")
        with open(path, "rb") as raw:
            if raw.peek(2)[:2] == GZIP_MAGIC:
                with gzip.open(raw, "rb") as unpacked:
                    yield cast("IO[bytes]", unpacked)
            else:
                yield raw
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise FileError(path, f"cannot be decompressed ({error}). Copy or compress it again.") from None
    except OSError as error:
        if error.filename not in (None, path, os.fspath(path)):
            raise  # some other file's trouble
        if isinstance(error, FileNotFoundError):
            is_pipe = os.fspath(path) == "-"  # as shells' users write it
            reason = "standard input is not read here. Save it to a file first." if is_pipe else "no such file."
            raise FileError(path, reason) from None
        if isinstance(error, IsADirectoryError):
            raise FileError(path, "is a directory, a file is needed.") from None
        raise FileError(path, f"cannot be read ({error.strerror or error}).") from None


def read_bytes(path: PathLike, size: int = -1) -> bytes:
    """The text of a file (or its first bytes), which must not be empty and must look like text."""
    with opened(path) as file:
        content = file.read(size)
    check_text(path, content[:HEAD])
    return content.removeprefix(UTF8_BOM)


def read_head(path: PathLike) -> bytes:
    """Enough of a file to tell what it is."""
    return read_bytes(path, HEAD)


def check_text(path: PathLike, head: bytes) -> None:
    """Refuse empty and binary files."""
    if not head.removeprefix(UTF8_BOM).strip():
        raise FileError(path, "is empty.")
    if b"\0" in head:
        raise FileError(path, "is a binary file, text is needed.")


def write_atomically(path: PathLike, content: str | bytes) -> None:
    """Write beside its place and rename, so that nobody sees half a file; devices and pipes are written to."""
    with written_together({path: content}):
        pass


@contextmanager
def written_together(contents: Mapping[P, str | bytes]) -> Iterator[None]:
    """Files that appear together, after all that is done meanwhile, or not at all if anything goes wrong."""
    raw = {path: text if isinstance(text, bytes) else text.encode(errors="replace") for path, text in contents.items()}
    devices = [path for path in raw if os.path.exists(path) and not os.path.isfile(path)]
    with ExitStack() as places:
        for path in (path for path in raw if path not in devices):
            temporary = places.enter_context(written_beside(path))
            Path(temporary).write_bytes(raw[path])
        for path in devices:
            with writing_told(path):
                Path(path).write_bytes(raw[path])
        yield


@contextmanager
def written_beside(path: PathLike) -> Iterator[str]:
    """A file beside its place, which it takes when all is written; it vanishes if anything goes wrong."""
    place = Path(os.path.realpath(path))
    with writing_told(path):
        handle, temporary = tempfile.mkstemp(dir=place.parent, prefix=f".{place.name}.")
        os.close(handle)
        try:
            yield temporary
            os.chmod(temporary, 0o666 & ~umask())
            os.replace(temporary, place)
        finally:
            Path(temporary).unlink(missing_ok=True)


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


def umask() -> int:
    """What new files may not be."""
    mask = os.umask(0)
    os.umask(mask)
    return mask


def write_parquet(path: PathLike, frame: pl.DataFrame) -> None:
    """Write a Parquet file, whole or not at all."""
    buffer = io.BytesIO()
    frame.write_parquet(buffer)
    write_atomically(path, buffer.getvalue())
