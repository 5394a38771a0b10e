"""Which queries are for training, validation and tests: as a column says, by shares of queries, or by time."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np
import polars as pl

from riskrank.errors import ParameterError, listing, quoted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from riskrank.data.feature_tables.sources.table_source import TableSource
    from riskrank.typing import Integers

PARTS = ("train", "valid", "test", "calibration")
SYNONYMS = {
    "train": ("train", "training", "learn"),
    "valid": ("valid", "validation", "vali", "val", "dev", "development", "eval"),
    "test": ("test", "testing", "holdout", "heldout", "held_out"),
    "calibration": ("calibration", "calib", "cal"),
}
PART_OF = {word: PARTS.index(part) for part, words in SYNONYMS.items() for word in words}
SHARES = re.compile(r"\d+(?:\.\d+)?(?::\d+(?:\.\d+)?)+")
USUAL_SHARES = "70:15:15"
HASHED_BITS = 53


@dataclass(frozen=True)
class SplitRule:
    """How queries are divided: by a `column` of the names of parts, or of times; or by `shares` of the queries."""

    kind: Literal["column", "shares", "time"]
    column: str = ""
    shares: tuple[float, ...] = ()

    @classmethod
    def parse(cls, text: str) -> SplitRule:
        """From ``part`` (a column), ``70:15:15`` (shares), ``time:day`` or ``time:day:80:10:10``.

        >>> SplitRule.parse("time:day")
        SplitRule(kind='time', column='day', shares=(0.7, 0.15, 0.15))
        """
        if SHARES.fullmatch(text):
            return cls("shares", shares=_shares(text))
        kind, colon, rest = text.partition(":")
        if kind != "time" or not colon:
            if not text:
                raise ParameterError("split is empty: name a column, or shares like 70:15:15.", "split")
            return cls("column", text)
        column, _, shares = rest.partition(":")
        if not column:
            raise ParameterError("split names no column: write time:COLUMN, or time:COLUMN:80:10:10.", "split")
        while shares and not SHARES.fullmatch(shares):  # the column's name has a colon
            more, _, shares = shares.partition(":")
            column = f"{column}:{more}"
        return cls("time", column, _shares(shares or USUAL_SHARES))

    def parts(
        self, source: TableSource, column: pl.Series | None, query_of_row: Integers, ids: Sequence[str]
    ) -> Integers:
        """The part of each query, as a position among `PARTS`; `column`: the cells of all rows."""
        if column is None:
            return self._by_shares(np.array([_hashed(name) for name in ids]))
        if column.null_count():
            row = int(column.is_null().arg_true()[0])
            raise source.error(f"column {quoted(self.column)} (split=) is empty.", row=row)
        values = pl.DataFrame({"query": query_of_row, "value": column, "row": np.arange(len(column))})
        if self.kind == "time":
            return self._by_time(values)
        return self._by_column(source, values, ids)

    def _by_column(self, source: TableSource, values: pl.DataFrame, ids: Sequence[str]) -> Integers:
        distinct = values.group_by("query", "value").agg(pl.col("row").min()).sort("row")
        words = [str(value).strip().lower().replace("-", "_") for value in distinct["value"]]
        parts = np.array([PART_OF.get(word, -1) for word in words])
        if (parts < 0).any():
            at = int(np.argmax(parts < 0))
            known = "train, valid, test or calibration"
            reason = (
                f"column {quoted(self.column)} (split=) must hold {known}, got {quoted(str(distinct['value'][at]))}."
            )
            raise source.error(reason, row=int(distinct["row"][at]))
        part = np.full(len(ids), -1)
        for query, own, row in zip(distinct["query"].to_list(), parts.tolist(), distinct["row"].to_list(), strict=True):
            if part[query] not in (-1, own):
                both = f"in {PARTS[part[query]]} and in {PARTS[own]}"
                raise source.error(f"query {quoted(ids[query])} is both {both}. Keep a query's rows together.", row=row)
            part[query] = own
        return part

    def _by_time(self, values: pl.DataFrame) -> Integers:
        """By the first time of each query; queries of one time stay together."""
        first = values.group_by("query").agg(pl.col("value").min()).sort("query")["value"]
        return self._by_shares((first.rank("min").to_numpy() - 1) / len(first))

    def _by_shares(self, places: np.ndarray[tuple[int], np.dtype[np.float64]]) -> Integers:
        """By numbers in [0, 1), which shares cut in parts."""
        part = np.searchsorted(np.cumsum(self.shares)[:-1], places, side="right")
        return np.asarray(part, dtype=np.int64)


def _shares(text: str) -> tuple[float, ...]:
    numbers = [float(part) for part in text.split(":")]
    if len(numbers) not in (3, 4) or not sum(numbers) > 0 or not numbers[0] > 0:
        wanted = "three shares (train:valid:test, or four, the last for calibration), like 70:15:15 or 80:0:20"
        raise ParameterError(f"split takes {wanted}, got {quoted(text)}.", "split")
    return tuple(number / sum(numbers) for number in numbers)


def _hashed(name: str) -> float:
    """A number in [0, 1) that looks drawn at random and is always the same."""
    digest = hashlib.blake2b(name.encode(), digest_size=8, person=b"riskrank").digest()
    return float((int.from_bytes(digest, "little") >> (64 - HASHED_BITS)) / 2**HASHED_BITS)


def part_position(name: str) -> int:
    """Where a part stands among `PARTS`, by its name or a synonym."""
    position = PART_OF.get(name.strip().lower())
    if position is None:
        raise ParameterError(f"part must be one of {listing(PARTS)}, got {quoted(name)}.", "part")
    return position
