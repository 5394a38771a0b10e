"""Opening what users hand us: plain or gzip files, with errors that name the file."""

from __future__ import annotations

import gzip
import os
import tempfile
import zlib
from contextlib import contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING, cast

from riskrank.errors import FileError

if TYPE_CHECKING:
    from collections.abc import Iterator

GZIP_MAGIC = b"\x1f\x8b"
UTF8_BOM = b"\xef\xbb\xbf"


@contextmanager
def opened(path: str | os.PathLike[str]) -> Iterator[IO[bytes]]:
    """The file's bytes, decompressed when it is gzip (told by content, not by name)."""
    try:
        with open(path, "rb") as raw:
            if raw.peek(2)[:2] == GZIP_MAGIC:
                with gzip.open(raw, "rb") as unpacked:
                    yield cast("IO[bytes]", unpacked)
            else:
                yield raw
    except FileNotFoundError:
        raise FileError(path, "no such file.") from None
    except IsADirectoryError:
        raise FileError(path, "is a directory, a file is needed.") from None
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise FileError(path, f"cannot be decompressed ({error}). Copy or compress it again.") from None
    except OSError as error:
        raise FileError(path, f"cannot be read ({error.strerror or error}).") from None


def read_bytes(path: str | os.PathLike[str]) -> bytes:
    """The whole text of a file, which must not be empty and must look like text."""
    with opened(path) as file:
        content = file.read()
    check_text(path, content[: 1 << 16])
    return content.removeprefix(UTF8_BOM)


def read_head(path: str | os.PathLike[str], size: int = 1 << 16) -> bytes:
    """The first bytes of a file, which must not be empty and must look like text."""
    with opened(path) as file:
        head = file.read(size)
    check_text(path, head)
    return head.removeprefix(UTF8_BOM)


def check_text(path: object, head: bytes) -> None:
    """Refuse empty and binary files."""
    if not head.removeprefix(UTF8_BOM).strip():
        raise FileError(path, "is empty.")
    if b"\0" in head:
        raise FileError(path, "is a binary file, text is needed.")


def write_atomically(path: str | os.PathLike[str], text: str) -> None:
    """Write beside the target and rename, so that nobody sees half a file."""
    target = Path(path)
    try:
        handle, temporary = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
    except OSError as error:
        raise FileError(path, f"cannot be written ({error.strerror or error}).") from None
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as file:
            file.write(text)
        os.chmod(temporary, 0o666 & ~_umask())
        os.replace(temporary, target)
    except OSError as error:
        Path(temporary).unlink(missing_ok=True)
        raise FileError(path, f"cannot be written ({error.strerror or error}).") from None


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
