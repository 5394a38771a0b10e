"""Logs as plain tables (Parquet or CSV): a row per document shown, read a stretch at a time.

Columns: session, query, position, document, clicked; and where they are known user, time, day, dwell, domain, score and
terms. Rows of a session lie together, in the order of time and position. Numbers and texts of any kind name users,
sessions, queries and documents; times are seconds or timestamps. A click without a dwell time counts as one that ends
the session. Where there is no column for it, the day is told from the time, the domain from a document that is a URL,
the terms from a query that is text.
"""

from __future__ import annotations

import hashlib
import io
import itertools
import os
from typing import TYPE_CHECKING, Any

import numpy as np

from riskrank.clicks.impressions import Impressions
from riskrank.clicks.log_report import LogReport
from riskrank.data.files import UTF8_BOM, opened
from riskrank.errors import FileError, listing

if TYPE_CHECKING:
    from collections.abc import Iterator

    import polars as pl
    from numpy.typing import NDArray

    Integers = NDArray[np.int64]

NEEDED = ("session", "query", "position", "document", "clicked")
KNOWN = (*NEEDED, "user", "time", "day", "dwell", "domain", "score", "terms")
NAMES = ("session", "query", "document", "user", "domain")
BLOCK = 8 << 20  # bytes of text read at a time
ROWS = 200_000  # rows of Parquet read at a time
DAY = 86_400  # seconds
ROW = "row in the file"
TRUE, FALSE = ("1", "1.0", "true", "t", "yes"), ("0", "0.0", "false", "f", "no", "")
MOST_DIGITS = 18  # of a number that fits


def read_table(
    path: str | os.PathLike[str],
    *,
    strict: bool = False,
    report: LogReport | None = None,
    block: int = BLOCK,
    rows: int = ROWS,
) -> Iterator[Impressions]:
    """Stretches of a table, each of whole sessions.

    Rows that make no sense (no session, query or document, a position that is no number from 1) are counted in
    `report`, or with `strict` end the reading.
    """
    import polars as pl

    found = LogReport() if report is None else report
    rest: pl.DataFrame | None = None
    before: set[Any] = set()
    for frame in _frames(path, block, rows):
        good = _understood(frame, path, strict, found)
        whole = good if rest is None else pl.concat([rest, good])
        starts = _session_starts(whole)
        if not len(starts):
            continue
        before = _check_together(whole, starts, before, path)
        done, rest = whole[: starts[-1]], whole[int(starts[-1]) :]
        if len(done):
            yield _counted(done, found)
    if rest is not None:
        yield _counted(rest, found)


def _counted(frame: pl.DataFrame, report: LogReport) -> Impressions:
    part = _impressions(frame)
    report.add(part, lines=0)
    return part


def _frames(path: str | os.PathLike[str], block: int, rows: int) -> Iterator[pl.DataFrame]:
    """The rows as they are, a stretch at a time, with their number in the file."""
    import polars as pl

    if os.fspath(path).endswith((".parquet", ".pq")):
        try:
            lazy = pl.scan_parquet(os.fspath(path))
            _check_columns(path, lazy.collect_schema().names())
            total = lazy.select(pl.len()).collect().item()
            wanted = [name for name in lazy.collect_schema().names() if name in KNOWN]
            for start in range(0, total, rows):
                yield lazy.select(wanted).slice(start, rows).collect().with_row_index(ROW, offset=start + 1)
        except (OSError, pl.exceptions.PolarsError) as error:
            reason = "no such file" if isinstance(error, FileNotFoundError) else str(error).splitlines()[0]
            raise FileError(path, f"cannot be read as Parquet ({reason}).") from None
        return
    with opened(path) as file:
        header = file.readline().removeprefix(UTF8_BOM)
        separator = max(",;\t", key=header.decode(errors="replace").count)
        names = [name.strip().strip('"') for name in header.decode(errors="replace").strip().split(separator)]
        _check_columns(path, names)
        rest, start = b"", 2
        while more := file.read(block):
            text = rest + more
            cut = text.rfind(b"\n") + 1
            rest = text[cut:]
            if cut:
                frame = _csv(path, text[:cut], names, separator).with_row_index(ROW, offset=start)
                start += text.count(b"\n", 0, cut)
                yield frame
        if rest.strip():
            yield _csv(path, rest, names, separator).with_row_index(ROW, offset=start)


