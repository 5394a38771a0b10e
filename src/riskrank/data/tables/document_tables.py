"""Judgments and results as search engineers keep them: a table with a line for each query and document."""

from __future__ import annotations

import io
import os
from typing import TYPE_CHECKING, Literal

import polars as pl

from riskrank.data.files import opened, read_bytes, read_head
from riskrank.data.frames import ACCEPTED_NAMES, topic_table
from riskrank.data.scores.score_matrix import read_parquet
from riskrank.errors import FileError, RiskrankError, listing, one_line, quoted

if TYPE_CHECKING:
    from riskrank.typing import PathLike

SUFFIXES = (".csv", ".tsv", ".parquet")


def is_table_file(path: PathLike) -> bool:
    """Does the file's name say that it is a table?"""
    return os.fspath(path).lower().removesuffix(".gz").endswith(SUFFIXES)


def is_document_table(path: PathLike) -> bool:
    """Is it a table of queries and documents, rather than of systems?"""
    if not is_table_file(path) or not os.path.isfile(path):
        return False
    try:
        names = _column_names(path)
    except RiskrankError:
        return False  # whoever reads it says what is wrong
    return bool(names & set(ACCEPTED_NAMES["topic"])) and bool(names & set(ACCEPTED_NAMES["document"]))


def read_document_table(path: PathLike, number: Literal["grade", "score"]) -> pl.DataFrame:
    """Topic, document and grade or score, as floats; results may have ranks in place of scores."""
    frame = read_parquet(path) if _is_parquet(path) else _read_text(path)
    frame = frame.rename({column: column.strip().lower() for column in frame.columns})
    column = next((name for name in ACCEPTED_NAMES[number] if name in frame.columns), None)
    if column is None and number == "score" and "rank" in frame.columns:
        column = "rank"
    if column is not None and frame.schema[column] == pl.String:
        frame = frame.with_columns(_numbers(path, frame[column]))
    if column == "rank":
        frame = frame.with_columns(score=-pl.col("rank").cast(pl.Float64))  # unsigned ranks have no negatives
    return topic_table(frame, number, what=os.fspath(path))


def _numbers(path: PathLike, texts: pl.Series) -> pl.Series:
    numbers = texts.str.strip_chars().cast(pl.Float64, strict=False)
    wrong = (numbers.is_null() | ~numbers.is_finite()).arg_true()
    if len(wrong):
        row = wrong[0]
        message = f"{texts.name} must be a finite number, got {quoted(texts[row] or '')}."
        raise FileError(path, message, line=row + 2)  # below the first line
    return numbers


def _read_text(path: PathLike) -> pl.DataFrame:
    """All cells as text: ids stay what they are, and wrong numbers can be told with their line."""
    content = read_bytes(path)
    try:
        return pl.read_csv(content, separator=_separator(content), infer_schema=False)
    except (pl.exceptions.PolarsError, ValueError) as problem:
        reason = one_line(str(problem).splitlines()[0], limit=200)
        raise FileError(path, f"cannot be read as a table of {listing(_cells(content))} ({reason}).") from None


def _column_names(path: PathLike) -> set[str]:
    if not _is_parquet(path):
        return {name.strip().lower() for name in _cells(read_head(path))}
    with opened(path) as file:
        try:
            return {name.strip().lower() for name in pl.read_parquet_schema(io.BytesIO(file.read()))}
        except (pl.exceptions.PolarsError, OSError, ValueError):
            raise FileError(path, "is not a Parquet file.") from None


def _is_parquet(path: PathLike) -> bool:
    return os.fspath(path).lower().removesuffix(".gz").endswith(".parquet")


def _cells(content: bytes) -> list[str]:
    first = content.partition(b"\n")[0].decode(errors="replace").rstrip("\r")
    return [cell.strip().strip('"') for cell in first.split(_separator(content))]


def _separator(content: bytes) -> str:
    first = content.partition(b"\n")[0].decode(errors="replace")
    return max(",;\t", key=first.count)
