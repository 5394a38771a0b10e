"""Columns of pandas' and Polars' frames that are no numbers: categories are coded, all others refused by name."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from riskrank.errors import AlignmentError, quoted

if TYPE_CHECKING:
    from collections.abc import Container, Iterator

    from riskrank.typing import Categories


def coded_frame(x: Any, texts: Container[str] = ()) -> tuple[Any, Categories]:
    """A frame with codes in place of categories, and their values; whatever else it is comes back as it is.

    Columns of categories are those of such a type, and those of `texts`, if they hold text. Dates are refused.
    """
    kinds = list(_kinds(x))
    dates = [name for name, kind in kinds if kind == "date"]
    if dates:
        way = "Leave it out, or make it a number, like an age in days."
        raise AlignmentError(f"column {quoted(str(dates[0]))} holds dates or times. {way}")
    chosen = [i for i, (name, kind) in enumerate(kinds) if kind == "category" or (kind == "text" and name in texts)]
    if not chosen:
        return x, {}
    import polars as pl

    from riskrank.data.feature_tables.category_columns import codes_of, values_of
    from riskrank.data.feature_tables.sources.held_tables import held_table

    is_pandas = hasattr(x, "iloc")
    coded = x.copy(deep=False) if is_pandas else x
    categories = {}
    for i in chosen:
        column = x.iloc[:, [i]].reset_index(drop=True) if is_pandas else x[:, [i]]
        table = held_table(column)
        name = next(iter(table.schema))
        categories[i] = values_of(table, [name])[name]
        codes = codes_of(table.columns([name])[name], categories[i])
        if is_pandas:
            coded.isetitem(i, codes)
        else:
            coded = coded.with_columns(pl.Series(name, codes))
    return coded, categories


def check_texts(x: Any) -> None:
    """Tell by name which column of a frame holds text, and what to do."""
    for number, (name, kind) in enumerate(_kinds(x)):
        if kind == "text" and not _are_numbers(x.iloc[:, number] if hasattr(x, "iloc") else x[:, number]):
            way = "Leave it out, or make it a category (astype('category'), or cast(pl.Categorical))."
            raise AlignmentError(f"column {quoted(str(name))} holds text, features are numbers. {way}")


def _kinds(x: Any) -> Iterator[tuple[Any, str]]:
    """The name of each column of a frame, and what it holds, as far as its type tells."""
    if not hasattr(x, "columns"):
        return
    from riskrank.data.frames import is_frame  # loads Polars

    if is_frame(x) and hasattr(x, "dtypes"):
        yield from ((name, _kind(dtype)) for name, dtype in zip(x.columns, x.dtypes, strict=True))


def _kind(dtype: Any) -> str:
    words = str(dtype).lower()
    if words.startswith(("categor", "enum")):
        return "category"
    if words.startswith(("date", "time", "duration", "period")):
        return "date"
    return "text" if words.startswith(("str", "object", "string", "large_string")) else "number"


def _are_numbers(column: Any) -> bool:
    try:
        np.asarray(column, dtype=np.float32)
    except (TypeError, ValueError):
        return False
    return True
