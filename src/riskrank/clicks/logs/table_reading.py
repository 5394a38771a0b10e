"""Reading logs that are plain tables, a batch of whole sessions at a time: CSV by lines, Parquet by rows."""

from __future__ import annotations

import io
import itertools
import os
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
import polars as pl

from riskrank.clicks.impressions import Impressions
from riskrank.clicks.logs import table_columns as columns_of
from riskrank.clicks.logs.log_report import LogReport
from riskrank.data.files import UTF8_BOM, check_text, opened, read_head, whole_lines
from riskrank.data.tables.parquet_damage import damage_told, parquet_told
from riskrank.data.tables.table_files import separator_of
from riskrank.errors import FileError, listing, one_line, quoted

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from riskrank.typing import Booleans, Floats, Integers, PathLike

T = TypeVar("T")

NEEDED = ("session", "query", "position", "document", "clicked")
KNOWN = (*NEEDED, "user", "time", "day", "dwell", "click_time", "domain", "score", "terms")
NAMES = ("session", "query", "document", "user", "domain")
BLOCK = 8 << 20  # bytes of text read at a time
ROWS = 200_000  # rows of Parquet read at a time
NO_SECONDS = 1e11  # a time of this many seconds is not meant
ROW = "row in the file"
NEWLINE = 10


def read_click_table(
    path: PathLike, *, strict: bool = False, report: LogReport | None = None, block: int = BLOCK, rows: int = ROWS
) -> Iterator[Impressions]:
    """Batches of a table, each of whole sessions.

    Rows that make no sense (no session, query or document, a position that is no number from 1) are counted in
    `report`, or with `strict` end the reading.
    """
    counted = LogReport() if report is None else report
    rest: pl.DataFrame | None = None
    before: set[Any] = set()
    more: list[pl.DataFrame] = []
    names: list[str] = []
    for part in itertools.chain(_ahead(_frames(path, block, rows)), [None]):
        if part is not None:
            frame, odd = part
            names = frame.columns
            more.append(_understood(frame, odd, path, strict, counted))
            if rest is not None and sum(map(len, more)) < len(rest):
                continue  # a session longer than all that came since: it is looked at again when it has doubled
        if not more:
            break
        known = pl.concat(more if rest is None else [rest, *more])
        more = []
        starts = np.flatnonzero(_new_sessions(known))
        if not len(starts):
            continue
        before = _check_together(known, starts, before, path)
        if "time" in names:
            _check_order(known, path)
        done, rest = known[: starts[-1]], known[int(starts[-1]) :]
        if len(done):
            yield _impressions(done, counted, of_queries="terms" not in names)
    if rest is not None:
        yield _impressions(rest, counted, of_queries="terms" not in names)


def _ahead(frames: Iterator[T]) -> Iterator[T]:
    """The same, each read while the one before it is worked on."""
    with ThreadPoolExecutor(1) as pool:
        coming = pool.submit(next, frames, None)
        while (frame := coming.result()) is not None:
            coming = pool.submit(next, frames, None)
            yield frame


def _frames(path: PathLike, block: int, rows: int) -> Iterator[tuple[pl.DataFrame, list[int]]]:
    """The rows as they are, a part at a time, with their number in the file; and numbers of lines that are none."""
    if os.fspath(path).endswith((".parquet", ".pq")):
        with parquet_told(path):
            lazy = pl.scan_parquet(os.fspath(path), glob=False)
            schema = lazy.collect_schema()
            names = schema.names()
        _check_columns(path, names)
        _check_types(path, {name: kind for name, kind in schema.items() if name in KNOWN})
        with damage_told(path):  # no slices: for each, Polars would read what stands before it in its row group again
            wanted = lazy.select(name for name in names if name in KNOWN)
            frames = iter(wanted.collect_batches(chunk_size=rows, maintain_order=True))
        start = 1
        while True:
            with damage_told(path):
                frame = next(frames, None)
            if frame is None:
                return
            yield frame.with_row_index(ROW, offset=start), []
            start += len(frame)
    check_text(path, read_head(path))
    with opened(path) as file:
        header = file.readline().removeprefix(UTF8_BOM).decode(errors="replace").strip()
        if not header:
            raise FileError(path, "is empty.")
        separator = separator_of(header)
        names = [name.strip().strip('"').strip() for name in header.split(separator)]
        _check_columns(path, names)
        start = 2
        for text in whole_lines(iter(lambda: file.read(block), b"")):
            yield _csv(path, text, names, separator, start)
            start += text.count(b"\n")


