"""Impressions as a table: a row per document shown."""

from __future__ import annotations

from typing import IO, TYPE_CHECKING

import numpy as np
import polars as pl

from riskrank.errors import ParameterError
from riskrank.files.scratch import scratch_folder
from riskrank.files.writing import as_parquet

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from riskrank.clicks.impressions import Impressions


def write_csv_log(batches: Iterable[Impressions], file: IO[bytes]) -> int:
    """Write batches to a CSV file; returns how many pages."""
    pages = 0
    for batch in batches:
        table(batch).write_csv(file, include_header=pages == 0)
        pages += len(batch)
    return pages


def write_parquet_log(batches: Iterable[Impressions], file: IO[bytes], place: Path) -> int:
    """Write each batch to a file of its own beside its place, then join them: they are never in memory together."""
    pages = 0
    with scratch_folder(place) as scratch:
        parts: list[Path] = []
        for batch in batches:
            parts.append(scratch.path / f"{len(parts)}.parquet")
            with scratch.appended(parts[-1].name) as part:
                part.write(as_parquet(table(batch)))
            pages += len(batch)
        if parts:
            pl.scan_parquet(parts, glob=False).sink_parquet(file)
    return pages


def table(batch: Impressions) -> pl.DataFrame:
    """A row per document shown; dwell is empty without a click and for the click that ends a session."""
    if batch.is_withheld.any():
        raise ParameterError("pages with withheld clicks cannot be written in the layout table.")
    page = batch.page
    dwell = np.where(np.isfinite(batch.dwell), batch.dwell, np.nan)
    known = {
        "user": batch.user[page], "session": batch.session[page], "day": batch.day[page], "time": batch.time[page],
        "query": batch.query[page], "terms": terms_as_text(batch, " ").gather(page), "position": batch.position,
        "document": batch.document, "domain": batch.domain, "score": batch.score, "clicked": ~np.isnan(batch.dwell),
        "click_time": batch.click_time, "dwell": dwell,
    }  # fmt: skip
    unknown = pl.when(pl.col("user", "day", "domain") >= 0).then(pl.col("user", "day", "domain"))
    return pl.DataFrame(known).with_columns(unknown, pl.col("score", "click_time", "dwell").fill_nan(None))


def terms_as_text(batch: Impressions, separator: str) -> pl.Series:
    """The terms of each page, between separators."""
    n = len(batch)
    words = pl.DataFrame({"page": np.repeat(np.arange(n), np.diff(batch.term_offset)), "term": batch.term})
    joined = words.group_by("page", maintain_order=True).agg(pl.col("term").cast(pl.Utf8).str.join(separator))
    return (
        pl.DataFrame({"page": np.arange(n)})
        .join(joined, on="page", how="left", maintain_order="left")["term"]
        .fill_null("")
    )
