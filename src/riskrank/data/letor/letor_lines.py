"""LETOR lines in plain Python: the authority on what is accepted and on what an error says."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from riskrank.data.numbers import decimal_number, finite_number
from riskrank.errors import FileError, quoted

if TYPE_CHECKING:
    from collections.abc import Iterable

    from riskrank.typing import Floats, Integers, PathLike, Singles

OVERFLOW = 3.4028235677973366e38  # the midpoint beyond the largest float32: from here on, infinity
MISSING_FROM, MISSING_TO = 1.797e308, Decimal("1.7977e308")  # the largest double, which some round up
MAX_FEATURE = 1_000_000  # a number beyond this is a mistake, not a matrix to allocate

_COMMENT_ID = re.compile(rb"[#\s]*(?:docid\s*=\s*)?(\S*)", re.IGNORECASE)


@dataclass(frozen=True)
class Block:
    """Some consecutive documents; `query_starts` are (query id, first row) of rows with the same query.

    `n_values`: how many features their lines name, in all.
    """

    features: Singles
    labels: Floats
    query_starts: list[tuple[str, int]]
    document_ids: list[str] | None
    n_values: int


def parse_lines(text: bytes, path: PathLike, *, zero_based: bool, first_line: int = 1) -> Block:
    """Parse whole lines; `path` and `first_line` are for messages."""
    base = 0 if zero_based else 1
    labels: list[float] = []
    query_starts: list[tuple[str, int]] = []
    ids: list[str] = []
    columns: list[Integers] = []
    values: list[float] = []
    lines = text.split(b"\n")
    line_of_row: list[int] = []
    previous_numbers: list[bytes] = []
    previous_columns = np.empty(0, np.int64)
    for position, line in enumerate(lines):
        content, _, comment = line.partition(b"#")
        fields = content.split()
        if not fields:
            continue
        try:
            label, query = _label_and_query(fields)
            named = dict([field.split(b":") for field in fields[1 if query is None else 2 :]])
            numbers = list(named)
            if numbers != previous_numbers:  # most lines name the same features as the line before
                previous_columns = _columns(numbers, base)
                previous_numbers = numbers
            row = _numbers(named.values())
            document = matched[1].decode() if comment and (matched := _COMMENT_ID.match(comment)) else ""
            if len(row) != len(fields) - (1 if query is None else 2) or b"_" in b"".join(named.values()):
                raise ValueError
        except ValueError:
            raise FileError(path, _explanation(line, base), line=first_line + position) from None
        if labels and (query is None) != (not query_starts):
            raise FileError(path, "either every line needs 'qid:' or none.", line=first_line + position)
        if query is not None and (not query_starts or query_starts[-1][0] != query):
            query_starts.append((query, len(labels)))
        labels.append(label)
        ids.append(document)
        line_of_row.append(position)
        columns.append(previous_columns)
        values.extend(row)
    texts = _Texts(path, lines, line_of_row, base, first_line)
    return Block(
        _matrix(columns, np.array(values), texts), np.array(labels), query_starts, ids if ids and all(ids) else None,
        len(values),
    )  # fmt: skip


class _Texts(NamedTuple):
    """The lines of a block, and which of them each row is from."""

    path: PathLike
    lines: list[bytes]
    line_of_row: list[int]
    base: int
    first_line: int

    def value(self, row: int, place: int) -> bytes:
        """The text of a row's value, counted from the end."""
        fields = self.lines[self.line_of_row[row]].partition(b"#")[0].split()
        return fields[place].partition(b":")[2]

    def error(self, row: int) -> FileError:
        position = self.line_of_row[row]
        return FileError(self.path, _explanation(self.lines[position], self.base), line=self.first_line + position)


def _matrix(columns: list[Integers], doubles: Floats, texts: _Texts) -> Singles:
    """Rows × features from the columns and values of each row."""
    lengths = [len(c) for c in columns]
    rows = np.repeat(np.arange(len(columns)), lengths)
    starts = np.cumsum([0, *lengths])

    def value_text(at: int) -> bytes:
        return texts.value(rows[at], at - starts[rows[at] + 1])

    for at in np.flatnonzero(np.abs(doubles) >= OVERFLOW).tolist():
        if not is_missing(value_text(at)):
            raise texts.error(rows[at])
        doubles[at] = np.nan
    flat_columns = np.concatenate([np.empty(0, np.int64), *columns])
    features = np.zeros((len(columns), int(flat_columns.max(initial=-1)) + 1), np.float32)
    with np.errstate(under="ignore"):
        features[rows, flat_columns] = doubles
    for at in _near_midpoint(doubles):
        features[rows[at], flat_columns[at]] = exact_float32(value_text(at))
    return features