def _csv(path: PathLike, text: bytes, names: list[str], separator: str, start: int) -> tuple[pl.DataFrame, list[int]]:
    """A row is a line; blank ones are left out, and those with half a quotation have no meaning."""
    columns = [name if name in KNOWN else f"unused {number}" for number, name in enumerate(names)]
    ends = np.flatnonzero(np.frombuffer(text, np.uint8) == NEWLINE)
    lengths = np.diff(ends, prepend=-1) - 1
    kept = np.arange(len(ends) + (not text.endswith(b"\n")))
    odd: list[int] = []
    if b'"' in text or (lengths < 2).any():  # rarely: each line is looked at
        lines = text.split(b"\n")
        odd = [number for number, line in enumerate(lines) if line.count(b'"') % 2]
        kept = np.array([k for k, line in enumerate(lines) if line.strip() and not line.count(b'"') % 2], np.int64)
        text = b"\n".join(lines[number] for number in kept)
    try:
        frame = pl.read_csv(
            io.BytesIO(separator.join(columns).encode() + b"\n" + text), separator=separator,
            truncate_ragged_lines=True, encoding="utf8-lossy", infer_schema=False,
        )  # fmt: skip
    except pl.exceptions.PolarsError as error:
        raise FileError(path, f"cannot be read as CSV ({str(error).splitlines()[0]}).", line=start) from None
    numbers = pl.Series(ROW, kept + start)
    return frame.select(numbers, *(name for name in columns if name in KNOWN)), [start + number for number in odd]


def _check_types(path: PathLike, types: Mapping[str, pl.DataType]) -> None:
    """Refuse columns of lists and records; terms may be lists of words or numbers."""
    for name, kind in types.items():
        each = kind.inner if name == "terms" and isinstance(kind, pl.List | pl.Array) else kind
        if each.is_nested() or each == pl.Object or (each is not kind and each == pl.Binary):
            raise FileError(path, f"column {quoted(name)} holds {one_line(str(kind))}, single values are needed.")


def _check_columns(path: PathLike, names: list[str]) -> None:
    missing = [name for name in NEEDED if name not in names]
    if missing:
        raise FileError(path, f"has no column {listing(missing)}; it has {listing(names)}.")
    twice = [name for name in KNOWN if names.count(name) > 1]
    if twice:
        raise FileError(path, f"has the column {twice[0]} twice.")


def _understood(frame: pl.DataFrame, odd: list[int], path: PathLike, strict: bool, report: LogReport) -> pl.DataFrame:
    """The rows with all that is needed, as numbers; others are counted."""
    frame = frame.with_columns(pl.selectors.categorical().cast(pl.Utf8), pl.selectors.enum().cast(pl.Utf8))
    columns: dict[str, pl.Series] = {ROW: frame[ROW].cast(pl.Int64)}
    columns |= {name: columns_of.identities(frame[name]) for name in NAMES if name in frame.columns}
    if "domain" not in frame.columns and frame["document"].dtype == pl.Utf8:
        hosts = frame["document"].str.extract(r"^\s*[A-Za-z][\w+.-]*://([^/?#\s]+)", 1)
        columns["domain"] = columns_of.identities(hosts)
    columns["clicked"] = columns_of.truths(frame["clicked"])
    none = pl.repeat(None, len(frame), dtype=pl.Float64, eager=True)
    is_good = pl.repeat(True, len(frame), eager=True)
    readers = {
        "position": columns_of.numbers, "time": columns_of.seconds, "day": columns_of.days,
        "dwell": columns_of.numbers, "click_time": columns_of.seconds, "score": columns_of.numbers,
    }  # fmt: skip
    for name, reader in readers.items():
        columns[name], is_odd = reader(frame[name]) if name in frame.columns else (none, ~is_good)
        is_good &= ~is_odd
    if "time" not in frame.columns:
        columns["time"] = none.fill_null(0.0)
    elif len(frame) and (columns["time"] > NO_SECONDS).sum() > len(frame) / 2:
        raise FileError(path, "has times that look like milliseconds. Give seconds, or timestamps.")
    if "day" not in frame.columns and "time" in frame.columns:
        columns["day"] = (columns["time"] / columns_of.DAY).floor()
    for name in ("user", "domain", "day"):
        columns[name] = columns.get(name, none).cast(pl.Int64).fill_null(-1)
    if "terms" in frame.columns or frame["query"].dtype == pl.Utf8:
        columns["terms"] = frame["terms" if "terms" in frame.columns else "query"]  # told apart for each page, later
    for name in ("session", "query", "document", "position", "clicked", "time"):
        is_good &= columns[name].is_not_null()
    is_good &= (columns["position"] >= 1).fill_null(value=False) & (columns["dwell"].fill_null(0.0) >= 0)
    read = pl.DataFrame({name: series.alias(name) for name, series in columns.items()})
    bad = sorted([*odd, *read.filter(~is_good)[ROW].to_list()])
    if bad and strict:
        what = "row is not understood: it needs a session, query and document, a position from 1, and whether clicked."
        raise FileError(path, what, line=bad[0])
    report.lines += len(frame) + len(odd)
    report.add_bad(path, bad)
    return read.filter(is_good) if bad else read


