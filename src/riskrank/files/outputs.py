"""Outputs of a command: none may be an input, hold one, be another output, or be somebody's file of another kind."""

from __future__ import annotations

import io
import os
import re
from pathlib import Path
from typing import TYPE_CHECKING

from riskrank.errors import FileError
from riskrank.files.own_folder import check_unlisted
from riskrank.files.writing import check_writable

if TYPE_CHECKING:
    from collections.abc import Iterable

    from riskrank.typing import PathLike

HEAD = 1 << 16  # bytes that tell what a file is
MARK, TAIL = b"riskrank", 100  # what drawings of ours have at their ends, and how many bytes that is
FIRST_ENTRY = re.compile(rb'[\s\[]*\{\s*"([^"]*)"\s*:\s*("[^"]*")?')
NUMBER = re.compile(rb"[-+]?[0-9.]+(e[-+]?[0-9]+)?|nan|[-+]?inf", re.IGNORECASE)


def check_outputs(files: Iterable[PathLike | None], inputs: Iterable[PathLike]) -> None:
    """Check each file that is to be written; two of them must not be one."""
    given, places = list(inputs), list[Path]()
    for path in (Path(file) for file in files if file is not None):
        check_writable(path)
        check_unlisted(path)
        check_no_input(path, given)
        if any(_is_same(path, other) for other in places):
            raise FileError(path, "is named twice: each output needs a file of its own.")
        places.append(path)


def check_no_input(output: PathLike, inputs: Iterable[PathLike]) -> None:
    """Refuse an output that is one of the inputs, or a folder that holds one, by whatever name or link."""
    for given in inputs:
        if not os.path.exists(output) or not os.path.exists(given):
            continue
        if os.path.samefile(output, given):
            raise FileError(output, "is one of the inputs, it would be overwritten.")
        if any(os.path.samefile(output, parent) for parent in Path(os.path.realpath(given)).parents):
            raise FileError(output, f"holds the input {given}, which could be overwritten. Choose another place.")


def _is_same(path: Path, other: Path) -> bool:
    if path.exists() and other.exists():
        return path.samefile(other)
    return os.path.realpath(path) == os.path.realpath(other)


def check_new(paths: Iterable[PathLike]) -> None:
    """Refuse to replace anything."""
    for path in paths:
        if os.path.lexists(path):
            raise FileError(path, "exists. Choose another place, or replace it by --force.")


def has_content(path: PathLike, content: bytes) -> bool:
    """Is there such a file already?"""
    return os.path.isfile(path) and os.path.getsize(path) == len(content) and Path(path).read_bytes() == content


def check_replaced(path: PathLike, content: bytes) -> None:
    """Refuse to replace a file of another kind than what is to be written there."""
    if not os.path.isfile(path):
        return
    with open(path, "rb") as file:
        before = file.read(HEAD)
        file.seek(max(file.seek(0, os.SEEK_END) - TAIL, 0))
        end = file.read()
    if before.strip() and _kind(before, end, Path(path)) != _kind(content[:HEAD], content[-TAIL:], content):
        raise FileError(path, "exists and holds something else. Choose another place, or replace it by --force.")


def _kind(head: bytes, tail: bytes, source: Path | bytes) -> tuple[object, ...]:
    """What tells files of one kind from others: of a table its columns, of a run its tag, of JSON its first entry."""
    start = head.lstrip()
    if head.startswith((b"PAR1", b"ARROW1")):
        return ("table", head[:4], _columns(head, source))
    if start.startswith((b"%PDF", b"\x89PNG", b"<svg")):
        return ("drawing", start[:4], MARK in tail)
    if start.startswith((b"{", b"[")):
        match = FIRST_ENTRY.match(head)
        return ("json", match and match.groups())
    if start.startswith(b"<"):
        return ("markup", start.split(None, 1)[0].lower(), b"riskrank" in head)
    line = head.partition(b"\n")[0].strip()
    fields = line.split()
    if len(fields) == 6:  # of a run: topic, Q0, document, rank, score, tag
        return ("run", fields[1], fields[5])
    return ("numbers",) if NUMBER.fullmatch(line) else ("text", line)


def _columns(head: bytes, source: Path | bytes) -> list[str] | None:
    """The names of a table's columns; none if it is damaged."""
    import polars as pl

    place = io.BytesIO(source) if isinstance(source, bytes) else source
    try:
        return list(pl.read_parquet_schema(place) if head.startswith(b"PAR1") else pl.read_ipc_schema(place))
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError):
        return None
