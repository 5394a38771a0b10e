"""Judgments and results as search engineers keep them: a table with a line for each query and document."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Literal

import polars as pl

from riskrank.data.files import read_bytes, read_head
from riskrank.data.frames import ACCEPTED_NAMES, topic_table
from riskrank.data.tables.table_files import column_names, is_parquet, is_table_file, read_parquet, separator_of
from riskrank.errors import FileError, RiskrankError, listing, one_line, quoted

if TYPE_CHECKING:
    from riskrank.data.frames import LineOf
    from riskrank.typing import PathLike


def is_document_table(path: PathLike) -> bool:
    """Is it a table of queries and documents, rather than of systems?"""
    if not is_table_file(path) or not os.path.isfile(path):
        return False
    try:
        names = {name.strip().lower() for name in column_names(path)}
    except RiskrankError:
        return False  # whoever reads it says what is wrong
    return bool(names & set(ACCEPTED_NAMES["topic"])) and bool(names & set(ACCEPTED_NAMES["document"]))


def document_columns_error(path: PathLike) -> FileError:
    """What to say of a table that should be one of queries and documents, but does not say so."""
    columns = column_names(path)
    known = {column.strip().lower() for column in columns}
    lacking = [kind for kind in ("topic", "document") if not known.intersection(ACCEPTED_NAMES[kind])]
    is_numbered = any(known.intersection(ACCEPTED_NAMES[kind]) for kind in ("grade", "score", "rank"))
    nouns = {"topic": "queries", "document": "documents"}
    names = {"topic": "query", "document": "doc_id"}
    column, them = ("column", "it") if len(lacking) == 1 else ("columns", "them")
    has = f"has no {column} for {' and '.join(nouns[kind] for kind in lacking)}, only {listing(columns)}"
    number = "" if is_numbered else ", and rating, rank or score"
    fix = f"Name {them} {', '.join(names[kind] for kind in lacking)}{number} (docs/files.md)."
    return FileError(path, f"{has}. {fix}", line=1)


def check_no_table(path: PathLike) -> None:
    """Refuse a table as a TREC file; one with tabs may be such a file."""
    if is_table_file(path) and os.path.isfile(path) and not is_parquet(path):
        head = read_head(path).decode(errors="replace")
        if separator_of(head) in ",;" and separator_of(head) in head.lstrip().partition("\n")[0]:
            raise document_columns_error(path)


def read_document_table(path: PathLike, number: Literal["grade", "score"]) -> pl.DataFrame:
    """Topic, document and grade or score, as floats; results may have ranks in place of scores."""
    frame, line_of = (read_parquet(path), None) if is_parquet(path) else _read_text(path)
    frame = frame.rename({column: column.strip().lower() for column in frame.columns})
    ranks = ACCEPTED_NAMES["rank"] if number == "score" else ()
    column = next((name for name in (*ACCEPTED_NAMES[number], *ranks) if name in frame.columns), None)
    if column is None:
        wanted = " or ".join((*ACCEPTED_NAMES[number], *ranks))
        raise FileError(path, f"needs a column {wanted}, got {listing(frame.columns)}.", line=1)
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
