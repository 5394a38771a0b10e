"""Impressions as the lines of the two Yandex challenges."""

from __future__ import annotations

from typing import IO, TYPE_CHECKING, Any

import numpy as np
import polars as pl

from riskrank.clicks.impressions import FIRST_CLICK
from riskrank.clicks.logs.table_writing import terms_as_text
from riskrank.errors import ParameterError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from riskrank.clicks.impressions import Impressions
    from riskrank.typing import Floats, Integers

META, PAGE, CLICK = 0, 1, 2  # the order of events at the same time


def write_yandex(batches: Iterable[Impressions], file: IO[bytes], *, has_users: bool) -> int:
    """Write batches as text, in the layout of 2013/14 (`has_users`) or of 2011/12; returns how many pages."""
    pages = 0
    for batch in batches:
        _check_fits(batch, has_users)
        lines = _lines(batch, has_users)
        lines.write_csv(file, include_header=False, quote_style="never", separator="\x01")
        pages += len(batch)
    return pages


def _check_fits(batch: Impressions, has_users: bool) -> None:
    if not has_users and batch.is_withheld.any():
        raise ParameterError("pages with withheld clicks cannot be written in the layout 2011.")
    if has_users and min(batch.user.min(), batch.day.min(), batch.domain.min(initial=0)) < 0:
        raise ParameterError("a log without users, days or domains cannot be written in the layout 2013.")
    if batch.session.min() < 0 or batch.query.min() < 0 or batch.document.min(initial=0) < 0:
        raise ParameterError("the layouts of 2011 and 2013 hold no negative numbers. Write a table.")
    if (np.diff(batch.document_offset) == 0).any():
        raise ParameterError("every result page needs at least one document.")


def _lines(batch: Impressions, has_users: bool) -> pl.DataFrame:
    """Events as text, in the order of time."""
    starts = batch.session_starts
    number = np.searchsorted(starts, np.arange(len(batch)), side="right") - 1  # of each page's session
    serp = np.arange(len(batch)) - starts[number]
    clicked = np.flatnonzero(~np.isnan(batch.dwell))
    click_time = _click_times(batch, clicked)
    events = [
        (PAGE, np.arange(len(batch)), batch.time, _page_lines(batch, serp, has_users)),
        (CLICK, batch.page[clicked], click_time, _click_lines(batch, clicked, click_time, serp, has_users)),
    ]
    if has_users:
        events.append((META, starts, np.full(len(starts), -1), _meta_lines(batch, starts)))
    kinds, pages, times, texts = zip(*events, strict=True)
    page, time = np.concatenate(pages), np.concatenate(times)
    kind = np.repeat(kinds, [len(text) for text in texts])
    is_last = np.zeros(len(page), bool)  # of clicks at the same time, the one that ends the session
    is_last[kind == CLICK] = np.isinf(batch.dwell[clicked])
    order = np.lexsort((is_last, kind, page, time, number[page]))
    lines: pl.Series = pl.concat(texts)
    return lines.gather(order).to_frame()


def _page_lines(batch: Impressions, serp: Integers, has_users: bool) -> pl.Series:
    columns = {"document": batch.document, **({"domain": batch.domain} if has_users else {})}
    shown = pl.DataFrame({"page": batch.page, **columns}).select(
        "page", pl.concat_str([pl.col(name).cast(pl.Utf8) for name in columns], separator=",").alias("text")
    )
    lists = shown.group_by("page", maintain_order=True).agg(pl.col("text").str.join("\t"))["text"]
    start = {"session": batch.session, "time": batch.time, "kind": np.where(batch.is_withheld, "T", "Q")}
    if not has_users:
        return _between_tabs(**start, query=batch.query, region=np.ones(len(batch), np.int64), shown=lists)
    return _between_tabs(**start, serp=serp, query=batch.query, terms=terms_as_text(batch, ","), shown=lists)


def _click_lines(batch: Impressions, clicked: Integers, time: Integers, serp: Integers, has_users: bool) -> pl.Series:
    page = batch.page[clicked]
    kind = np.full(len(clicked), "C")
    where = {"serp": serp[page]} if has_users else {}
    return _between_tabs(session=batch.session[page], time=time, kind=kind, **where, document=batch.document[clicked])


def _meta_lines(batch: Impressions, starts: Integers) -> pl.Series:
    kind = np.full(len(starts), "M")
    return _between_tabs(session=batch.session[starts], kind=kind, day=batch.day[starts], user=batch.user[starts])


def _between_tabs(**columns: pl.Series | NDArray[Any]) -> pl.Series:
    return pl.DataFrame(columns).select(pl.concat_str(pl.all().cast(pl.Utf8), separator="\t").alias("text"))["text"]


def _click_times(batch: Impressions, clicked: Integers) -> Integers:
    """When documents were clicked, as far as that is known; else times that keep the dwell times."""
    times = batch.click_time[clicked]
    if np.isnan(times).any():
        times = np.where(np.isnan(times), _guessed_times(batch)[clicked], times)
    return times.astype(np.int64)


def _guessed_times(batch: Impressions) -> Floats:
    """Times of clicks that keep their dwell times: down the page, the one that ends the session last."""
    times = np.full(len(batch.dwell), np.nan)
    clicked = np.flatnonzero(~np.isnan(batch.dwell))
    clicked = clicked[np.lexsort((np.isinf(batch.dwell[clicked]), batch.page[clicked]))]
    page = batch.page[clicked]
    lasted = np.where(np.isfinite(batch.dwell[clicked]), batch.dwell[clicked], 0)
    group = np.cumsum(np.concatenate([[True], page[1:] != page[:-1]])) - 1
    total = np.cumsum(lasted) - lasted
    before = total - total[np.searchsorted(group, group)]
    whole = np.bincount(group, weights=lasted)[group]
    is_followed = np.ones(len(batch), bool)  # by a page, which ends the last click
    is_followed[np.append(batch.session_starts[1:], len(batch)) - 1] = False
    is_followed = is_followed[page]
    next_time = np.append(batch.time[1:], 0)[page]
    start = np.where(is_followed, np.maximum(next_time - whole, batch.time[page]), batch.time[page] + FIRST_CLICK)
    times[clicked] = start + before
    return times
