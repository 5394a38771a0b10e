"""Impressions as files: the layouts of the two challenges, and a plain table."""

from __future__ import annotations

import gzip
import os
import tempfile
from typing import IO, TYPE_CHECKING, Any

import numpy as np

from riskrank.clicks.impressions import FIRST_CLICK
from riskrank.data.files import check_writable, written_beside
from riskrank.errors import FileError, ParameterError
from riskrank.parameters import one_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    import polars as pl
    from numpy.typing import NDArray

    from riskrank.clicks.impressions import Impressions

LAYOUTS = ("2011", "2013", "table")
TABLES = (".parquet", ".pq", ".csv", ".csv.gz", ".tsv", ".tsv.gz")  # how the names of tables end


def write_log(parts: Iterable[Impressions], path: str | os.PathLike[str], *, layout: str | None = None) -> int:
    """Write a log, stretch by stretch, beside its place and then into it; returns how many pages it holds.

    `layout`: ``"2011"`` or ``"2013"`` (text, gzipped if the name ends in .gz), or ``"table"`` with a row per document
    (.parquet or .csv); by default told from the name. Where it is not known when documents were clicked, they are
    written down the page, the click that ends the session last, and dwell times are kept.
    """
    name = os.fspath(path)
    chosen = ("table" if name.endswith(TABLES) else "2013") if layout is None else layout
    one_of("layout", chosen, LAYOUTS)
    if chosen == "table" and not name.endswith((".parquet", ".csv")):
        raise FileError(path, "must end in .parquet or .csv for a table.")
    if chosen != "table" and name.endswith(TABLES):
        raise FileError(path, f"must not end like a table in the layout {chosen}, which is plain text.")
    check_writable(path)
    pages = (part for part in parts if len(part))
    with written_beside(path) as temporary:
        if name.endswith(".parquet"):
            written = _write_parquet(pages, temporary)
        else:
            opening: Any = gzip.open if name.endswith(".gz") else open
            with opening(temporary, "wb") as file:
                written = _write_text(pages, file, chosen)
        if not written:
            raise ParameterError("a log needs at least one result page.")
    return written


def _write_text(parts: Iterable[Impressions], file: IO[bytes], layout: str) -> int:
    pages = 0
    for part in parts:
        _check_layout(part, layout)
        if layout == "table":
            table(part).write_csv(file, include_header=pages == 0)
        else:
            lines = _lines(part, with_users=layout == "2013")
            lines.write_csv(file, include_header=False, quote_style="never", separator="\x01")
        pages += len(part)
    return pages


def _check_layout(part: Impressions, layout: str) -> None:
    """Refuse what a layout cannot hold."""
    if layout != "2013" and part.is_test.any():
        raise ParameterError(f"pages with withheld clicks cannot be written in the layout {layout}.")
    if layout == "table":
        return
    if layout == "2013" and min(part.user.min(), part.day.min(), part.domain.min(initial=0)) < 0:
        raise ParameterError("a log without users, days or domains cannot be written in the layout 2013.")
    if part.session.min() < 0 or part.query.min() < 0 or part.document.min(initial=0) < 0:
        raise ParameterError("the layouts of 2011 and 2013 hold no negative numbers. Write a table.")


def _write_parquet(parts: Iterable[Impressions], path: str) -> int:
    """Each stretch as a file of its own, then joined, so that they are never in memory together."""
    import polars as pl

    pages = 0
    with tempfile.TemporaryDirectory(dir=os.path.dirname(path)) as folder:
        names: list[str] = []
        for part in parts:
            names.append(os.path.join(folder, f"{len(names)}.parquet"))
            _check_layout(part, "table")
            table(part).write_parquet(names[-1])
            pages += len(part)
        if names:
            pl.scan_parquet(names, glob=False).sink_parquet(path)
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
        "click_time": part.click_time, "dwell": dwell,
    }  # fmt: skip
    unknown = pl.when(pl.col("user", "day", "domain") >= 0).then(pl.col("user", "day", "domain"))
    return pl.DataFrame(known).with_columns(unknown, pl.col("score", "click_time", "dwell").fill_nan(None))


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
    starts = part.session_starts
    number = np.searchsorted(starts, np.arange(n), side="right") - 1  # of each page's session
    serp = np.arange(n) - starts[number]
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
    events = [(text["text"], np.arange(n), part.time, 1)]
    clicked = np.flatnonzero(~np.isnan(part.dwell))
    if len(clicked):
        page = part.page[clicked]
        time = np.where(np.isnan(part.click_time), _guessed_times(part), part.click_time)[clicked].astype(np.int64)
        clicks = {
            "session": part.session[page], "time": time, "kind": ["C"] * len(clicked),
            **({"serp": serp[page]} if with_users else {}), "document": part.document[clicked],
        }  # fmt: skip
        text = pl.DataFrame(clicks).select(pl.concat_str(pl.all().cast(pl.Utf8), separator="\t").alias("text"))
        events.append((text["text"], page, time, 2))
    if with_users:
        meta = {
            "session": part.session[starts],
            "kind": ["M"] * len(starts),
            "day": part.day[starts],
            "user": part.user[starts],
        }
        text = pl.DataFrame(meta).select(pl.concat_str(pl.all().cast(pl.Utf8), separator="\t").alias("text"))
        events.append((text["text"], starts, np.full(len(starts), -1), 0))
    page, time = (np.concatenate([event[k] for event in events]) for k in (1, 2))
    step = np.repeat([event[3] for event in events], [len(event[0]) for event in events])
    is_last = np.zeros(len(page), bool)  # of clicks at the same time, the one that ends the session
    is_last[step == 2] = np.isinf(part.dwell[clicked])
    order = np.lexsort((is_last, step, page, time, number[page]))
    return pl.concat([event[0] for event in events]).gather(order).to_frame()


def _guessed_times(part: Impressions) -> NDArray[np.float64]:
    """Times of clicks that keep their dwell times: down the page, the one that ends the session last."""
    times = np.full(len(part.dwell), np.nan)
    clicked = np.flatnonzero(~np.isnan(part.dwell))
    clicked = clicked[np.lexsort((np.isinf(part.dwell[clicked]), part.page[clicked]))]
    page = part.page[clicked]
    lasted = np.where(np.isfinite(part.dwell[clicked]), part.dwell[clicked], 0)
    group = np.cumsum(np.concatenate([[True], page[1:] != page[:-1]])) - 1
    total = np.cumsum(lasted) - lasted
    before = total - total[np.searchsorted(group, group)]
    whole = np.bincount(group, weights=lasted)[group]
    is_followed = np.ones(len(part), bool)  # by a page, which ends the last click
    is_followed[np.append(part.session_starts[1:], len(part)) - 1] = False
    is_followed = is_followed[page]
    next_time = np.append(part.time[1:], 0)[page]
    start = np.where(is_followed, np.maximum(next_time - whole, part.time[page]), part.time[page] + FIRST_CLICK)
    times[clicked] = start + before
    return times