def _csv(path: str | os.PathLike[str], text: bytes, names: list[str], separator: str) -> pl.DataFrame:
    import polars as pl

    try:
        frame = pl.read_csv(
            io.BytesIO(text), has_header=False, new_columns=names, schema=dict.fromkeys(names, pl.Utf8),
            separator=separator, truncate_ragged_lines=True, encoding="utf8-lossy", infer_schema=False,
        )  # fmt: skip
    except pl.exceptions.PolarsError as error:
        raise FileError(path, f"cannot be read as CSV ({str(error).splitlines()[0]}).") from None
    return frame.select(name for name in names if name in KNOWN)


def _check_columns(path: str | os.PathLike[str], names: list[str]) -> None:
    missing = [name for name in NEEDED if name not in names]
    if missing:
        raise FileError(path, f"has no column {listing(missing)}; it has {listing(names)}.")
    twice = [name for name in KNOWN if names.count(name) > 1]
    if twice:
        raise FileError(path, f"has the column {twice[0]} twice.")


def _understood(frame: pl.DataFrame, path: str | os.PathLike[str], strict: bool, report: LogReport) -> pl.DataFrame:
    """The rows with all that is needed, as numbers; others are counted."""
    import polars as pl

    names = [name for name in NAMES if name in frame.columns]
    if "domain" not in frame.columns and frame["document"].dtype == pl.Utf8:
        frame = frame.with_columns(pl.col("document").str.extract(r"^[A-Za-z][\w+.-]*://([^/?#]+)", 1).alias("domain"))
        names.append("domain")
    wanted = {ROW: pl.col(ROW).cast(pl.Int64)}
    wanted |= {name: pl.col(name).cast(pl.Int64, strict=False) for name in names}
    wanted |= {f"{name} is text": _is_text(name) for name in names if frame[name].dtype == pl.Utf8}
    wanted["position"] = _number(frame, "position")
    wanted["clicked"] = _truth("clicked")
    if "terms" in frame.columns or frame["query"].dtype == pl.Utf8:
        wanted["terms"] = pl.col("terms" if "terms" in frame.columns else "query")  # told apart for each page, later
    wanted["time"] = _time(frame) if "time" in frame.columns else pl.lit(0.0)
    for name in ("dwell", "score"):
        wanted[name] = _number(frame, name) if name in frame.columns else pl.lit(None, pl.Float64)
    if "day" in frame.columns:
        wanted["day"] = _number(frame, "day")
    elif "time" in frame.columns:
        wanted["day"] = (wanted["time"] / DAY).floor()
    read = frame.lazy().select(expression.alias(name) for name, expression in wanted.items()).collect()
    for name in names:
        is_text = f"{name} is text"
        if is_text in read.columns and read[is_text].any():
            read = read.with_columns(_hashed(frame[name], read[name], read[is_text]).alias(name))
    read = read.with_columns(
        pl.col(name).cast(pl.Int64).fill_null(-1) for name in ("user", "domain", "day") if name in read.columns
    )
    is_good = (
        pl.all_horizontal(pl.col("session", "query", "document", "position", "clicked", "time").is_not_null())
        & (pl.col("position") >= 1)
        & (pl.col("dwell").is_null() | (pl.col("dwell") >= 0))
    )
    bad = read.filter(~is_good)[ROW].to_list()
    if bad and strict:
        what = "row is not understood: it needs a session, query and document, a position from 1, and whether clicked."
        raise FileError(path, what, line=bad[0])
    report.add(Impressions.none(), lines=len(frame), bad=len(bad), bad_lines=bad)
    return read.filter(is_good) if bad else read


def _is_text(name: str) -> pl.Expr:
    """Is it anything else than a whole number in its usual form?"""
    import polars as pl

    column = pl.col(name)
    number = column.cast(pl.Int64, strict=False).cast(pl.Utf8)
    return (number != column).fill_null(value=True) & column.is_not_null() & (column != "")


def _hashed(text: pl.Series, number: pl.Series, is_text: pl.Series) -> pl.Series:
    """Numbers as they are, texts by a number of their own."""
    import polars as pl

    words = text.filter(is_text).unique()
    numbers = pl.Series([identity(word) for word in words], dtype=pl.Int64)
    chosen = pl.when(is_text).then(text.replace_strict(words, numbers, default=None)).otherwise(number)
    return pl.select(chosen).to_series()


def identity(text: str) -> int:
    """The number that stands for a text, the same everywhere; whole numbers stand for themselves.

    >>> identity("17"), identity("riskrank")
    (17, 6297041613586263230)
    """
    if text.isdecimal() and text.isascii() and len(text) <= MOST_DIGITS and (text[0] != "0" or text == "0"):
        return int(text)
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "little") >> 1


def _number(frame: pl.DataFrame, name: str) -> pl.Expr:
    import polars as pl

    column = pl.col(name).str.strip_chars() if frame[name].dtype == pl.Utf8 else pl.col(name)
    found = column.cast(pl.Float64, strict=False)
    return pl.when(found.is_finite()).then(found)


