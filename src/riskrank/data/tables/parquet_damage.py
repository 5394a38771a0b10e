"""Parquet files that Polars cannot read: one message, whatever it raises, and without a word of its own."""

from __future__ import annotations

import os
from contextlib import contextmanager
from threading import Lock
from typing import TYPE_CHECKING

from riskrank.data.tables.parquet_sizes import check_parquet
from riskrank.errors import FileError, one_line

if TYPE_CHECKING:
    from collections.abc import Iterator

    from riskrank.typing import PathLike

PANIC = "PanicException"  # of Polars; it is no ordinary exception
STDERR = 2
_turn = Lock()


@contextmanager
def parquet_told(path: PathLike, content: bytes | None = None, *, way_out: str = "") -> Iterator[None]:
    """Whatever Polars says of a damaged file meanwhile names the file; one that promises too much is refused before.

    `content`: the file's bytes, where they were unpacked.
    """
    import polars as pl

    check_parquet(path, content)
    try:
        with _silent():
            yield
    except FileError:
        raise
    except BaseException as error:
        if not isinstance(error, OSError | ValueError | pl.exceptions.PolarsError) and type(error).__name__ != PANIC:
            raise
        reason = one_line(str(error).partition("\n")[0], limit=200)
        raise FileError(
            path, f"is not a Parquet file, or it is damaged ({reason}).{way_out and ' '}{way_out}"
        ) from None


@contextmanager
def _silent() -> Iterator[None]:
    """A thread of Polars that panics writes some lines to standard error by itself."""
    with _turn:
        kept, nothing = os.dup(STDERR), os.open(os.devnull, os.O_WRONLY)
        os.dup2(nothing, STDERR)
        os.close(nothing)
        try:
            yield
        finally:
            os.dup2(kept, STDERR)
            os.close(kept)
