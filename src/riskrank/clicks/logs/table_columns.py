"""Columns of a table of clicks as numbers, whatever form they have."""

from __future__ import annotations

import hashlib
import re
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

if TYPE_CHECKING:
    from riskrank.typing import Integers

DAY = 86_400  # seconds
TRUE, FALSE = ("1", "1.0", "true", "t", "yes"), ("0", "0.0", "false", "f", "no")
WHOLE = re.compile("0|-?[1-9][0-9]{0,17}")  # that fits
WIDE = (pl.UInt64, pl.Int128, pl.UInt128)  # may not fit
LARGEST = 1e15  # seconds, and days, beyond which nothing is meant
STAMPS = ("%Y-%m-%dT%H:%M:%S%.f", "%Y-%m-%d %H:%M:%S%.f", "%Y-%m-%dT%H:%M", "%Y-%m-%d %H:%M", "%Y-%m-%d")
ZONE = r"\s*([+-]\d\d):?(\d\d)$"


def identity(text: str) -> int:
    """The number that stands for a text, the same everywhere; whole numbers stand for themselves.

    >>> identity("17"), identity("riskrank") == identity("riskrank")
    (17, True)
    """
    if WHOLE.fullmatch(text):
        return int(text)
    # 59 bits, so that it has no more digits than a log's own numbers.
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "little") >> 5


def identities(values: pl.Series) -> pl.Series:
    """Whole numbers as they are, everything else by the number of its text; null where there is nothing."""
    if values.dtype.is_integer() and values.dtype not in WIDE:
        return values.cast(pl.Int64)
    if values.dtype.is_float() and bool((values.drop_nulls().drop_nans() % 1 == 0).all()):
        return values.fill_nan(None).cast(pl.Int64, strict=False)
    text = _text(values)
    number = text.cast(pl.Int64, strict=False)
    is_padded = text.str.starts_with("0") & (text.str.len_bytes() > 1)
    is_odd = (
        number.is_null() | is_padded | text.str.starts_with("-0") | text.str.starts_with("+")
    ) & text.is_not_null()
    if not is_odd.any():
        return number
    words = text.filter(is_odd).unique()
    names = pl.Series([identity(word.strip()) if word.strip() else None for word in words], dtype=pl.Int64)
    named = text.replace_strict(words, names, default=None)
    return pl.Series(pl.select(pl.when(is_odd).then(named).otherwise(number)).to_series())


def numbers(values: pl.Series) -> tuple[pl.Series, pl.Series]:
    """Numbers, null where there is none; and where something else stands instead."""
    if values.dtype == pl.Duration:
        values = values.dt.total_microseconds() / 1e6
    elif not values.dtype.is_numeric():
        values = _text(values)
    read = values.cast(pl.Float64, strict=False)
    if values.dtype == pl.Utf8 and read.null_count() > values.null_count():
        values = values.str.strip_chars().replace("", None)
        read = values.cast(pl.Float64, strict=False)
    is_number = (read.abs() <= LARGEST).fill_null(value=False)
    if is_number.all():
        return read, ~is_number
    empty = values.is_null() | (values.is_nan().fill_null(value=False) if values.dtype.is_float() else False)
    return read.set(~is_number, None), ~is_number & ~empty


def seconds(values: pl.Series) -> tuple[pl.Series, pl.Series]:
    """Seconds from numbers, timestamps or times of day; and where something else stands instead."""
    if values.dtype == pl.Time:
        values = values.cast(pl.Duration("us"))
    if values.dtype in (pl.Date, pl.Datetime):
        return values.cast(pl.Datetime("us")).dt.epoch("us") / 1e6, values.is_null() & False
    since, odd = numbers(values)
    if values.dtype != pl.Utf8 or not odd.any():
        return since, odd
    text = values.str.strip_chars().str.replace(r"\s*(Z|UTC|GMT)$", "")
    is_zoned = text.str.contains(r"\d:\d\d.*" + ZONE)
    hours, minutes = (text.str.extract(ZONE, k).cast(pl.Float64, strict=False) for k in (1, 2))
    is_west = text.str.extract(ZONE, 1).str.starts_with("-")
    ahead = pl.select(
        pl.when(is_zoned).then(3600 * hours + pl.when(is_west).then(-60.0).otherwise(60.0) * minutes).otherwise(0.0)
    ).to_series()
    plain = pl.select(pl.when(is_zoned).then(text.str.replace(ZONE, "")).otherwise(text)).to_series()
    stamps = pl.select(
        pl.coalesce(plain.str.to_datetime(form, time_unit="us", strict=False) for form in STAMPS)
    ).to_series()
    since = pl.select(pl.coalesce(since, stamps.dt.epoch("us") / 1e6 - ahead)).to_series()
    return since, odd & since.is_null()


def days(values: pl.Series) -> tuple[pl.Series, pl.Series]:
    """Days from numbers or dates; and where something else stands instead."""
    if values.dtype == pl.Utf8:
        numbered, odd = numbers(values)
        if not odd.any():
            return numbered, odd
        since, odd = seconds(values.set(~odd, None))
        return pl.select(pl.coalesce(numbered, (since / DAY).floor())).to_series(), odd
    if values.dtype.is_temporal():
        since, odd = seconds(values)
        return (since / DAY).floor(), odd
    return numbers(values)


def truths(values: pl.Series) -> pl.Series:
    """Yes or no, null where that is not told."""
    if values.dtype == pl.Boolean:
        return values
    text = _text(values)
    yes, no = text.is_in(TRUE), text.is_in(FALSE)
    if not (yes | no).fill_null(value=True).all():
        text = text.str.to_lowercase().str.strip_chars()
        yes, no = text.is_in(TRUE), text.is_in(FALSE)
    return yes.set(~(yes | no), None)


def terms(values: pl.Series, *, of_queries: bool) -> tuple[Integers, Integers]:
    """The terms of each page, one after the other, and how many each has; from lists, or words in a text.

    `of_queries`: they are the queries themselves, of which numbers are names and no words.
    """
    if isinstance(values.dtype, pl.List | pl.Array):
        words = values.cast(pl.List(pl.Utf8)).list.eval(pl.element().str.to_lowercase())
    else:
        texts = _text(values).fill_null("").str.to_lowercase()
        if of_queries:
            texts = texts.set(texts.str.contains(r"^\s*\d+\s*$"), "")
        if texts.str.contains(r"[,\s--[ ]]").any():
            texts = texts.str.replace_all(r"[,\s]+", " ")
        words = texts.str.split(" ")
    each = pl.DataFrame({"page": np.arange(len(values)), "word": words}).explode("word").drop_nulls()
    each = each.filter(pl.col("word") != "")
    sizes = np.bincount(each["page"].to_numpy(), minlength=len(values))
    return identities(each["word"]).to_numpy().astype(np.int64), sizes


def _text(values: pl.Series) -> pl.Series:
    if values.dtype == pl.Binary:
        return values.map_elements(lambda raw: raw.decode(errors="replace"), return_dtype=pl.Utf8)
    if values.dtype == pl.Duration:  # which Polars does not write
        values = values.to_physical()
    return values.cast(pl.Utf8)
