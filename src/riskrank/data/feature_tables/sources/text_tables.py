"""Tables as text: CSV, TSV and JSON lines, with the line of every row for messages."""

from __future__ import annotations

import csv
import io
import json
from typing import TYPE_CHECKING

import polars as pl

from riskrank.data.feature_tables.sources.table_source import HeldTable
from riskrank.data.files import read_bytes
from riskrank.data.tables.table_files import check_letters, separator_of
from riskrank.errors import FileError, counted, first_duplicate, listing, one_line, quoted

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

    from riskrank.typing import PathLike

    IdsAmong = Callable[[Sequence[str]], Collection[str]]  # of columns, those that are names even if they are numbers

ROWS_LOOKED_AT = 10_000  # to tell the types of columns; if later ones differ, all are looked at
ABSENT = ("", "na", "n/a", "nan", "null", "none", "nil", "-", "\\n", "#n/a")  # cells without a value, in small letters


def csv_table(path: PathLike, ids_among: IdsAmong) -> HeldTable:
    """A CSV or TSV file, the first line of which names the columns."""
    content = read_bytes(path)
    head = content.lstrip(b"\r\n").partition(b"\n")[0]
    check_letters(path, head)
    first = head.decode()
    separator = separator_of(first)
    names = _header(path, first.rstrip("\r"), separator)
    table = _parsed(path, content, separator, names, ids_among)
    if not table.height:
        raise FileError(path, "has no line below the names of its columns.", line=1)
    if table.to_series(table.width - 1).null_count():
        _check_lengths(path, content, separator, len(names))
    has_cells = table.select(pl.any_horizontal(pl.all().is_not_null())).to_series()

    def line_of(row: int) -> int:
        before = table.head(has_cells.arg_true()[row])
        texts = before.select(pl.selectors.string())
        breaks = texts.select(pl.sum_horizontal(pl.all().str.count_matches("\n", literal=True)).sum()).item()
        return int(before.height + (breaks or 0) + 2) if texts.width else before.height + 2

    kept = table if has_cells.all() else table.filter(has_cells)
    ids = ids_among(names)
    return HeldTable(kept.with_columns(_as_numbers(s) for s in kept if s.dtype == pl.String and s.name not in ids),
                     path, line_of)  # fmt: skip


def _header(path: PathLike, line: str, separator: str) -> list[str]:
    try:
        names = [cell.strip() for cell in next(csv.reader([line], delimiter=separator))]
    except csv.Error as problem:
        raise FileError(path, f"is not a CSV file ({one_line(str(problem))}). Write it anew.", line=1) from None
    twice = first_duplicate(names)
    if twice is not None:
        raise FileError(path, f"column {quoted(twice)} stands twice. Rename one of them.", line=1)
    return names


def _parsed(path: PathLike, content: bytes, separator: str, names: list[str], ids_among: IdsAmong) -> pl.DataFrame:
    texts = {f"{names.index(name)}": pl.String for name in ids_among(names)}
    problem: Exception | None = None
    for looked_at in (ROWS_LOOKED_AT, None):
        try:
            table = pl.read_csv(
                content, separator=separator, has_header=False, skip_rows=1, infer_schema_length=looked_at,
                new_columns=[str(number) for number in range(len(names))], schema_overrides=texts,
            )  # fmt: skip
        except pl.exceptions.NoDataError:
            raise FileError(path, "has no line below the names of its columns.", line=1) from None
        except (pl.exceptions.PolarsError, ValueError) as error:
            problem = error
        else:
            if table.width == len(names):
                return table.rename(dict(zip(table.columns, names, strict=True)))
            problem = ValueError(f"{counted(table.width, 'column')} for {counted(len(names), 'name')}")
    check_letters(path, content)
    _check_lengths(path, content, separator, len(names))
    reason = one_line(str(problem).partition("\n")[0], limit=200)
    raise FileError(path, f"cannot be read as a table of {listing(names)} ({reason}).")


def _check_lengths(path: PathLike, content: bytes, separator: str, width: int) -> None:
    """Refuse lines with more or fewer cells than the first, which is what a file that was cut ends with."""
    text = io.StringIO(content.decode(errors="replace"), newline="")
    reader, line = csv.reader(text, delimiter=separator), 1
    try:
        for cells in reader:
            if len(cells) not in (0, width):
                needed = f"needs {counted(width, 'cell')} as the first line, got {len(cells)}."
                raise FileError(path, f"{needed} Put cells with separators in quotes.", line=line)
            line = reader.line_num + 1
    except csv.Error as problem:
        raise FileError(path, f"is not a CSV file ({problem}). Write it anew.", line=line) from None


def _as_numbers(texts: pl.Series) -> pl.Series:
    """Numbers, if all cells that hold anything are numbers; otherwise the texts as they are."""
    stripped = texts.str.strip_chars()
    numbers = stripped.cast(pl.Float64, strict=False)
    is_odd = numbers.is_null() & stripped.is_not_null()
    if is_odd.any() and not stripped.filter(is_odd).str.to_lowercase().is_in(ABSENT).all():
        return texts
    return numbers


def json_table(path: PathLike) -> HeldTable:
    """JSON lines: an object with the same entries on each line."""
    content = read_bytes(path)
    if content.lstrip().startswith(b"["):
        raise FileError(path, "is a JSON array; JSON lines are needed, with an object on each line.")
    try:
        frame = pl.read_ndjson(content, infer_schema_length=None)
    except (pl.exceptions.PolarsError, ValueError) as error:
        check_letters(path, content)
        _check_json_lines(path, content)
        reason = one_line(str(error).partition("\n")[0], limit=200)
        raise FileError(path, f"cannot be read as JSON lines ({reason}).") from None
    lines = [number for number, line in enumerate(content.split(b"\n"), start=1) if line.strip()]
    first = list(json.loads(content.lstrip().partition(b"\n")[0]))  # Polars has no order of its own
    known = set(frame.columns)
    names = [*(name for name in first if name in known), *sorted(known.difference(first))]
    return HeldTable(frame.select(names), path, lines.__getitem__ if len(lines) == frame.height else None)


def _check_json_lines(path: PathLike, content: bytes) -> None:
    for number, line in enumerate(content.split(b"\n"), start=1):
        try:
            if line.strip() and not isinstance(json.loads(line), dict):
                raise ValueError
        except (ValueError, RecursionError):
            shown = quoted(line.decode(errors="replace"))
            raise FileError(path, f"must be a JSON object, got {shown}.", line=number) from None
