"""Opening what users hand us: files that are plain or packed, here or elsewhere, with errors that name the file."""

from __future__ import annotations

import os
import zlib
from contextlib import contextmanager
from typing import IO, TYPE_CHECKING

from riskrank.data.opening.packed_streams import LONGEST_MAGIC, packing_of, unpacked
from riskrank.data.opening.remote_files import is_remote, remote_file
from riskrank.errors import FileError
from riskrank.files.reading import check_regular

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from riskrank.typing import PathLike

UTF8_BOM = b"\xef\xbb\xbf"
ZLIB = (b"\x78\x01", b"\x78\x9c", b"\x78\xda")  # Polars would unpack it by itself; no text begins like this
HEAD = 1 << 16  # bytes that tell what a file is
READ_AT_ONCE = 1 << 18  # bytes


@contextmanager
def opened(path: PathLike) -> Iterator[IO[bytes]]:
    """The file's bytes, unpacked where it is packed (told by content, not by name)."""
    with reading_told(path), _raw(path) as raw:
        new_member = packing_of(_beginning(raw))
        yield raw if new_member is None else unpacked(path, raw, new_member)


def is_packed(path: PathLike) -> bool:
    """Is it packed by gzip, bzip2, xz or Zstandard? Told by content."""
    with reading_told(path), _raw(path) as raw:
        return packing_of(_beginning(raw)) is not None


def check_is_there(path: PathLike) -> None:
    """Refuse a path where nothing can be read, before what takes longer."""
    with reading_told(path), _raw(path):
        pass


@contextmanager
def _raw(path: PathLike) -> Iterator[IO[bytes]]:
    if is_remote(path):
        with remote_file(path) as file:
            yield file
        return
    check_regular(path, os.stat(path))
    with open(path, "rb") as file:
        yield file


def _beginning(file: IO[bytes]) -> bytes:
    head = file.read(LONGEST_MAGIC)
    file.seek(0)
    return head


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


def read_file(path: PathLike) -> bytes:
    """All bytes of a file, whatever they are."""
    with opened(path) as file:
        return file.read()


def read_bytes(path: PathLike, size: int = -1) -> bytes:
    """The text of a file (or its first bytes), which must not be empty and must look like text."""
    with opened(path) as file:
        head = file.read(HEAD if size < 0 else size)
        check_text(path, head[:HEAD])  # first, since a file of nothing but holes may be larger than memory
        rest = iter(lambda: file.read(READ_AT_ONCE), b"") if size < 0 else ()
        return b"".join((head, *rest)).removeprefix(UTF8_BOM)


def read_lines_in_parts(path: PathLike, size: int) -> Iterator[bytes]:
    """The text of a file, which must not be empty, in parts of about this size that end where lines do.

    Their memory is used again and again; that of a whole file is new each time, which takes half as long as unpacking.
    """
    with opened(path) as file:
        head = file.read(HEAD)
        check_text(path, head)
        pieces = [head.removeprefix(UTF8_BOM)]
        while piece := file.read(READ_AT_ONCE):
            end = piece.rfind(b"\n") + 1 if len(pieces) * READ_AT_ONCE >= size else 0
            if end:
                yield b"".join((*pieces, piece[:end]))
                pieces.clear()
            pieces.append(piece[end:])
    if rest := b"".join(pieces):
        yield rest


def read_head(path: PathLike) -> bytes:
    """Enough of a file to tell what it is."""
    return read_bytes(path, HEAD)


def whole_lines(pieces: Iterable[bytes]) -> Iterator[bytes]:
    """The same text in pieces that end where lines do, as many lines together as there are, but for the last line.

    >>> list(whole_lines([b"a\\nb", b"c", b"d\\ne\\nf"]))
    [b'a\\n', b'bcd\\ne\\n', b'f']
    """
    unended: list[bytes] = []  # joined once, as a line may be as long as the file
    for piece in pieces:
        end = piece.rfind(b"\n") + 1
        if end:
            yield b"".join([*unended, piece[:end]])
            unended = []
        unended.append(piece[end:])
    if rest := b"".join(unended):
        yield rest


def check_text(path: PathLike, head: bytes) -> None:
    """Refuse empty and binary files."""
    if not head.removeprefix(UTF8_BOM).strip():
        raise FileError(path, "is empty.")
    if head.startswith(ZLIB) or packing_of(head) is not None:
        raise FileError(path, "is compressed in a way that is not read here. Unpack it, or use gzip once.")
    if b"\0" in head:
        raise FileError(path, "is a binary file, text is needed.")
