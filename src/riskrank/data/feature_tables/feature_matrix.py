"""Columns of a table as a matrix of float32, filled a part at a time: nothing is held twice."""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from riskrank.data.feature_tables.category_columns import codes_of
from riskrank.data.feature_tables.column_roles import as_option
from riskrank.data.letor.float_memory import float_memory
from riskrank.data.letor.letor_lines import MISSING_FROM, OVERFLOW
from riskrank.errors import counted, listing, quoted

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from riskrank.data.feature_tables.sources.table_source import TableSource
    from riskrank.data.letor.float_memory import MemoryPlace
    from riskrank.typing import Floats, Integers, Singles

ROWS_AT_ONCE = 4096  # of the matrix, so that they stay in the cache while column after column is written
MOST_NAMED = 5


def _range(values: pl.Series) -> tuple[float, float]:
    """The least and the largest number, NaN where there is none."""
    least, most = values.min(), values.max()
    return (float(least), float(most)) if isinstance(least, float) and isinstance(most, float) else (np.nan, np.nan)


class FeatureMatrix:
    """Documents × features, and what was seen while it was filled; of `categories`, by name, it holds codes.

    Where they are the features `of_model`, none can be left out. They are held in memory, or at a `place` on disk.
    """

    def __init__(
        self,
        source: TableSource,
        names: Sequence[str],
        n_rows: int,
        positions: Integers | None,
        categories: Mapping[str, tuple[str, ...]],
        *,
        of_model: bool = False,
        place: MemoryPlace | None = None,
    ) -> None:
        self.values = float_memory(n_rows, len(names), place)
        self._source = source
        self._of_model = of_model
        self._names = list(names)
        self._categories = categories
        self._positions = positions
        self._least: Floats = np.full(len(names), np.inf)
        self._most: Floats = np.full(len(names), -np.inf)
        self._n_absent: Integers = np.zeros(len(names), np.int64)
        at = 0
        with closing(source.frames(self._names)) as frames:
            for frame in frames:
                at = self._take(frame, at)
        if at != n_rows:
            raise source.error("changed while it was read. Try again.")

    @property
    def notes(self) -> list[str]:
        """What is odd about columns, by name."""
        is_empty = self._n_absent == len(self.values)
        is_constant = ~is_empty & (self._least == self._most) & (self._n_absent == 0)
        notes = []
        for chosen, word, words in ((is_empty, "has no value", "have no value"), (is_constant, "is", "are")):
            names = [name for name, is_chosen in zip(self._names, chosen, strict=True) if is_chosen]
            if names:
                what = f"{listing(names, limit=MOST_NAMED)} {word if len(names) == 1 else words}"
                end = " constant" if word == "is" else ""
                notes.append(f"{what}{end} in all {counted(len(self.values), 'row')}.")
        return notes

    def _take(self, frame: pl.DataFrame, start: int) -> int:
        """Write rows from `start` on; returns where the next ones begin."""
        columns = [self._column(number, series, start) for number, series in enumerate(frame.get_columns())]
        scratch: Singles | None = None
        if self._positions is not None:
            scratch = np.empty((min(ROWS_AT_ONCE, frame.height), len(columns)), np.float32)
        with np.errstate(under="ignore"):
            for low in range(0, frame.height, ROWS_AT_ONCE):
                high = min(low + ROWS_AT_ONCE, frame.height)
                rows = self.values[start + low : start + high] if scratch is None else scratch[: high - low]
                for number, column in enumerate(columns):
                    rows[:, number] = column[low:high]
                if self._positions is not None:
                    self.values[self._positions[start + low : start + high]] = rows
        return start + frame.height

    def _column(self, number: int, series: pl.Series, start: int) -> np.ndarray[tuple[int], np.dtype[np.floating]]:
        """A column's numbers, NaN where there is none."""
        if self._names[number] in self._categories:
            series = pl.Series(codes_of(series, self._categories[self._names[number]]), nan_to_null=True)
        if series.dtype not in (pl.Float32, pl.Float64):
            series = series.cast(pl.Float32)
        values = series.to_numpy()
        least, most = _range(series)
        if least <= -OVERFLOW or most >= OVERFLOW:
            values = self._without_markers(number, values, start)
            least, most = np.fmin.reduce(values), np.fmax.reduce(values)
        self._least[number] = np.fmin(self._least[number], least)
        self._most[number] = np.fmax(self._most[number], most)
        is_told_by_nulls = least < most  # otherwise it may be constant, or have no value at all
        self._n_absent[number] += series.null_count() if is_told_by_nulls else np.isnan(values).sum()
        return values

    def _without_markers(self, number: int, values: Floats, start: int) -> Floats:
        """Without largest doubles, which stand for missing values in some data; what else is infinite is refused."""
        size = np.abs(values)
        is_marker = (size >= MISSING_FROM) & np.isfinite(values)
        wrong = np.flatnonzero((size >= OVERFLOW) & ~is_marker)
        if len(wrong):
            value, name = values[wrong[0]], self._names[number]
            what = "is infinite" if np.isinf(value) else f"is {value:g}, beyond what float32 holds"
            other = "train a model without it" if self._of_model else f"leave it out (drop='{as_option(name)}')"
            reason = f"column {quoted(name)} {what}. Leave it empty where it is missing, or {other}."
            raise self._source.error(reason, row=start + int(wrong[0]))
        return np.where(is_marker, np.nan, values)
