"""Opening what users hand us: plain or gzip files, with errors that name the file."""

from __future__ import annotations

import io
import os
import zlib
from contextlib import contextmanager
from typing import IO, TYPE_CHECKING

from riskrank.errors import FileError
from riskrank.files.reading import check_regular

if TYPE_CHECKING:
    from collections.abc import Iterator

    from _typeshed import WriteableBuffer as Buffer

    from riskrank.typing import PathLike

GZIP_MAGIC = b"\x1f\x8b"
UTF8_BOM = b"\xef\xbb\xbf"
# What else Polars would unpack by itself: gzip (inside gzip), zlib and Zstandard; no text begins like them.
PACKED = (GZIP_MAGIC, b"\x78\x01", b"\x78\x9c", b"\x78\xda", b"\x28\xb5\x2f\xfd")
HEAD = 1 << 16  # bytes that tell what a file is

GZIP = 31  # how zlib calls the format
PACKED_AT_ONCE, UNPACKED_AT_ONCE = 1 << 16, 1 << 20  # bytes
HARMLESS = 1 << 26  # bytes that anything may unpack to
MOST_UNPACKED = 250  # times the packed size: text packs to a tenth, zeros to a thousandth
ANY_SIZE = "RISKRANK_ANY_SIZE"  # the variable that lifts this limit


@contextmanager
def opened(path: PathLike) -> Iterator[IO[bytes]]:
    """The file's bytes, decompressed when it is gzip (told by content, not by name)."""
    with reading_told(path):
        check_regular(path, os.stat(path))
        with open(path, "rb") as raw:
            if raw.peek(2)[:2] == GZIP_MAGIC:
                yield io.BufferedReader(_Unpacked(path, raw), UNPACKED_AT_ONCE)
            else:
                yield raw


def is_gzip(path: PathLike) -> bool:
    """Is it compressed by gzip? Told by content."""
    with reading_told(path):
        check_regular(path, os.stat(path))
        with open(path, "rb") as raw:
            return raw.read(2) == GZIP_MAGIC


@contextmanager
def reading_told(path: PathLike) -> Iterator[None]:
    """Trouble of the system, as a message that names the file."""
    try:
        yield
    except (EOFError, zlib.error) as error:
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
    """What gzip unpacks, as long as it is no bomb; without the copies that Python's own reader makes."""

    def __init__(self, path: PathLike, packed: IO[bytes]) -> None:
        self._path = path
        self._packed = packed
        self._member = zlib.decompressobj(wbits=GZIP)  # a file has one or several
        self._done = 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Buffer) -> int:
        view = memoryview(buffer).cast("B")
        part = self._part(len(view))
        view[: len(part)] = part
        return len(part)

    def readall(self) -> bytes:
        """A part at a time, so that a bomb is told long before memory is full."""
        return b"".join(iter(lambda: self._part(UNPACKED_AT_ONCE), b""))

    def _part(self, most: int) -> bytes:
        """The next bytes, none at the end."""
        part = b""
        while not part:
            waiting = self._member.unconsumed_tail
            if self._member.eof:
                waiting = self._member.unused_data.lstrip(b"\0")  # between members there may be padding
                while not waiting and (more := self._packed.read(PACKED_AT_ONCE)):
                    waiting = more.lstrip(b"\0")
                if not waiting:
                    return b""
                self._member = zlib.decompressobj(wbits=GZIP)
            waiting = waiting or self._packed.read(PACKED_AT_ONCE)
            if not waiting:
                raise EOFError("it ends too early")
            part = self._member.decompress(waiting, most)
        self._done += len(part)
        check_unpacked(self._path, self._done, self._packed.tell() - len(self._member.unconsumed_tail))
        return part


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
