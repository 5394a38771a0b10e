"""Printing, whatever stands at the other end: a terminal, a pipe whose reader left, a full disk."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, NoReturn

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

READER_LEFT = 141  # what a shell reports for a process that SIGPIPE ended


def emit(text: str, path: Path | None = None) -> None:
    """Print text, or write it to the file if one is given."""
    if path is not None:
        from riskrank.data.files import write_atomically

        write_atomically(path, text if text.endswith("\n") else text + "\n")
        return
    try:
        print(text, flush=True)
    except BrokenPipeError:
        _silence()
        sys.exit(READER_LEFT)
    except OSError as error:
        _silence()
        fail(f"cannot write the output ({error.strerror or error}).")


def check_target(path: Path, inputs: Iterable[str]) -> None:
    """Refuse to write where nothing can be written, or over what is read."""
    from riskrank.data.files import check_writable
    from riskrank.errors import FileError

    check_writable(path)
    if path.exists() and any(os.path.exists(given) and path.samefile(given) for given in inputs):
        raise FileError(path, "is one of the inputs, it would be overwritten.")


def fail(message: str) -> NoReturn:
    """Say in one line what is wrong with the input, and end with status 2."""
    print(f"riskrank: {message}", file=sys.stderr)
    sys.exit(2)


def _silence() -> None:
    """Keep Python from trying to write what is left when it ends."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