def _time(frame: pl.DataFrame) -> pl.Expr:
    """Seconds, from numbers or timestamps."""
    import polars as pl

    if frame["time"].dtype.is_temporal():
        return pl.col("time").cast(pl.Datetime("us")).dt.epoch("us") / 1e6
    found = _number(frame, "time")
    if frame["time"].dtype != pl.Utf8 or frame.select(found.is_null().sum()).item() == frame["time"].null_count():
        return found
    stamps = pl.col("time").str.replace("Z$", "").str.to_datetime(time_unit="us", strict=False)
    return pl.coalesce(found, stamps.dt.epoch("us") / 1e6)


def _truth(name: str) -> pl.Expr:
    import polars as pl

    text = pl.col(name).cast(pl.Utf8).str.to_lowercase().str.strip_chars()
    return pl.when(text.is_in(TRUE)).then(True).when(text.is_in(FALSE)).then(False)


def _terms(values: pl.Series) -> tuple[Integers, Integers]:
    """The terms of each page, one after the other, and how many each has; from lists, or words in a text."""
    import polars as pl

    if values.dtype == pl.List:
        values = values.cast(pl.List(pl.Utf8)).list.join(" ")
    texts = values.cast(pl.Utf8).fill_null("").to_list()
    known = {text: [identity(word) for word in text.lower().replace(",", " ").split()] for text in set(texts)}
    lists = [known[text] for text in texts]
    sizes = np.fromiter(map(len, lists), np.int64, len(lists))
    return np.fromiter(itertools.chain.from_iterable(lists), np.int64, int(sizes.sum())), sizes


def _session_starts(frame: pl.DataFrame) -> Integers:
    """The first rows of sessions."""
    changed = _changes(frame["session"])
    if "user" in frame.columns:
        changed |= _changes(frame["user"])
    return np.flatnonzero(changed)


def _changes(values: pl.Series) -> NDArray[np.bool_]:
    array = values.to_numpy()
    return np.concatenate([[True], array[1:] != array[:-1]])[: len(array)]


def _check_together(frame: pl.DataFrame, starts: Integers, before: set[Any], path: str | os.PathLike[str]) -> set[Any]:
    """Refuse sessions that appear again after others; returns those of this stretch."""
    own = frame[starts].select(name for name in ("user", "session") if name in frame.columns).rows()
    seen: set[Any] = set()
    for number, key in enumerate(own):
        if key in seen or (key in before and number > 0):
            raise FileError(
                path,
                "a session appears again after another one. Sort the table by session, time and position.",
                line=int(frame[ROW][int(starts[number])]),
            )
        seen.add(key)
    return seen


def _impressions(frame: pl.DataFrame) -> Impressions:
    n = len(frame)
    session_starts = _session_starts(frame)
    is_session = np.zeros(n, bool)
    is_session[session_starts] = True
    position = frame["position"].to_numpy()
    time = frame["time"].to_numpy()
    is_page = is_session | _changes(frame["query"]) | _changes(frame["time"])
    is_page[1:] |= position[1:] <= position[:-1]
    first = np.flatnonzero(is_page)
    lengths = np.diff(np.append(session_starts, n))
    begin = np.repeat(time[session_starts], lengths)

    def column(name: str, rows: Any = slice(None)) -> Any:
        return frame[name].to_numpy()[rows] if name in frame.columns else np.full(n, -1)[rows]

    day = np.repeat(column("day", session_starts), lengths)[first]  # a session belongs to the day on which it begins
    dwell = np.where(frame["dwell"].is_null().to_numpy(), np.inf, frame["dwell"].fill_null(0).to_numpy())
    dwell = np.where(frame["clicked"].to_numpy(), dwell, np.nan)
    sizes, term = np.zeros(len(first), np.int64), np.zeros(0, np.int64)
    if "terms" in frame.columns:
        term, sizes = _terms(frame["terms"].gather(first))
    return Impressions(
        session=column("session", first).astype(np.int64), user=column("user", first).astype(np.int64),
        day=day.astype(np.int64), time=(time - begin)[first].astype(np.int64),
        query=column("query", first).astype(np.int64), is_test=np.zeros(len(first), bool),
        document_offset=np.append(first, n), document=column("document").astype(np.int64),
        domain=column("domain").astype(np.int64), dwell=dwell,
        score=frame["score"].cast(float).fill_null(float("nan")).to_numpy().copy(),
        term_offset=np.concatenate([[0], np.cumsum(sizes)]), term=term,
    )  # fmt: skip
