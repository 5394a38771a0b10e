"""What a table says of topics: the segment of each, or its weight."""

from __future__ import annotations

import csv
import io
import math
import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import polars as pl

from riskrank.data.files import read_bytes
from riskrank.data.frames import ACCEPTED_NAMES, is_frame
from riskrank.data.numbers import finite_number
from riskrank.data.scores.score_matrix import read_parquet
from riskrank.errors import AlignmentError, FileError, first_duplicate, listing, nearest, quoted

if TYPE_CHECKING:
    from riskrank.typing import PathLike, TopicColumnLike

TOPIC_NAMES = frozenset({*ACCEPTED_NAMES["topic"], "topics", "id"})


def read_topic_texts(source: TopicColumnLike, *, what: str = "segments") -> dict[str, str]:
    """A text for each topic: ``{topic: text}``, a frame, or a CSV, TSV or Parquet file.

    The column that is named topic (or query, qid, …) has the topics, or else the first one. The texts are in the other
    column; of several, the one that is named behind the path: ``"queries.csv:device"``.
    """
    return {topic: "" if value is None else str(value) for topic, value in _column(source, what)}


def read_topic_numbers(source: TopicColumnLike, *, what: str = "weights") -> dict[str, float]:
    """A number from 0 for each topic, in the same forms."""
    numbers = {}
    origin = os.fspath(source) if isinstance(source, str | os.PathLike) else what
    for topic, value in _column(source, what):
        number = finite_number(value) if isinstance(value, str) else value
        if isinstance(number, bool) or not isinstance(number, int | float) or not 0 <= number < math.inf:
            raise AlignmentError(f"{origin}: topic {quoted(topic)} needs a number from 0, got {quoted(str(value))}.")
        numbers[topic] = float(number)
    return numbers


def _column(source: TopicColumnLike, what: str) -> list[tuple[str, Any]]:
    if isinstance(source, Mapping):
        return [(str(topic), value) for topic, value in source.items()]
    if isinstance(source, str | os.PathLike):
        path, column = path_and_column(os.fspath(source))
        is_parquet = path.lower().endswith(".parquet")
        frame, origin = (read_parquet(path) if is_parquet else _read_text(path)), path
    elif is_frame(source):
        table: Any = source
        if isinstance(table, pl.LazyFrame):
            table = table.collect()
        frame, column, origin = (
            pl.DataFrame({str(c): table[c].to_list() for c in table.columns}, strict=False),
            "",
            what,
        )
    else:
        raise AlignmentError(f"{what} must be a path, a frame or a dict, got {type(source).__name__}.")
    pairs = _pairs(frame, column, origin)
    twice = first_duplicate([topic for topic, _ in pairs])
    if twice is not None:
        raise AlignmentError(f"{origin}: topic {quoted(twice)} stands twice.")
    return pairs


def path_and_column(text: str) -> tuple[str, str]:
    """A path, and the column that is named behind it."""
    path, colon, column = text.rpartition(":")
    return (path, column) if colon and not os.path.exists(text) and os.path.exists(path) else (text, "")


def _pairs(frame: pl.DataFrame, wanted: str, origin: str) -> list[tuple[str, Any]]:
    topic = next((c for c in frame.columns if c.strip().lower() in TOPIC_NAMES), frame.columns[0])
    others = [c for c in frame.columns if c != topic]
    column = wanted or (others[0] if len(others) == 1 else "")
    if not column:
        raise AlignmentError(
            f"{origin} has {len(others)} columns beside {quoted(topic)}: name the one that is meant, "
            f"as in {origin}:{others[0] if others else 'segment'}."
        )
    if column not in others:
        raise AlignmentError(f"{origin}: no column {quoted(column)}, only {listing(others)}.{nearest(column, others)}")
    return [(str(name), value) for name, value in zip(frame[topic].to_list(), frame[column].to_list(), strict=True)]


def _read_text(path: PathLike) -> pl.DataFrame:
    """A CSV or TSV file; without a first line that names a topic column, it has two columns: topic and value."""
    try:
        text = read_bytes(path).decode()
    except UnicodeDecodeError:
        raise FileError(path, "is not UTF-8 text. Convert it first.") from None
    separator = max(",;\t", key=text.partition("\n")[0].count)
    reader = csv.reader(io.StringIO(text), delimiter=separator)
    try:
        lines = [(reader.line_num, [cell.strip() for cell in row]) for row in reader if any(map(str.strip, row))]
    except csv.Error as problem:
        raise FileError(path, f"is not a CSV file ({problem}).", line=reader.line_num) from None
    header = lines[0][1]
    has_header = any(cell.lower() in TOPIC_NAMES for cell in header)
    if not has_header and len(header) != 2:
        raise FileError(path, f"needs a first line that names a column topic, got {listing(header)}.", line=1)
    names = header if has_header else ["topic", "value"]
    twice = first_duplicate(names)
    if twice is not None:
        raise FileError(path, f"column {quoted(twice)} stands twice.", line=1)
    rows = lines[has_header:]
    for line, row in rows:
        if len(row) != len(names):
            raise FileError(path, f"needs {len(names)} cells, got {len(row)}.", line=line)
    return pl.DataFrame({name: [row[i] for _, row in rows] for i, name in enumerate(names)})