def is_missing(text: bytes) -> bool:
    """Does a value say that there is none: ``NULL``, or the largest double, as in Istella's files?

    >>> is_missing(b"null"), is_missing(b"-1.79769313486232e+308"), is_missing(b"1e300")
    (True, True, False)
    """
    if text.upper() == b"NULL":
        return True
    value = decimal_number(text)
    if value is None or math.isnan(value) or abs(value) < MISSING_FROM:
        return False
    return b"n" not in text.lower() and Decimal(text.decode()).copy_abs() <= MISSING_TO


def _numbers(texts: Iterable[bytes]) -> list[float]:
    try:
        return list(map(float, texts))
    except ValueError:
        return [math.nan if is_missing(text) else float(text) for text in texts]


def exact_float32(text: bytes) -> np.float32:
    """The float32 nearest to decimal text, ties to even, by exact arithmetic.

    >>> float(exact_float32(b"16777217.0000000000000000001"))  # above the midpoint of two float32
    16777218.0
    """
    value = float(text)
    if value == 0 or math.isnan(value):
        return np.float32(value)
    if abs(value) >= OVERFLOW:
        return np.float32(math.copysign(math.inf, value))
    exact = Fraction(text.decode())
    with np.errstate(under="ignore"):
        guess = np.float32(value)
    with np.errstate(over="ignore", under="ignore"):
        candidates = [np.nextafter(guess, np.float32(-np.inf)), guess, np.nextafter(guess, np.float32(np.inf))]

    def distance(candidate: np.float32) -> tuple[Fraction, int]:
        is_odd = int(np.array(candidate).view(np.uint32)) & 1
        return abs(Fraction(float(candidate)) - exact), is_odd

    return min((c for c in candidates if np.isfinite(c)), key=distance)


def _near_midpoint(doubles: Floats) -> list[int]:
    """Where rounding the text to a double and then to float32 might differ from rounding it once."""
    with np.errstate(under="ignore", over="ignore", invalid="ignore"):
        low, high = ((doubles * factor).astype(np.float32) for factor in (1 - 2.0**-51, 1 + 2.0**-51))
    near: list[int] = np.flatnonzero((low != high) & ~np.isnan(doubles)).tolist()
    return near


def _label_and_query(fields: list[bytes]) -> tuple[float, str | None]:
    label = float(fields[0])
    if not math.isfinite(label) or b"_" in fields[0]:
        raise ValueError
    if len(fields) == 1 or not fields[1].lower().startswith(b"qid:"):
        return label, None
    if len(fields[1]) == 4:
        raise ValueError
    return label, fields[1][4:].decode()


def _columns(numbers: list[bytes], base: int) -> Integers:
    if not all(number.isdigit() and len(number) < 10 for number in numbers):
        raise ValueError
    columns = np.array(numbers, dtype="S9").astype(np.int64) - base
    ordered = np.sort(columns)
    if len(columns) and (ordered[0] < 0 or ordered[-1] >= MAX_FEATURE or (ordered[1:] == ordered[:-1]).any()):
        raise ValueError
    return columns


def _explanation(line: bytes, base: int) -> str:
    """What is wrong with a line that could not be parsed."""
    try:
        line.decode()
    except UnicodeDecodeError:
        return "is not UTF-8 text. Convert it first."
    fields = line.partition(b"#")[0].split()
    if finite_number(fields[0]) is None:
        return f"label must be a finite number, got {_shown(fields[0])}."
    if len(fields) > 1 and fields[1].lower() == b"qid:":
        return "'qid:' must be followed by the query's id."
    has_query = len(fields) > 1 and fields[1].lower().startswith(b"qid:")
    seen = set()
    for field in fields[2 if has_query else 1 :]:
        index, _, value = field.partition(b":")
        if not index.isdigit() or not value or b":" in value:
            return f"a feature must look like 'number:value', got {_shown(field)}."
        if len(index) > 9 or int(index) - base >= MAX_FEATURE:
            return f"feature numbers must stay below {MAX_FEATURE}, got {_shown(index)}."
        if int(index) < base:
            return "feature numbers start at 1, got 0. Pass zero_based=True if the file counts from 0."
        if int(index) in seen:
            return f"feature {int(index)} stands twice."
        seen.add(int(index))
        parsed = decimal_number(value)
        if (parsed is None or abs(parsed) >= OVERFLOW) and not is_missing(value):
            return f"feature value must be a number within float32, or nan, got {_shown(value)} (in {_shown(field)})."
    return f"cannot be understood (near {_shown(line)})."


def _shown(text: bytes) -> str:
    return quoted(text.decode(errors="replace"))
