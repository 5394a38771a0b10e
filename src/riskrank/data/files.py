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
from typing import IO, TYPE_CHECKING, TypeVar

from riskrank.errors import FileError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    import polars as pl
    from _typeshed import WriteableBuffer as Buffer

    from riskrank.typing import PathLike

P = TypeVar("P", bound="PathLike")
GZIP_MAGIC = b"\x1f\x8b"
UTF8_BOM = b"\xef\xbb\xbf"
# What else Polars would unpack by itself: gzip (inside gzip), zlib and Zstandard; no text begins like them.
PACKED = (GZIP_MAGIC, b"\x78\x01", b"\x78\x9c", b"\x78\xda", b"\x28\xb5\x2f\xfd")
HEAD = 1 << 16  # bytes that tell what a file is

UNPACKED_AT_ONCE = 1 << 20  # bytes
HARMLESS = 1 << 26  # bytes that anything may unpack to
MOST_UNPACKED = 250  # times the packed size: text packs to a tenth, zeros to a thousandth
ANY_SIZE = "RISKRANK_ANY_SIZE"  # the variable that lifts this limit


@contextmanager
def opened(path: PathLike) -> Iterator[IO[bytes]]:
    """The file's bytes, decompressed when it is gzip (told by content, not by name)."""
    with reading_told(path):
        check_regular(path)
        with open(path, "rb") as raw:
            if raw.peek(2)[:2] == GZIP_MAGIC:
                with gzip.open(raw, "rb") as unpacked:
                    yield io.BufferedReader(_Unpacked(path, raw, unpacked), UNPACKED_AT_ONCE)
            else:
                yield raw


def is_gzip(path: PathLike) -> bool:
    """Is it compressed by gzip? Told by content."""
    with reading_told(path):
        check_regular(path)
        with open(path, "rb") as raw:
            return raw.read(2) == GZIP_MAGIC


def check_regular(path: PathLike) -> None:
    """Refuse pipes, devices, sockets and folders, which may never end or never begin."""
    mode = os.stat(path).st_mode
    if stat.S_ISDIR(mode):
        raise FileError(path, "is a directory, a file is needed.")
    if not stat.S_ISREG(mode):
        raise FileError(path, "is a pipe or device, which cannot be read twice. Save it to a file first.")


@contextmanager
def reading_told(path: PathLike) -> Iterator[None]:
    """Trouble of the system, as a message that names the file."""
    try:
        yield
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise FileError(path, f"cannot be decompressed ({error}). Copy or compress it again.") from None
    except OSError as error:
        if error.filename not in (None, path, os.fspath(path)):
            raise  # some other file's trouble
        if isinstance(error, FileNotFoundError):
            is_pipe = os.fspath(path) == "-"  # as shells' users write it
            reason = "standard input is not read here. Save it to a file first." if is_pipe else "no such file."
            raise FileError(path, reason) from None
        raise FileError(path, f"cannot be read ({error.strerror or error}).") from None


class _Unpacked(io.RawIOBase):
    """What gzip unpacks, as long as it is no bomb."""

    def __init__(self, path: PathLike, packed: IO[bytes], unpacked: gzip.GzipFile) -> None:
        self._path = path
        self._packed = packed
        self._unpacked = unpacked
        self._done = 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Buffer) -> int:
        size = self._unpacked.readinto(buffer)
        self._done += size
        check_unpacked(self._path, self._done, self._packed.tell())
        return size

    def readall(self) -> bytes:
        """A part at a time, so that a bomb is told long before memory is full."""
        parts = []
        while part := self.read(UNPACKED_AT_ONCE):
            parts.append(part)
        return b"".join(parts)


def check_unpacked(path: PathLike, unpacked: int, packed: int) -> None:
    """Refuse what unpacks to far more than it is, unless the user knows why."""
    if unpacked > HARMLESS and unpacked > MOST_UNPACKED * packed and not os.environ.get(ANY_SIZE):
        so_far = f"{packed:,} bytes become {unpacked:,}"
        raise FileError(path, f"unpacks to more than files of data do ({so_far}). If it is right, set {ANY_SIZE}=1.")


def read_file(path: PathLike) -> bytes:
    """All bytes of a file, whatever they are."""
    with opened(path) as file:
        return file.read()


def read_bytes(path: PathLike, size: int = -1) -> bytes:
    """The text of a file (or its first bytes), which must not be empty and must look like text."""
    with opened(path) as file:
        head = file.read(HEAD if size < 0 else size)
        check_text(path, head[:HEAD])  # first, since a file of nothing but holes may be larger than memory
        rest = file.read() if size < 0 else b""
    return (head + rest if rest else head).removeprefix(UTF8_BOM)


def read_head(path: PathLike) -> bytes:
    """Enough of a file to tell what it is."""
    return read_bytes(path, HEAD)


def check_text(path: PathLike, head: bytes) -> None:
    """Refuse empty and binary files."""
    if not head.removeprefix(UTF8_BOM).strip():
        raise FileError(path, "is empty.")
    if head.startswith(PACKED):
        raise FileError(path, "is compressed in a way that is not read here. Unpack it, or use gzip once.")
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
