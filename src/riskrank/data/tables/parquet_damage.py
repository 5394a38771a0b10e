"""Parquet and Arrow files that Polars cannot read: one message, whatever it raises, and without a word of its own."""

from __future__ import annotations

import os
import threading
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING

from riskrank.data.tables.parquet_sizes import check_parquet
from riskrank.errors import FileError, one_line

if TYPE_CHECKING:
    from collections.abc import Iterator

    from riskrank.typing import PathLike

PANIC = "PanicException"  # of Polars; it is no ordinary exception
STDERR = 2
THREADS = "/proc/self/task"  # Linux only
LONGEST_WAIT = 2.0  # seconds: the threads of other libraries may never rest
_turn = threading.RLock()


@contextmanager
def parquet_told(path: PathLike, content: bytes | None = None, *, way_out: str = "") -> Iterator[None]:
    """Whatever Polars says of a damaged file meanwhile names the file; one that promises too much is refused before.

    `content`: the file's bytes, where they were unpacked.
    """
    check_parquet(path, content)
    with damage_told(path, way_out=way_out):
        yield


@contextmanager
def damage_told(path: PathLike, what: str = "a Parquet file", *, way_out: str = "") -> Iterator[None]:
    """The same without a look at the file before; `what` it should be."""
    import polars as pl

    try:
        with _silent():
            yield
    except FileError:
        raise
    except BaseException as error:
        if not isinstance(error, OSError | ValueError | pl.exceptions.PolarsError) and type(error).__name__ != PANIC:
            raise
        reason = one_line(str(error).partition("\n")[0], limit=200)
        raise FileError(path, f"is not {what}, or it is damaged ({reason}).{way_out and ' '}{way_out}") from None


@contextmanager
def _silent() -> Iterator[None]:
    """Threads of Polars that panic write lines to standard error by themselves, some after the first has raised."""
    with _turn:
        kept, nothing = os.dup(STDERR), os.open(os.devnull, os.O_WRONLY)
        os.dup2(nothing, STDERR)
        os.close(nothing)
        try:
            yield
        except BaseException:
            wait_for_threads()
            raise
        finally:
            os.dup2(kept, STDERR)
            os.close(kept)


def wait_for_threads() -> None:
    """Until no thread but Python's works; twice, since one may have waited for another when it was looked at."""
    end = time.monotonic() + LONGEST_WAIT
    n_quiet = 0
    while n_quiet < 2 and time.monotonic() < end:
        n_quiet = 0 if _native_threads_work() else n_quiet + 1
        time.sleep(0.001)


def _native_threads_work() -> bool:
    ours = {str(thread.native_id) for thread in threading.enumerate()}
    try:
        others = set(os.listdir(THREADS)) - ours
    except OSError:
        return False
    return any(_state(thread) in b"RD" for thread in others)


def _state(thread: str) -> bytes:
    """R: it runs, or would; D: it waits for the disk; anything else: it rests."""
    try:
        with open(f"{THREADS}/{thread}/stat", "rb") as file:
            return file.read().rpartition(b")")[2].split()[0]
    except OSError:  # it ended
        return b"X"
