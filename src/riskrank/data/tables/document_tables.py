"""Judgments and results as search engineers keep them: a table with a line for each query and document."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Literal

import polars as pl

from riskrank.data.files import read_bytes
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


def read_document_table(path: PathLike, number: Literal["grade", "score"]) -> pl.DataFrame:
    """Topic, document and grade or score, as floats; results may have ranks in place of scores."""
    frame, line_of = (read_parquet(path), None) if is_parquet(path) else _read_text(path)
    frame = frame.rename({column: column.strip().lower() for column in frame.columns})
    column = next((name for name in ACCEPTED_NAMES[number] if name in frame.columns), None)
    if column is None and number == "score" and "rank" in frame.columns:
        column = "rank"
    if column is not None and line_of is not None:
        frame = frame.with_columns(_numbers(path, frame[column], line_of))
    if column == "rank":
        frame = frame.with_columns(score=-pl.col("rank").cast(pl.Float64))  # unsigned ranks have no negatives
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
        table = pl.read_csv(content, separator=separator_of(first), infer_schema=False)
    except (pl.exceptions.PolarsError, ValueError) as problem:
        reason = one_line(str(problem).splitlines()[0], limit=200)
        raise FileError(path, f"cannot be read as a table of {listing(column_names(path))} ({reason}).") from None
    has_cells = table.select(pl.any_horizontal(pl.all().is_not_null())).to_series()

    def line_of(row: int) -> int:
        before = table.head(has_cells.arg_true()[row])
        breaks = before.select(pl.sum_horizontal(pl.all().str.count_matches("\n", literal=True)).sum()).item()
        return int(before.height + breaks + 2)  # below the first line; cells may have several

    return table.filter(has_cells), line_of
