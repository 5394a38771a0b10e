"""Judgments and results as search engineers keep them: a table with a line for each query and document."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING, Literal

import polars as pl

from riskrank.data.files import read_bytes, read_head
from riskrank.data.frames import ACCEPTED_NAMES, topic_table
from riskrank.data.tables.table_files import (
    check_letters,
    column_names,
    is_parquet,
    is_table_file,
    read_parquet,
    separator_of,
)
from riskrank.errors import FileError, RiskrankError, listing, one_line, quoted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from riskrank.data.frames import LineOf
    from riskrank.typing import PathLike


Number = Literal["grade", "score"]
ADDRESS = re.compile(
    r"[a-z0-9]*[ _-]?ur[li]"
)  # product_url, pageUrl, uri: the document, where only one column is like it
NOUNS = {"topic": "queries", "document": "documents", "grade": "ratings", "score": "ranks or scores"}
NEW_NAMES = {"topic": "query", "document": "doc_id", "grade": "rating", "score": "rank (or score)"}


def is_document_table(path: PathLike) -> bool:
    """Is it a table of queries and documents, rather than of systems?"""
    if not is_table_file(path) or not os.path.isfile(path):
        return False
    try:
        names = column_names(path)
    except RiskrankError:
        return False  # whoever reads it says what is wrong
    return bool(_known_column(names, "topic")) and bool(_known_column(names, "document"))


def _known_column(columns: Sequence[str], kind: str) -> str:
    """The column of a kind, by its name; empty where none is known by it."""
    lowered = {column.strip().lower(): column for column in columns}
    accepted = (*ACCEPTED_NAMES[kind], *(ACCEPTED_NAMES["rank"] if kind == "score" else ()))
    known = next((lowered[name] for name in accepted if name in lowered), "")
    addresses = [column for name, column in lowered.items() if ADDRESS.fullmatch(name)]
    return addresses[0] if kind == "document" and not known and len(addresses) == 1 else known


def document_columns_error(path: PathLike, number: Number) -> FileError:
    """What to say of a table that should be one of queries and documents with a number, but does not say so."""
    columns = column_names(path)
    lacking = [kind for kind in ("topic", "document", number) if not _known_column(columns, kind)]
    nouns, names = ([each[kind] for kind in lacking] for each in (NOUNS, NEW_NAMES))
    many = "a column" if len(lacking) == 1 else "columns"
    wanted = " and ".join(nouns) if len(nouns) < 3 else f"{', '.join(nouns[:-1])} and {nouns[-1]}"
    fix = f"rename {'one' if len(lacking) == 1 else 'them'} to {', '.join(names)} (docs/files.md)"
    return FileError(path, f"needs {many} for {wanted}, got {listing(columns)}: {fix}.", line=1)


def check_no_table(path: PathLike, number: Number) -> None:
    """Refuse a table as a TREC file; one with tabs may be such a file."""
    if is_table_file(path) and os.path.isfile(path) and not is_parquet(path):
        head = read_head(path).decode(errors="replace")
        if separator_of(head) in ",;" and separator_of(head) in head.lstrip().partition("\n")[0]:
            raise document_columns_error(path, number)


def read_document_table(path: PathLike, number: Number) -> pl.DataFrame:
    """Topic, document and grade or score, as floats; results may have ranks in place of scores."""
    frame, line_of = (read_parquet(path), None) if is_parquet(path) else _read_text(path)
    column = _known_column(frame.columns, number).strip().lower()
    if not column:
        raise document_columns_error(path, number)
    document = _known_column(frame.columns, "document")
    frame = frame.rename({name: "document" if name == document else name.strip().lower() for name in frame.columns})
    ranks = ACCEPTED_NAMES["rank"] if number == "score" else ()
    if not frame.height:
        raise FileError(path, "has no line below the names of its columns.", line=1)
    if line_of is not None:
        frame = frame.with_columns(_numbers(path, frame[column], line_of))
    if column in ranks:
        frame = frame.with_columns(score=-pl.col(column).cast(pl.Float64))  # unsigned ranks have no negatives
    return topic_table(frame, number, what=os.fspath(path), line_of=line_of)


def _numbers(path: PathLike, texts: pl.Series, line_of: LineOf) -> pl.Series:
    numbers = texts.str.strip_chars().cast(pl.Float64, strict=False)
    wrong = (numbers.is_null() | ~numbers.is_finite()).arg_true()
    if len(wrong):
        message = f"{texts.name} must be a finite number, got {quoted(texts[wrong[0]] or '')}."
        raise FileError(path, message, line=line_of(wrong[0]))
    return numbers


def _read_text(path: PathLike) -> tuple[pl.DataFrame, LineOf]:
    """All cells as text, so that ids stay what they are; without blank lines, and with the line of each row."""
    content = read_bytes(path)
    check_letters(path, content)
    first = content.partition(b"\n")[0].decode(errors="replace")
    try:
        table = pl.read_csv(content, separator=separator_of(first), infer_schema=False).with_columns(
            pl.all().str.strip_chars()
        )
    except (pl.exceptions.PolarsError, ValueError) as problem:
        reason = one_line(str(problem).splitlines()[0], limit=200)
        raise FileError(path, f"cannot be read as a table of {listing(column_names(path))} ({reason}).") from None
    has_cells = table.select(pl.any_horizontal(pl.all().is_not_null())).to_series()

    def line_of(row: int) -> int:
        before = table.head(has_cells.arg_true()[row])
        breaks = before.select(pl.sum_horizontal(pl.all().str.count_matches("\n", literal=True)).sum()).item()
        return int(before.height + breaks + 2)  # below the first line; cells may have several

    return table.filter(has_cells), line_of
