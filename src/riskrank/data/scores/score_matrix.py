"""Per-topic scores that were computed elsewhere: a CSV, TSV or Parquet matrix, or a frame."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args

import numpy as np
import polars as pl

from riskrank.data.effectiveness import AS_GIVEN, LARGEST_SCORE, Effectiveness
from riskrank.data.frames import is_frame
from riskrank.data.numbers import finite_number
from riskrank.data.opening.packed_streams import without_ending
from riskrank.data.tables.table_files import check_rows, is_parquet, read_parquet, read_rows
from riskrank.errors import AlignmentError, FileError, ParameterError, listing, quoted
from riskrank.parameters import one_of
from riskrank.typing import MatrixRows, Missing

if TYPE_CHECKING:
    from riskrank.typing import Floats, MatrixLike, PathLike

TOPIC_NAMES = {"id", "topic", "topics", "topic_id", "query", "query_id", "qid"}
SYSTEM_NAMES = {"system", "systems", "run", "runs", "name", "model"}
SUMMARY_ROWS = {"all", "amean", "average", "avg", "mean"}
LABEL_NAMES = TOPIC_NAMES | SYSTEM_NAMES | {""}


def read_scores(
    source: MatrixLike, *, measure: str | None = None, rows: MatrixRows = "auto", missing: Missing = "zero"
) -> Effectiveness:
    """Scores of systems on topics, from a CSV, TSV or Parquet file or a pandas or Polars frame.

    The first line names the columns. A column named topic (or query, qid, …) labels the rows as topics, one named
    system (or run, model, …) as systems.

    Parameters
    ----------
    source
        A path, a frame, or an `Effectiveness`, which stays as it is.
    measure
        What the scores are; by default the name of the file.
    rows
        What the rows are: ``"topics"`` or ``"systems"``. ``"auto"`` goes by the label column; without one, rows are
        topics, unless only the columns are numbered.
    missing
        What becomes of empty cells (NaN in frames and Parquet): they score ``"zero"``, their topics are dropped for
        all systems (``"intersect"``), or they are an ``"error"``.
    """
    one_of("rows", rows, get_args(MatrixRows))
    one_of("missing", missing, get_args(Missing))
    if isinstance(source, Effectiveness):
        return source
    if isinstance(source, str | os.PathLike):
        name = os.fspath(source)
        frame = read_parquet(source) if is_parquet(source) else _read_text(source)
        default = Path(without_ending(name)).stem
    elif is_frame(source):
        name = default = "scores"
        frame = _as_polars(source)
    else:
        raise ParameterError(f"scores must be a path or a frame, got {type(source).__name__}.")
    try:
        systems, topics, matrix = _oriented(_labels_first(frame), rows)
        return _completed(systems, topics, matrix, measure or default, missing)
    except AlignmentError as problem:
        raise AlignmentError(f"{name}: {problem}") from None


def _completed(systems: list[str], topics: list[str], matrix: Floats, measure: str, missing: Missing) -> Effectiveness:
    if not systems or not topics:
        raise AlignmentError("needs at least one system and one topic.")
    summary = next((topic for topic in topics if topic.lower() in SUMMARY_ROWS), None)
    if summary is not None:
        raise AlignmentError(f"{quoted(summary)} looks like a summary over topics. Leave it out.")
    names = np.array(topics, dtype=object)
    absent = np.isnan(matrix)
    lacking = {system: tuple(names[gone]) for system, gone in zip(systems, absent, strict=True) if gone.any()}
    if lacking and missing == "error":
        system, topic = next((system, gone[0]) for system, gone in lacking.items())
        raise AlignmentError(
            f"system {quoted(system)} has no score for topic {quoted(topic)}. Pass missing='zero' to score it 0."
        )
    is_kept = np.full(len(topics), True)
    if missing == "intersect":
        is_kept[absent.any(axis=0)] = False
        lacking = {}
        if not is_kept.any():
            raise AlignmentError("no topic has a score of every system.")
    return Effectiveness(
        measure, tuple(systems), tuple(names[is_kept]), np.nan_to_num(matrix[:, is_kept], nan=0.0),
        description=AS_GIVEN, missing=lacking, dropped=tuple(names[~is_kept]),
    )  # fmt: skip


def _oriented(frame: pl.DataFrame, rows: MatrixRows) -> tuple[list[str], list[str], Floats]:
    """Systems, topics and their numbers."""
    if not frame.width or not frame.height:
        raise AlignmentError("needs at least one system and one topic.")
    first = frame.columns[0]
    kind = first.strip().lower()
    cells = frame[first].to_list()
    rest = [value for column in frame.columns[1:] for value in frame[column].to_list()]
    has_labels = kind in LABEL_NAMES or not frame.dtypes[0].is_numeric() or _are_numbered(cells, rest)
    columns = frame.columns[1:] if has_labels else frame.columns
    if rows != "auto":
        rows_are_systems = rows == "systems"
    elif kind in TOPIC_NAMES | SYSTEM_NAMES:
        rows_are_systems = kind in SYSTEM_NAMES
    else:  # numbered columns are topics, unless the rows are numbered too
        numbered_rows = has_labels and all(str(cell).isdigit() for cell in cells)
        rows_are_systems = bool(columns) and all(c.isdigit() for c in columns) and not numbered_rows
    if not has_labels and any(finite_number(c) is not None and not c.isdigit() for c in columns):
        raise AlignmentError(f"the first line must name the columns, got {listing(columns, limit=3)}.")
    labels = [_label(cell) for cell in cells] if has_labels else [str(i + 1) for i in range(frame.height)]
    table = np.empty((frame.height, len(columns)))
    for i, column in enumerate(columns):
        series = frame[column]
        if not (series.dtype.is_numeric() or series.dtype == pl.Null):
            raise AlignmentError(f"column {quoted(column)} must hold numbers, got {quoted(str(series[0]))}.")
        table[:, i] = series.cast(pl.Float64).to_numpy()
        bad = np.flatnonzero(np.abs(table[:, i]) > LARGEST_SCORE)
        if len(bad):
            raise AlignmentError(
                f"column {quoted(column)}, row {bad[0] + 1}: scores must be finite, at most {LARGEST_SCORE:g}."
            )
    return (labels, columns, table) if rows_are_systems else (columns, labels, table.T)


def _read_text(path: PathLike) -> pl.DataFrame:
    """A CSV or TSV file, each cell checked, so that a mistake is named with its line."""
    header, *rows = read_rows(path)
    check_rows(path, header, rows)
    columns: dict[str, Any] = {}
    for i, title in enumerate(header.cells):
        cells = [(line, row[i]) for line, row in rows]
        texts = [cell for _, cell in cells]
        is_label = title.lower() in TOPIC_NAMES | SYSTEM_NAMES or (
            i == 0
            and (
                title.lower() in LABEL_NAMES
                or _are_numbered(texts, [cell for _, row in rows for cell in row[1:]])
                or not all(finite_number(cell) is not None or not cell for cell in texts)
            )
        )
        columns[title] = pl.Series(title, texts, dtype=pl.String) if is_label else _numbers(path, title, cells)
    return pl.DataFrame(columns)


def _are_numbered(cells: list[Any], others: list[Any]) -> bool:
    """Are these labels rather than scores: different whole numbers, not just 0 and 1, beside fractions?"""
    texts = {_label(cell) for cell in cells}
    is_numbering = len(texts) == len(cells) and all(t.isdigit() for t in texts) and not texts <= {"0", "1"}
    return is_numbering and not all(_label(other).isdigit() for other in others)


def _labels_first(frame: pl.DataFrame) -> pl.DataFrame:
    """The column that names topics or systems in front; an unnamed index beside it is left out."""
    named = [c for c in frame.columns if c.strip().lower() in TOPIC_NAMES | SYSTEM_NAMES]
    if not named or named[0] == frame.columns[0]:
        return frame
    index = frame.columns[0].strip().lower()
    left_out = {named[0]} | ({frame.columns[0]} if index == "" or index.startswith("unnamed:") else set())
    return frame.select(named[0], *(c for c in frame.columns if c not in left_out))


def _label(value: Any) -> str:
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return "" if value is None else str(value)


def _numbers(path: PathLike, title: str, cells: list[tuple[int, str]]) -> pl.Series:
    values: list[float | None] = []
    for line, cell in cells:
        value = finite_number(cell)
        if cell and value is None:
            raise FileError(path, f"column {quoted(title)} must hold finite numbers, got {quoted(cell)}.", line=line)
        values.append(value)
    return pl.Series(title, values, dtype=pl.Float64)


def _as_polars(source: Any) -> pl.DataFrame:
    if isinstance(source, pl.LazyFrame):
        return source.collect()
    if isinstance(source, pl.DataFrame):
        return source
    named = source.index.name is not None or not source.index.equals(type(source)(index=range(len(source))).index)
    if len(set(source.columns)) < len(source.columns):
        raise AlignmentError(f"scores: a column stands twice, among {listing(source.columns)}.")
    columns = {str(c): source[c].to_list() for c in source.columns}
    if named:
        columns = {str(source.index.name or ""): [str(v) for v in source.index], **columns}
    return pl.DataFrame(columns, strict=False)
