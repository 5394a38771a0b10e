"""What a table says of topics: the segment of each, or its weight."""

from __future__ import annotations

import math
import os
from collections.abc import Mapping
from dataclasses import dataclass
from numbers import Real
from typing import TYPE_CHECKING, Any, cast

import numpy as np
import polars as pl

from riskrank.data.frames import ACCEPTED_NAMES, is_frame
from riskrank.data.numbers import finite_number
from riskrank.data.tables.table_files import TextRow, check_rows, is_parquet, read_parquet, read_rows
from riskrank.errors import AlignmentError, FileError, RiskrankError, counted, first_duplicate, listing, nearest, quoted
from riskrank.weights import checked_weights

if TYPE_CHECKING:
    from collections.abc import Sequence

    from riskrank.typing import Floats, TopicColumnLike, WeightsLike

TOPIC_NAMES = frozenset({*ACCEPTED_NAMES["topic"], "topics", "id"})


def read_topic_texts(source: TopicColumnLike, *, what: str = "segments") -> dict[str, str]:
    """A text for each topic: ``{topic: text}``, a frame, or a CSV, TSV or Parquet file.

    The column that is named topic (or query, qid, …) has the topics, or else the first one. The texts are in the other
    column; of several, the one that is named behind the path: ``"queries.csv:device"``.
    """
    return {topic: "" if value is None else str(value) for topic, value in _read(source, what).pairs()}


def read_topic_numbers(source: TopicColumnLike, *, what: str = "weights") -> dict[str, float]:
    """A number from 0 for each topic, in the same forms."""
    table, numbers = _read(source, what), {}
    for row, (topic, value) in enumerate(table.pairs()):
        number = finite_number(value) if isinstance(value, str) else value
        if isinstance(number, bool) or not isinstance(number, Real) or not 0 <= float(number) < math.inf:
            raise table.error(f"topic {quoted(topic)} needs a number from 0, got {quoted(str(value))}.", row)
        numbers[topic] = float(number)
    return numbers


def weights_of_topics(source: WeightsLike, topics: Sequence[str], *, unit: str = "topic") -> Floats:
    """The weight of each topic, from a table of topics and weights, which may hold others, or one number for each."""
    if not isinstance(source, Mapping | str | os.PathLike) and not is_frame(source):
        return checked_weights(cast("Any", source), len(topics), unit=unit, names=topics)
    table = cast("TopicColumnLike", source)
    weight_of = read_topic_numbers(table)
    lacking = [topic for topic in topics if topic not in weight_of]
    if lacking:
        what = f"{len(lacking)} of {counted(len(topics), unit)} have no weight: {listing(lacking, limit=3)}."
        raise topic_column_error(table, "weights", f"{what} Give them one, 0 for none.")
    if topics and not any(weight_of[topic] for topic in topics):
        raise topic_column_error(table, "weights", f"all {counted(len(topics), unit)} have the weight 0.")
    return np.array([weight_of[topic] for topic in topics])


def path_and_column(text: str) -> tuple[str, str]:
    """A path, and the column that is named behind it."""
    path, colon, column = text.rpartition(":")
    return (path, column) if colon and not os.path.exists(text) and os.path.exists(path) else (text, "")


def topic_column_error(source: TopicColumnLike, what: str, message: str) -> RiskrankError:
    """What is wrong with a table as a whole, which is called by its path, or else `what`."""
    if isinstance(source, str | os.PathLike):
        return FileError(path_and_column(os.fspath(source))[0], message)
    return AlignmentError(f"{what}: {message}")


@dataclass(frozen=True)
class _Table:
    """Columns by name, and the column that is wanted; of a text file, `lines` says where its rows are."""

    source: TopicColumnLike
    what: str
    columns: Mapping[str, Sequence[Any]]
    wanted: str = ""
    lines: Sequence[int] = ()

    def pairs(self) -> list[tuple[str, Any]]:
        """Each topic, which must not stand twice, with its value."""
        topic, column = self._names()
        topics = [str(name) for name in self.columns[topic]]
        if not topics:
            raise self.error("names no topic. Add a line for each.")
        twice = first_duplicate(topics)
        if twice is not None:
            second = topics.index(twice, topics.index(twice) + 1)
            raise self.error(f"topic {quoted(twice)} stands twice. Keep one of its lines.", second)
        return list(zip(topics, self.columns[column], strict=True))

    def _names(self) -> tuple[str, str]:
        topic = next((c for c in self.columns if c.strip().lower() in TOPIC_NAMES), next(iter(self.columns), ""))
        others = [c for c in self.columns if c != topic]
        column = self.wanted or (others[0] if len(others) == 1 else "")
        if not column:
            example = f"{self._origin}:{others[0] if others else 'segment'}"
            has = f"has {len(others)} columns beside {quoted(topic)}"
            raise self.error(f"{has}: name the one that is meant, as in {example}.")
        if column not in others:
            raise self.error(f"no column {quoted(column)}, only {listing(others)}.{nearest(column, others)}")
        return topic, column

    @property
    def _origin(self) -> str:
        source = self.source
        return path_and_column(os.fspath(source))[0] if isinstance(source, str | os.PathLike) else self.what

    def error(self, message: str, row: int | None = None) -> RiskrankError:
        """An error at a row, or at the names of columns."""
        if not self.lines:
            return topic_column_error(self.source, self.what, message)
        return FileError(self._origin, message, line=self.lines[0 if row is None else row + 1])


def _read(source: TopicColumnLike, what: str) -> _Table:
    if isinstance(source, Mapping):
        return _Table(source, what, {"topic": list(source), "value": list(source.values())})
    if isinstance(source, str | os.PathLike):
        path, column = path_and_column(os.fspath(source))
        if is_parquet(path):
            return _Table(source, what, read_parquet(path).to_dict(as_series=False), column)
        names, rows = _named_rows(path)
        columns = {name: [row.cells[i] for row in rows[1:]] for i, name in enumerate(names)}
        return _Table(source, what, columns, column, [row.line for row in rows])
    if is_frame(source):
        table: Any = source.collect() if isinstance(source, pl.LazyFrame) else source
        return _Table(source, what, {str(c): table[c].to_list() for c in table.columns})
    raise AlignmentError(f"{what} must be a path, a frame or a dict, got {type(source).__name__}.")


def _named_rows(path: str) -> tuple[list[str], list[TextRow]]:
    """Names of columns, and the rows below a first one; without one that names topics, they are topic and value."""
    rows = read_rows(path)
    header = rows[0]
    if not any(cell.lower() in TOPIC_NAMES for cell in header.cells):
        if len(header.cells) != 2:
            message = f"needs a first line that names a column topic, got {listing(header.cells)}."
            raise FileError(path, message, line=header.line)
        header = TextRow(header.line, ["topic", "value"])
        rows = [header, *rows]
    check_rows(path, header, rows[1:])
    return header.cells, rows
