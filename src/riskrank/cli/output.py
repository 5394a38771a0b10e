"""Printing and ending, whatever stands at the other end: a terminal, a pipe whose reader left, a full disk."""

from __future__ import annotations

import gc
import os
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING, NoReturn, TextIO

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

WRONG_INPUT = 2
INTERRUPTED = 130  # what a shell reports for a process that SIGINT ended
READER_LEFT = 141  # the same for SIGPIPE
ALL_LETTERS = "▲●α−"  # whoever prints these prints all of ours


def is_coloured(path: Path | None = None) -> bool:
    """May what is printed have colours? Only on a terminal, and not where NO_COLOR is set."""
    return path is None and sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def emit(
    text: str,
    path: Path | None = None,
    *,
    is_data: bool = False,
    beside: Mapping[Path, str] | None = None,
    overwrite: bool = False,
) -> None:
    """Print text, or write it to the file if one is given; files `beside` it appear with it, or not at all.

    Files and data are UTF-8; other text has plain letters where standard output knows no others. Files of another kind
    are only replaced by `overwrite`.
    """
    from riskrank.files.outputs import check_replaced
    from riskrank.files.own_folder import check_unlisted
    from riskrank.files.writing import as_bytes, written_together

    files = dict(beside or {})
    if path is not None:
        files[path] = text if text.endswith("\n") else text + "\n"
    for file, content in files.items():
        check_unlisted(file)
        if not overwrite:
            check_replaced(file, as_bytes(content))
    with written_together(files):
        is_read = path is not None or _print(text, is_data=is_data)
    if not is_read:
        sys.exit(READER_LEFT)


def _print(text: str, *, is_data: bool) -> bool:
    """Print, and say whether somebody was still reading."""
    if is_data:
        as_utf8(sys.stdout)
    else:
        from riskrank.report.text.terminal import is_printed, plain_letters

        encoding = getattr(sys.stdout, "encoding", None) or "utf-8"
        text = text if is_printed(ALL_LETTERS, encoding) else plain_letters(text, encoding)
    try:
        print(text, flush=True)
    except BrokenPipeError:
        _silence()
        return False
    except OSError as error:
        _silence()
        fail(f"cannot write the output ({error.strerror or error}).")
    return True


@contextmanager
def resumable_work(output: Path) -> Iterator[None]:
    """Long work that keeps what is finished in `output`: interrupted, it says that the same command goes on."""
    gc.enable()  # see main.run
    try:
        yield
    except KeyboardInterrupt:
        fail(f"interrupted; run the same command again to go on ({output}).", INTERRUPTED)


def fail(message: str, status: int = WRONG_INPUT) -> NoReturn:
    """Say in one line why the command ends, and end it."""
    print(f"riskrank: {message}", file=sys.stderr)
    sys.exit(status)


def as_utf8(stream: TextIO) -> None:
    """Have a stream write UTF-8, whatever the locale says."""
    reconfigure = getattr(stream, "reconfigure", None)
    if reconfigure is not None:
        reconfigure(encoding="utf-8", errors="replace")


def _silence() -> None:
    """Keep Python from trying to write what is left when it ends."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
