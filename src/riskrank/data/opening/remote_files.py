"""Files on other machines, by address (``s3://bucket/file``), through fsspec where it is installed."""

from __future__ import annotations

import os
import re
from contextlib import contextmanager
from typing import IO, TYPE_CHECKING, Any

from riskrank.errors import FileError, RiskrankError, one_line

if TYPE_CHECKING:
    from collections.abc import Iterator

    from riskrank.typing import PathLike

ADDRESS = re.compile(r"(?P<kind>[a-z][a-z0-9+.-]+)://", re.IGNORECASE)
# Other names of files that are here, or within others, by which nobody could tell that an output is an input.
HERE = re.compile(
    r"(async)?local|file|asyncwrapper|generic|dir|git|zip|tar|libarchive|reference|(simple|file|block)?cached?",
    re.IGNORECASE,
)


def is_remote(path: PathLike) -> bool:
    """Is it an address rather than a path?

    >>> is_remote("s3://bucket/train.txt"), is_remote("data/train.txt")
    (True, False)
    """
    return isinstance(path, str) and ADDRESS.match(path) is not None


@contextmanager
def remote_file(path: PathLike) -> Iterator[IO[bytes]]:
    """The bytes at an address."""
    address = os.fspath(path)
    with _trouble_told(path), _fsspec(path).open(address, "rb", compression=None) as file:
        yield file


def remote_names(path: PathLike) -> list[str]:
    """The addresses that a pattern stands for, in order."""
    files: Any
    with _trouble_told(path):
        files, _, _ = _fsspec(path).get_fs_token_paths(os.fspath(path))
        return sorted(files.unstrip_protocol(name) for name in files.glob(os.fspath(path)))


def is_at_address(folder: PathLike, name: str) -> bool:
    """Is there a file of this name? It is not read; trouble that tells nothing of it is told."""
    with _trouble_told(folder):
        files, place = _fsspec(folder).core.url_to_fs(f"{os.fspath(folder).rstrip('/')}/{name}")
        try:
            files.info(place)
        except (FileNotFoundError, NotADirectoryError, PermissionError):  # the last where names may not be listed
            return False
        return True


def _fsspec(path: PathLike) -> Any:
    address = os.fspath(path)
    matched = ADDRESS.match(address)
    if "::" in address or (matched is not None and HERE.fullmatch(matched["kind"])):
        raise FileError(path, "leads to a file that is here, or within another one. Give the path of the file itself.")
    try:
        import fsspec
    except ImportError:
        reason = "is an address, which needs a library: pip install fsspec, or copy the file here first."
        raise FileError(path, reason) from None
    return fsspec


@contextmanager
def _trouble_told(path: PathLike) -> Iterator[None]:
    """Each kind of storage has errors of its own."""
    try:
        yield
    except (RiskrankError, OSError):
        raise
    except ImportError as error:
        raise FileError(path, f"is at a place that needs another library ({one_line(str(error))}).") from None
    except Exception as error:
        reason = one_line(str(error) or type(error).__name__, limit=200)
        if isinstance(error, ValueError) and "rotocol" in reason:
            raise FileError(path, f"is at a place that fsspec does not know ({reason}).") from None
        raise FileError(path, f"cannot be read ({reason}).") from error
