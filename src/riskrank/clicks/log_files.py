"""Impressions as files: the layouts of the two challenges, and a plain table."""

from __future__ import annotations

import gzip
import os
import tempfile
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

import numpy as np

from riskrank.clicks.impressions import FIRST_CLICK
from riskrank.errors import FileError, ParameterError

if TYPE_CHECKING:
    from collections.abc import Iterable

    import polars as pl

    from riskrank.clicks.impressions import Impressions

LAYOUTS = ("2011", "2013", "table")


def write_log(parts: Iterable[Impressions], path: str | os.PathLike[str], *, layout: str = "2013") -> int:
    """Write a log, stretch by stretch, beside its place and then into it; returns how many pages it holds.

    `layout`: ``"2011"`` or ``"2013"`` (text, gzipped if the name ends in .gz), or ``"table"`` with a row per document
    (.parquet or .csv).
    """
    if layout not in LAYOUTS:
        raise ParameterError(f"layout must be one of {', '.join(LAYOUTS)}, got {layout!r}.")
    target = Path(os.path.abspath(path))
    if layout == "table" and target.suffix not in (".parquet", ".csv"):
        raise FileError(path, "must end in .parquet or .csv for a table.")
    if not target.parent.is_dir():
        raise FileError(path, "cannot be written (there is no such folder).")
    handle, temporary = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
    os.close(handle)
    try:
        if target.suffix == ".parquet":
            pages = _write_parquet(parts, temporary)
        else:
            opening: Any = gzip.open if target.suffix == ".gz" else open
            with opening(temporary, "wb") as file:
                pages = _write_text(parts, file, layout)
        os.replace(temporary, target)
    except OSError as error:
        raise FileError(path, f"cannot be written ({error.strerror or error}).") from None
    finally:
        Path(temporary).unlink(missing_ok=True)
    return pages


def _write_text(parts: Iterable[Impressions], file: IO[bytes], layout: str) -> int:
    pages = 0
    for part in parts:
        if layout == "table":
            table(part).write_csv(file, include_header=pages == 0)
        else:
            lines = _lines(part, with_users=layout == "2013")
            lines.write_csv(file, include_header=False, quote_style="never", separator="\x01")
        pages += len(part)
    return pages


def _write_parquet(parts: Iterable[Impressions], path: str) -> int:
    """Each stretch as a file of its own, then joined, so that they are never in memory together."""
    import polars as pl

    pages = 0
    with tempfile.TemporaryDirectory(dir=os.path.dirname(path)) as folder:
        names: list[str] = []
        for part in parts:
            names.append(os.path.join(folder, f"{len(names)}.parquet"))
            table(part).write_parquet(names[-1])
            pages += len(part)
        if not names:
            raise ParameterError("a log needs at least one result page.")
        pl.scan_parquet(names).sink_parquet(path)
    return pages


def table(part: Impressions) -> pl.DataFrame:
    """A row per document shown; dwell is empty without a click and for the click that ends a session."""
    import polars as pl

    page = part.page
    dwell = np.where(np.isfinite(part.dwell), part.dwell, np.nan)
    known = {
        "user": part.user[page], "session": part.session[page], "day": part.day[page], "time": part.time[page],
        "query": part.query[page], "terms": _terms(part).gather(page), "position": part.position,
        "document": part.document, "domain": part.domain, "score": part.score, "clicked": ~np.isnan(part.dwell),
        "dwell": dwell,
    }  # fmt: skip
    unknown = pl.when(pl.col("user", "day", "domain") >= 0).then(pl.col("user", "day", "domain"))
    return pl.DataFrame(known).with_columns(unknown, pl.col("score", "dwell").fill_nan(None))


def _terms(part: Impressions, separator: str = " ") -> pl.Series:
    """The terms of each page, as text."""
    import polars as pl

    n = len(part)
    words = pl.DataFrame({"page": np.repeat(np.arange(n), np.diff(part.term_offset)), "term": part.term})
    joined = words.group_by("page", maintain_order=True).agg(pl.col("term").cast(pl.Utf8).str.join(separator))
    return (
        pl.DataFrame({"page": np.arange(n)})
        .join(joined, on="page", how="left", maintain_order="left")["term"]
        .fill_null("")
    )


def _lines(part: Impressions, *, with_users: bool) -> pl.DataFrame:
    """Events as text, in the order of time."""
    import polars as pl

    n = len(part)
    sizes = np.diff(part.document_offset)
    is_first = np.concatenate([[True], part.session[1:] != part.session[:-1]])
    starts = np.flatnonzero(is_first)
    serp = np.arange(n) - starts[np.cumsum(is_first) - 1]
    columns = {"document": part.document, **({"domain": part.domain} if with_users else {})}
    shown = pl.DataFrame({"page": part.page, **columns}).select(
        "page", pl.concat_str([pl.col(name).cast(pl.Utf8) for name in columns], separator=",").alias("text")
    )
    lists = shown.group_by("page", maintain_order=True).agg(pl.col("text").str.join("\t"))["text"]
    if len(lists) < n:
        raise ParameterError("every result page needs at least one document.")
    parts = {
        "session": part.session, "time": part.time, "kind": np.where(part.is_test, "T", "Q"),
        **({"serp": serp} if with_users else {}), "query": part.query,
    }  # fmt: skip
    queries = pl.DataFrame(parts)
    if with_users:
        queries = queries.with_columns(_terms(part, ",").alias("terms"))
    else:
        queries = queries.with_columns(pl.lit(1).alias("region"))
    queries = queries.with_columns(lists.alias("shown"))
    text = queries.select(pl.concat_str(pl.all().cast(pl.Utf8), separator="\t").alias("text"))
    rows = [text.with_columns(pl.Series("page", np.arange(n)), pl.lit(1).alias("step"))]
    clicked = np.flatnonzero(~np.isnan(part.dwell))
    if len(clicked):
        page = np.repeat(np.arange(n), sizes)[clicked]
        lasted = np.where(np.isfinite(part.dwell[clicked]), part.dwell[clicked], 0).astype(np.int64)
        total = np.cumsum(lasted) - lasted
        first = np.concatenate([[True], page[1:] != page[:-1]])
        before = total - total[np.flatnonzero(first)][np.cumsum(first) - 1]
        clicks = {
            "session": part.session[page], "time": part.time[page] + FIRST_CLICK + before, "kind": ["C"] * len(clicked),
            **({"serp": serp[page]} if with_users else {}), "document": part.document[clicked],
        }  # fmt: skip
        text = pl.DataFrame(clicks).select(pl.concat_str(pl.all().cast(pl.Utf8), separator="\t").alias("text"))
        rows.append(text.with_columns(pl.Series("page", page), pl.Series("step", 2 + np.arange(len(clicked)))))
    if with_users:
        meta = {
            "session": part.session[starts],
            "kind": ["M"] * len(starts),
            "day": part.day[starts],
            "user": part.user[starts],
        }
        text = pl.DataFrame(meta).select(pl.concat_str(pl.all().cast(pl.Utf8), separator="\t").alias("text"))
        rows.append(text.with_columns(pl.Series("page", starts), pl.lit(0).alias("step")))
    wanted = [each.select("text", pl.col("page").cast(pl.Int64), pl.col("step").cast(pl.Int64)) for each in rows]
    return pl.concat(wanted).sort("page", "step").select("text")
