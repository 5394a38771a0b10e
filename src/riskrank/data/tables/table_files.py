"""CSV, TSV and Parquet files, whatever is in them."""

from __future__ import annotations

import csv
import io
import os
from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple

import polars as pl

from riskrank.data.files import read_bytes, read_file, read_head
from riskrank.data.opening.packed_streams import without_ending
from riskrank.data.tables.parquet_damage import parquet_told
from riskrank.errors import FileError, first_duplicate, quoted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from riskrank.typing import PathLike

SUFFIXES = (".csv", ".tsv", ".parquet")


class TextRow(NamedTuple):
    """The cells of a text file's row, and the line where it begins."""

    line: int
    cells: list[str]


def is_table_file(path: PathLike) -> bool:
    """Does the file's name say that it is a table?"""
    return _name(path).endswith(SUFFIXES)


def is_parquet(path: PathLike) -> bool:
    """Does the file's name say that it is a Parquet file, rather than text?"""
    return _name(path).endswith(".parquet")


def read_rows(path: PathLike) -> list[TextRow]:
    """The rows of a CSV or TSV file, cells without space around them; there is at least one, and none is blank."""
    try:
        text = read_bytes(path).decode()
    except UnicodeDecodeError:
        raise FileError(path, "is not UTF-8 text. Convert it first.") from None
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator_of(text))
    rows, line = [], 1
    try:
        for cells in reader:
            stripped = [cell.strip() for cell in cells]
            if any(stripped):
                rows.append(TextRow(line, stripped))
            line = reader.line_num + 1
    except csv.Error as problem:
        raise FileError(path, f"is not a CSV file ({problem}). Write it anew.", line=reader.line_num) from None
    if not rows:
        raise FileError(path, "is empty.")
    return rows


def check_rows(path: PathLike, header: TextRow, rows: list[TextRow]) -> None:
    """Refuse columns of one name, and rows that do not fit them."""
    twice = first_duplicate(header.cells)
    if twice is not None:
        raise FileError(path, f"column {quoted(twice)} stands twice. Rename one of them.", line=header.line)
    for line, cells in rows:
        if len(cells) != len(header.cells):
            needed = f"needs {len(header.cells)} cells as the first line, got {len(cells)}."
            raise FileError(path, f"{needed} Put cells with separators in quotes.", line=line)


def check_letters(path: PathLike, content: bytes) -> None:
    """Refuse text that is not UTF-8, with the line."""
    try:
        content.decode()
    except UnicodeDecodeError as problem:
        line = content.count(b"\n", 0, problem.start) + 1
        raise FileError(path, "is not UTF-8 text. Convert it first.", line=line) from None


def separator_of(text: str) -> str:
    """What stands between the cells of the first line."""
    first = text.lstrip("\r\n").partition("\n")[0]
    return max(",;\t", key=first.count)


def read_parquet(path: PathLike) -> pl.DataFrame:
    """A Parquet file."""
    with _parquet(path) as content:
        return pl.read_parquet(content)


def column_names(path: PathLike) -> list[str]:
    """The names of a table's columns, of which only as much is read as that takes."""
    if is_parquet(path):
        with _parquet(path) as content:
            return list(pl.read_parquet_schema(content))
    first = read_head(path).partition(b"\n")[0].decode(errors="replace").rstrip("\r")
    return [cell.strip().strip('"') for cell in first.split(separator_of(first))]


@contextmanager
def _parquet(path: PathLike) -> Iterator[io.BytesIO]:
    content = read_file(path)
    with parquet_told(path, content):
        yield io.BytesIO(content)


def _name(path: PathLike) -> str:
    return without_ending(os.fspath(path).lower())