def _new_sessions(frame: pl.DataFrame) -> Booleans:
    return _changes(frame["session"]) | _changes(frame["user"])


def _changes(values: pl.Series) -> Booleans:
    array = values.to_numpy()
    return np.concatenate([[True], array[1:] != array[:-1]])[: len(array)]


def _check_together(frame: pl.DataFrame, starts: Integers, before: set[Any], path: PathLike) -> set[Any]:
    """Refuse sessions that appear again after others; returns those of this part."""
    seen: set[Any] = set()
    for number, key in enumerate(frame[starts].select("user", "session").rows()):
        if key in seen or (key in before and number > 0):
            what = "a session appears again after another one. Sort the table by session, time and position."
            raise FileError(path, what, line=int(frame[ROW][int(starts[number])]))
        seen.add(key)
    return seen


def _check_order(frame: pl.DataFrame, path: PathLike) -> None:
    """Refuse sessions that go back in time, and pages whose rows are mixed."""
    is_same = ~_new_sessions(frame)
    time, position = frame["time"].to_numpy(), frame["position"].to_numpy()
    is_page = is_same & ~_changes(frame["query"]) & ~_changes(frame["time"])
    falls = np.diff(time, prepend=time[0]) < 0
    mixed = (np.diff(position, prepend=position[0]) <= 0) & (position > 1)
    wrong = np.flatnonzero((is_same & falls) | (is_page & mixed))
    if len(wrong):
        what = "a session goes back in time, or a page in position. Sort the table by session, time and position."
        raise FileError(path, what, line=int(frame[ROW][int(wrong[0])]))


def _impressions(frame: pl.DataFrame, report: LogReport, *, of_queries: bool) -> Impressions:
    """The pages of whole sessions, counted; `of_queries`: terms are the queries themselves."""
    position, time = frame["position"].to_numpy(), frame["time"].to_numpy()
    is_session = _new_sessions(frame)
    is_page = is_session | _changes(frame["query"]) | _changes(frame["time"])
    is_page[1:] |= position[1:] <= position[:-1]
    first = np.flatnonzero(is_page)
    begin = time[is_session][np.cumsum(is_session) - 1]  # of each row's session
    dwell = np.where(frame["clicked"].to_numpy(), _floats(frame["dwell"].fill_null(np.inf)), np.nan)
    term, sizes = np.zeros(0, np.int64), np.zeros(len(first), np.int64)
    if "terms" in frame.columns:
        term, sizes = columns_of.terms(frame["terms"].gather(first), of_queries=of_queries)
    batch = Impressions(
        session=_whole(frame["session"])[first], query=_whole(frame["query"])[first], user=_whole(frame["user"])[first],
        day=_whole(frame["day"])[first], time=(time - begin)[first].astype(np.int64),
        document_offset=np.append(first, len(frame)), document=_whole(frame["document"]),
        domain=_whole(frame["domain"]), dwell=dwell, score=_floats(frame["score"]),
        click_time=np.where(np.isnan(dwell), np.nan, _floats(frame["click_time"]) - begin),
        term_offset=np.concatenate([[0], np.cumsum(sizes)]), term=term,
    )  # fmt: skip
    report.add(batch)
    return batch


def _whole(values: pl.Series) -> Integers:
    return values.to_numpy().astype(np.int64)


def _floats(values: pl.Series) -> Floats:
    return np.array(values.fill_null(float("nan")), np.float64)
