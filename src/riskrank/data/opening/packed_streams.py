"""Packed files as streams of what is in them, as long as they are no bombs: gzip, bzip2, xz and Zstandard."""

from __future__ import annotations

import io
import os
import sys
import zlib
from importlib import import_module
from typing import IO, TYPE_CHECKING, Protocol

from riskrank.errors import FileError

if TYPE_CHECKING:
    from collections.abc import Callable

    from _typeshed import WriteableBuffer as Buffer

    from riskrank.typing import PathLike

GZIP_MAGIC, BZIP2_MAGIC, XZ_MAGIC, ZSTD_MAGIC = b"\x1f\x8b", b"BZh", b"\xfd7zXZ\x00", b"\x28\xb5\x2f\xfd"
BZIP2_BLOCK = b"1AY&SY"  # after the magic and a digit: no text begins so
LONGEST_MAGIC = 10
ENDINGS = (".gz", ".bz2", ".xz", ".zst")  # of the names of packed files

GZIP = 31  # how zlib calls the format
PACKED_AT_ONCE, UNPACKED_AT_ONCE = 1 << 16, 1 << 20  # bytes
LARGEST_DICTIONARY = 1 << 29  # bytes of memory that xz may take
MOST_PADDING = 1 << 22  # bytes of nothing after a member, which tapes and disks fill their blocks with
HARMLESS = 1 << 26  # bytes that anything may unpack to
MOST_UNPACKED = 250  # times the packed size: text packs to a tenth, zeros to a thousandth
ANY_SIZE = "RISKRANK_ANY_SIZE"  # the variable that lifts this limit


class Member(Protocol):
    """A part of a packed file that was packed by itself; a file has one or several."""

    @property
    def eof(self) -> bool:
        """Was all of it unpacked?"""

    @property
    def needs_input(self) -> bool:
        """Is there nothing left to unpack of what it was given?"""

    @property
    def unused_data(self) -> bytes:
        """What it was given beyond its end."""

    def decompress(self, data: bytes, max_length: int, /) -> bytes:
        """Some of what is in it."""


def packing_of(head: bytes) -> Callable[[], Member] | None:
    """What unpacks a file that begins like this; None if it is not packed."""
    if head.startswith(GZIP_MAGIC):
        return _GzipMember
    if head.startswith(BZIP2_MAGIC) and head[4:10] == BZIP2_BLOCK:
        return _bzip2
    if head.startswith(XZ_MAGIC):
        return _xz
    return _zstd if head.startswith(ZSTD_MAGIC) else None


def unpacked(path: PathLike, packed: IO[bytes], new_member: Callable[[], Member]) -> IO[bytes]:
    """The bytes in a packed file; `path` is for messages."""
    return io.BufferedReader(_Unpacked(path, packed, new_member), UNPACKED_AT_ONCE)


def without_ending(name: str) -> str:
    """A file's name without what says that it is packed.

    >>> without_ending("train.txt.zst")
    'train.txt'
    """
    return next((name.removesuffix(ending) for ending in ENDINGS if name.lower().endswith(ending)), name)


def check_unpacked(path: PathLike, unpacked: int, packed: int) -> None:
    """Refuse what unpacks to far more than it is, unless the user knows why."""
    if unpacked > most_unpacked(packed) and not os.environ.get(ANY_SIZE):
        so_far = f"{packed:,} bytes become {unpacked:,}"
        raise FileError(path, f"unpacks to more than files of data do ({so_far}). If it is right, set {ANY_SIZE}=1.")


def most_unpacked(packed: int) -> int:
    """What data of this size may unpack to, in bytes."""
    return max(HARMLESS, MOST_UNPACKED * packed)


class _Unpacked(io.RawIOBase):
    """What is in a packed file; without the copies that Python's own readers make."""

    def __init__(self, path: PathLike, packed: IO[bytes], new_member: Callable[[], Member]) -> None:
        self._path = path
        self._packed = packed
        self._new_member = new_member
        self._member = self._ready_member()
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

    def _ready_member(self) -> Member:
        try:
            return self._new_member()
        except ImportError:
            reason = "is packed by Zstandard, which needs a library: pip install backports.zstd, or unpack it."
            raise FileError(self._path, reason) from None

    def _part(self, most: int) -> bytes:
        """The next bytes, none at the end."""
        part = b""
        while not part:
            waiting = b""
            if self._member.eof:
                waiting = self._next_member()
                if not waiting:
                    return b""
                self._member = self._ready_member()
            elif self._member.needs_input:
                waiting = self._packed.read(PACKED_AT_ONCE)
                if not waiting:
                    raise EOFError("it ends too early")
            try:
                part = self._member.decompress(waiting, most)
            except Exception as error:  # each library has its own
                raise EOFError(str(error) or type(error).__name__) from None
        self._done += len(part)
        check_unpacked(self._path, self._done, self._packed.tell())
        return part

    def _next_member(self) -> bytes:
        """The beginning of the next one, after what may fill a block; none at the end."""
        waiting, n_padding = self._member.unused_data.lstrip(b"\0"), 0
        while not waiting and (more := self._packed.read(PACKED_AT_ONCE)):
            waiting, n_padding = more.lstrip(b"\0"), n_padding + len(more)
            if n_padding > MOST_PADDING:
                raise EOFError("nothing but zeros follows")
        return waiting


class _GzipMember:
    """Zlib's, with what the others have."""

    def __init__(self) -> None:
        self._member = zlib.decompressobj(wbits=GZIP)

    @property
    def eof(self) -> bool:
        return self._member.eof

    @property
    def needs_input(self) -> bool:
        return not self._member.unconsumed_tail

    @property
    def unused_data(self) -> bytes:
        return self._member.unused_data

    def decompress(self, data: bytes, max_length: int, /) -> bytes:
        return self._member.decompress(self._member.unconsumed_tail + data, max_length)


def _bzip2() -> Member:
    from bz2 import BZ2Decompressor

    return BZ2Decompressor()


def _xz() -> Member:
    from lzma import FORMAT_XZ, LZMADecompressor

    return LZMADecompressor(FORMAT_XZ, memlimit=LARGEST_DICTIONARY)


def _zstd() -> Member:
    """Of Python itself from 3.14 on; before, of its backport."""
    name = "compression.zstd" if sys.version_info >= (3, 14) else "backports.zstd"
    member: Member = import_module(name).ZstdDecompressor()
    return member
