"""How systems are given on the command line: ``name=path``, a path, or standard input and other pipes."""

from __future__ import annotations

import os
import select
import shutil
import stat
import tempfile
import time
from contextlib import contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING

from riskrank.errors import AlignmentError, FileError, quoted

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from riskrank.files.scratch import Scratch

PATIENCE = 0.5  # seconds to wait for the other end of a pipe


def named_systems(systems: Sequence[str]) -> dict[str, str]:
    """Systems by name: ``name=path``, or the name in the file's name; equal names get their folder's too."""
    from riskrank.data.names import system_name

    def name_of(text: str) -> tuple[str, str]:
        name, equals, path = text.partition("=")
        if equals and name and "/" not in name and not Path(text).exists():
            return name, path
        return system_name(text), text

    pairs = [name_of(text) for text in systems]
    names = [name for name, _ in pairs]
    named: dict[str, str] = {}
    for name, path in pairs:
        label = name if names.count(name) == 1 else f"{Path(path).resolve().parent.name}/{name}"
        if label in named:
            raise AlignmentError(f"two systems are named {quoted(label)}. Name them: name=path.")
        named[label] = path
    return named


def with_baselines(systems: Sequence[str], baselines: Sequence[str]) -> list[str]:
    """The systems, and the baselines that are files of runs not among them."""
    named = named_systems(systems)
    outside = [b for b in baselines if systems and b not in named and b not in systems and Path(b).is_file()]
    return [*systems, *(b for b in outside if not any(_is_same_file(path, b) for path in named.values()))]


def baseline_name(wanted: str, named: Mapping[str, str]) -> str:
    """The name of a baseline given by its name or by its path."""
    if wanted in named:
        return wanted
    return next((name for name, path in named.items() if path == wanted or _is_same_file(path, wanted)), wanted)


@contextmanager
def local_files(judgments: str, systems: Mapping[str, str]) -> Iterator[tuple[str, dict[str, str]]]:
    """Judgments and systems as files that can be read twice: what comes through pipes is copied, for the while."""
    from riskrank.files.scratch import scratch_folder

    with scratch_folder(Path(tempfile.gettempdir()) / "pipes") as scratch:
        copied = {name: _local_file(path, scratch) for name, path in systems.items()}
        yield _local_file(judgments, scratch), copied


def _is_same_file(path: str, other: str) -> bool:
    return Path(path).exists() and Path(other).exists() and Path(path).samefile(other)


def _local_file(path: str, scratch: Scratch) -> str:
    source = "/dev/stdin" if path == "-" else path
    try:
        mode = os.stat(source).st_mode
    except OSError:
        return path
    if not (stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode) or (stat.S_ISCHR(mode) and path == "-")):
        return source  # whoever reads it refuses folders and devices
    name = f"{len(os.listdir(scratch.path))}-{Path(source).name}"
    try:
        with scratch.appended(name) as file:
            _copy_pipe(path, file)
    except OSError as error:
        raise FileError(path, f"cannot be copied ({error.strerror or error}).") from None
    return str(scratch.path / name)


def _copy_pipe(path: str, file: IO[bytes]) -> None:
    """All that comes through a pipe; one that nobody has opened for writing would keep us waiting for ever."""
    descriptor = os.dup(0) if path == "-" else os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    with open(descriptor, "rb", buffering=0) as pipe:
        if path != "-":
            until = time.monotonic() + PATIENCE
            while (beginning := _beginning(descriptor)) is None:
                if time.monotonic() > until:
                    raise FileError(path, "is a pipe that nobody writes to.")
                time.sleep(PATIENCE / 20)
            file.write(beginning)
            os.set_blocking(descriptor, True)
        shutil.copyfileobj(pipe, file)


def _beginning(pipe: int) -> bytes | None:
    """What can be had of a pipe without waiting, perhaps nothing; None if nobody ever opened it for writing."""
    events = select.poll()
    events.register(pipe, select.POLLIN)
    if events.poll(0):
        return b""  # there is something, or there was
    try:
        return os.read(pipe, 1) or None
    except BlockingIOError:
        return b""  # its writer has written nothing yet


def weights_file(weights: str | None) -> list[str]:
    """The path in an option that names a table of weights, and perhaps a column."""
    if weights is None:
        return []
    from riskrank.data.tables.topic_columns import path_and_column

    return [path_and_column(weights)[0]]
