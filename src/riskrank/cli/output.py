"""Printing and ending, whatever stands at the other end: a terminal, a pipe whose reader left, a full disk."""

from __future__ import annotations

import gc
import os
import re
import sys
import warnings
from contextlib import ExitStack, contextmanager, suppress
from typing import TYPE_CHECKING, Any, NoReturn, TextIO, cast

from riskrank.errors import DataWarning, one_line

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from pathlib import Path

    from riskrank.files.own_folder import OwnFolder

WRONG_INPUT = 2
INTERRUPTED = 130  # what a shell reports for a process that SIGINT ended
READER_LEFT = 141  # the same for SIGPIPE
LONGEST_MESSAGE = 1000
# Control characters but tab and line break, DEL and C1, and those that reorder or break lines; a colour is no harm.
COMMAND = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]")
COMMAND_BUT_COLOUR = re.compile(rf"(?!(?:\x1b\[[0-9;]*m)){COMMAND.pattern}")
ALL_LETTERS = "▲●α−"  # whoever prints these prints all of ours


def is_coloured(path: Path | None = None) -> bool:
    """May what is printed have colours? Only on a terminal, and not where NO_COLOR is set."""
    return path is None and sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def emit(
    text: str | bytes,
    path: Path | None = None,
    *,
    is_data: bool = False,
    beside: Mapping[Path, str] | None = None,
    added: Mapping[Path, bytes] | None = None,
    overwrite: bool = False,
) -> None:
    """Print text, or write it to the file if one is given (bytes always); files `beside` it appear with it, or not.

    So do lines that are `added` to the ends of other files.

    Files and data are UTF-8; other text has plain letters where standard output knows no others. Files of another kind
    are only replaced by `overwrite`.
    """
    from riskrank.files.appending import appended
    from riskrank.files.outputs import check_replaced
    from riskrank.files.own_folder import check_unlisted
    from riskrank.files.writing import as_bytes, written_together

    files: dict[Path, str | bytes] = dict(beside or {})
    if path is not None:
        files[path] = text if isinstance(text, bytes) or text.endswith("\n") else text + "\n"
    for file, content in files.items():
        check_unlisted(file)
        if not overwrite:
            check_replaced(file, as_bytes(content))
    with ExitStack() as until_all_is_there, written_together(files):
        is_read = path is not None or isinstance(text, bytes) or _print(text, is_data=is_data)
        until_all_is_there.enter_context(appended(added or {}))
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
        text = harmless(text, styled=is_coloured())
    try:
        print(text, flush=True)
    except BrokenPipeError:
        _silence(sys.stdout)
        return False
    except OSError as error:
        _silence(sys.stdout)
        fail(f"cannot write the output ({error.strerror or error}).")
    return True


def say(message: str) -> None:
    """Tell what the command does, in one line."""
    print(f"riskrank: {message}", file=sys.stderr)


@contextmanager
def warnings_said() -> Iterator[None]:
    """What the library warns of, each in one line, once."""
    with warnings.catch_warnings():
        shown_otherwise = warnings.showwarning

        def show(message: Warning | str, category: type[Warning], *where: Any, **more: Any) -> None:
            if category in (UserWarning, DataWarning):
                say(one_line(str(message), limit=LONGEST_MESSAGE))
            else:
                shown_otherwise(message, category, *where, **more)

        warnings.showwarning = show
        warnings.filterwarnings("once", category=UserWarning, module=r"riskrank\.")
        warnings.filterwarnings("once", category=DataWarning)
        yield


@contextmanager
def resumable_work(folder: OwnFolder, *, goes_on: bool) -> Iterator[None]:
    """Long work that keeps what is finished in a folder: begun before, it goes on; interrupted, it says that it can."""
    gc.enable()  # see main.run
    if goes_on or folder.was_interrupted:
        say(f"an earlier run was interrupted, goes on with what is finished in {folder.given}.")
    try:
        yield
    except KeyboardInterrupt:
        fail(f"interrupted; run the same command again to go on ({folder.given}).", INTERRUPTED)


def fail(message: str, status: int = WRONG_INPUT) -> NoReturn:
    """Say in one line why the command ends, and end it."""
    from riskrank.errors import one_line

    with suppress(OSError):  # where nothing can be said, the status says it
        print(f"riskrank: {one_line(message, limit=LONGEST_MESSAGE)}", file=sys.stderr, flush=True)
    sys.exit(status)


def fail_at_last(message: str) -> NoReturn:
    """Fail, and let nobody have another word: threads of a library that broke down report one after the other."""
    try:
        fail(message)
    finally:
        _silence(sys.stderr)


def harmless(text: str, *, styled: bool = False) -> str:
    """Text in which nothing but line breaks moves the cursor, and nothing but colours, if `styled`, is a command.

    >>> print(harmless("a\\x1b[2J"))
    a\\x1b[2J
    """
    commands = COMMAND_BUT_COLOUR if styled else COMMAND
    return commands.sub(lambda letter: letter[0].encode("unicode_escape").decode(), text)


@contextmanager
def harmless_streams() -> Iterator[None]:
    """Whatever is printed meanwhile, by whomever, has no command to a terminal in it but colours.

    Data that go elsewhere than to a terminal stay as they are.
    """
    kept = sys.stdout, sys.stderr
    if sys.stdout is not None and sys.stdout.isatty():
        sys.stdout = cast("TextIO", _Harmless(sys.stdout))
    if sys.stderr is not None:
        sys.stderr = cast("TextIO", _Harmless(sys.stderr))
    try:
        yield
    finally:
        sys.stdout, sys.stderr = kept


class _Harmless:
    """A stream as it is, but for what is written to it."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        begin = "\r" if text.startswith("\r") else ""  # a progress bar is drawn over itself
        self._stream.write(begin + harmless(text.removeprefix(begin), styled=self._stream.isatty()))
        return len(text)

    def writelines(self, lines: Iterable[str]) -> None:
        for line in lines:
            self.write(line)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


def as_utf8(stream: TextIO) -> None:
    """Have a stream write UTF-8, whatever the locale says."""
    reconfigure = getattr(stream, "reconfigure", None)
    if reconfigure is not None:
        reconfigure(encoding="utf-8", errors="replace")


def _silence(stream: TextIO) -> None:
    """Nothing more is written, not even what Python has left when it ends."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
