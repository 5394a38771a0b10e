"""Columns of a table that hold categories: their values as texts, sorted, and the code of each cell."""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from riskrank.errors import quoted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from riskrank.data.feature_tables.sources.table_source import TableSource
    from riskrank.typing import Singles


def are_categories(dtype: pl.DataType) -> bool:
    """Does the type of a column alone say so?"""
    return isinstance(dtype, pl.Categorical | pl.Enum)


def can_be_categories(dtype: pl.DataType) -> bool:
    """May a column of this type be named as one of categories?"""
    is_plain = dtype in (pl.String, pl.Boolean, pl.Null)
    return are_categories(dtype) or is_plain or dtype.is_integer() or dtype.is_float()


def category_texts(column: pl.Series) -> pl.Series:
    """The values as texts, null where there is none; whole numbers have no ".0", others are as they are.

    >>> category_texts(pl.Series([7.0, float("nan")])).to_list()
    ['7', None]
    """
    if column.dtype.is_float():
        column = column.fill_nan(None)
        whole = column.cast(pl.Int64, strict=False)
        column = whole if (whole == column).all() else column
    texts = column.cast(pl.String)
    return texts.set(texts == "", None)


def first_fraction(column: pl.Series) -> int | None:
    """The first row with a number that is not whole, if any."""
    if not column.dtype.is_float():
        return None
    odd = (column.is_infinite() | (column.is_not_nan() & (column != column.floor()))).arg_true()
    return int(odd[0]) if len(odd) else None


def values_of(source: TableSource, names: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """The values in some columns, sorted."""
    seen: dict[str, set[str]] = {name: set() for name in names}
    if not names:
        return {}
    start = 0
    with closing(source.frames(names)) as frames:
        for frame in frames:
            for name in names:
                odd = first_fraction(frame[name])
                if odd is not None:
                    got = f"categories are texts or whole numbers, got {frame[name][odd]}"
                    raise source.error(f"column {quoted(name)} (categories=): {got}.", row=start + odd)
                seen[name].update(category_values(frame[name]))
            start += frame.height
    return {name: tuple(sorted(values)) for name, values in seen.items()}


def category_values(column: pl.Series) -> tuple[str, ...]:
    """The values in a column, sorted.

    >>> category_values(pl.Series(["b", None, "a", "b"]))
    ('a', 'b')
    """
    return tuple(sorted(category_texts(column).unique().drop_nulls().to_list()))


def codes_of(column: pl.Series, values: Sequence[str]) -> Singles:
    """The place of each cell among the values, NaN where there is none.

    >>> codes_of(pl.Series(["b", None, "a"]), ("a", "b"))
    array([ 1., nan,  0.], dtype=float32)
    """
    if not values:
        return np.full(len(column), np.nan, np.float32)
    places = np.arange(len(values), dtype=np.float32)
    codes = category_texts(column).replace_strict(list(values), places, default=None, return_dtype=pl.Float32)
    return codes.to_numpy()
