"""Opening what users hand us: plain or gzip files, with errors that name the file."""

from __future__ import annotations

import gzip
import os
import stat
import zlib
from contextlib import contextmanager
from typing import IO, TYPE_CHECKING, cast

from riskrank.errors import FileError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from riskrank.typing import PathLike

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
