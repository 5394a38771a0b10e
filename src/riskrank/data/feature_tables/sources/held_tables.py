"""Tables that Python programs hold: Polars, pandas, Arrow, and whatever speaks Arrow's or the interchange protocol."""

from __future__ import annotations

from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Any, Protocol, cast

import numpy as np
import polars as pl

from riskrank.data.feature_tables.category_columns import category_texts
from riskrank.data.feature_tables.sources.duckdb_frames import is_relation, relation_frame
from riskrank.data.feature_tables.sources.table_source import THE_TABLE, HeldTable, ScannedTable, TableSource
from riskrank.errors import AlignmentError, ParameterError, first_duplicate, one_line, quoted

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from riskrank.typing import PathLike, SupportsArrowStream, SupportsInterchange, Table


class PandasSeries(Protocol):
    """What is used of a column of pandas."""

    dtype: object
    cat: Any

    def isna(self) -> Sequence[bool]: ...
    def to_numpy(self, dtype: type[np.float64] | None = None, *, na_value: float = ...) -> NDArray[Any]: ...
    def tolist(self) -> list[Any]: ...


def held_table(source: Table | Sequence[PathLike]) -> TableSource:
    """The table that an object is."""
    if isinstance(source, pl.DataFrame):
        return HeldTable(source)
    if isinstance(source, pl.LazyFrame):
        return ScannedTable(source, told=partial(_trouble_told, source))
    with _trouble_told(source):
        if type(source).__module__.split(".")[0] == "pandas" and hasattr(source, "columns"):
            return HeldTable(_from_pandas(source))
        if is_relation(source):
            return HeldTable(relation_frame(source))
        if hasattr(source, "__arrow_c_stream__"):
            return HeldTable(pl.DataFrame(cast("SupportsArrowStream", source)))
        if hasattr(source, "__dataframe__"):
            return HeldTable(_from_interchange(cast("SupportsInterchange", source)))
    kinds = "a path, an address, or a table of Polars, pandas or Arrow"
    raise ParameterError(f"a table must be {kinds}, got {one_line(type(source).__name__)}.")


@contextmanager
def _trouble_told(source: object) -> Iterator[None]:
    try:
        yield
    except pl.exceptions.PolarsError as error:
        reason = one_line(str(error).partition("\n")[0], limit=200)
        raise AlignmentError(f"{THE_TABLE}: a {type(source).__name__} cannot be read ({reason}).") from None


def _from_pandas(table: Any) -> pl.DataFrame:
    """Column by column, since Polars would ask for pyarrow; an index that has names is columns, too."""
    if any(name is not None for name in table.index.names):
        try:
            table = table.reset_index()
        except ValueError as error:
            raise AlignmentError(f"{THE_TABLE}: its index cannot become columns ({one_line(str(error))}).") from None
    names = [str(name) for name in table.columns]
    twice = first_duplicate(names)
    if twice is not None:
        raise AlignmentError(f"{THE_TABLE}: two columns are called {quoted(twice)}. Rename one of them.")
    return pl.DataFrame([pandas_column(name, table.iloc[:, i]) for i, name in enumerate(names)])


def pandas_column(name: str, values: PandasSeries) -> pl.Series:
    """A column with null where pandas has no value."""
    kind = getattr(values.dtype, "kind", "O")
    if isinstance(values.dtype, np.dtype) and kind in "biufMm":
        return pl.Series(name, np.ascontiguousarray(values.to_numpy()))
    if str(values.dtype) == "category":
        return _pandas_categories(name, values.cat)
    if kind == "f":  # pandas' own numbers, which may be absent
        return pl.Series(name, values.to_numpy(dtype=np.float64, na_value=np.nan))
    plain = [None if is_absent else value for value, is_absent in zip(values.tolist(), values.isna(), strict=True)]
    return pl.Series(name, plain, strict=False)


def _pandas_categories(name: str, values: Any) -> pl.Series:
    """Their texts, by code; -1 is none."""
    known = category_texts(pl.Series(values.categories.tolist(), strict=False))
    cells: pl.Series = pl.Series(name, [*known, None], dtype=pl.String)[values.codes.to_numpy()]
    return cells.cast(pl.Categorical)


def _from_interchange(source: SupportsInterchange) -> pl.DataFrame:
    try:
        from pyarrow.interchange import from_dataframe
    except ImportError:
        raise AlignmentError(
            f"{THE_TABLE}: a {type(source).__name__} is read through Arrow: pip install pyarrow."
        ) from None
    return pl.DataFrame(from_dataframe(source))
