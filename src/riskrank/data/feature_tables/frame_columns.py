"""Tables as features: frames of pandas and Polars, and what becomes one; categories are coded, all else is refused."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol, TypeAlias, TypeGuard, cast

import numpy as np

from riskrank.errors import AlignmentError, listing, quoted

if TYPE_CHECKING:
    from collections.abc import Container, Sequence

    import polars as pl

    from riskrank.data.feature_tables.sources.held_tables import PandasSeries
    from riskrank.typing import Categories, DataLike, Singles, Table


class PandasFrame(Protocol):
    """What is used of a frame of pandas."""

    columns: Any  # an index of names, which may be anything
    dtypes: Sequence[object]
    iloc: Any

    def __len__(self) -> int: ...
    def __getitem__(self, name: str, /) -> PandasSeries: ...
    def copy(self, deep: bool = True) -> PandasFrame: ...
    def drop(self, *, columns: str) -> PandasFrame: ...
    def isetitem(self, place: int, values: Singles) -> None: ...


MOST_NAMED = 5
Frame: TypeAlias = "PandasFrame | pl.DataFrame"


def table_frame(x: DataLike) -> Frame | None:
    """The frame that a table is, or becomes: those of Arrow, lazy ones, and others that speak a protocol.

    None for arrays, whose columns have no names, and for whatever else is no table.
    """
    if is_pandas(x):
        return x
    library = type(x).__module__.partition(".")[0]
    speaks = hasattr(x, "__arrow_c_stream__") or hasattr(x, "__dataframe__")
    if library == "pandas" or not (speaks or library == "polars"):
        return None
    import polars as pl

    from riskrank.data.feature_tables.sources.held_tables import held_table

    if isinstance(x, pl.DataFrame):
        return x
    if isinstance(x, pl.Series):
        return None
    table = held_table(cast("Table", x))
    return table.columns(list(table.schema))


def is_pandas(x: DataLike) -> TypeGuard[PandasFrame]:
    """Is it a frame of pandas? Told without loading it."""
    return type(x).__module__.partition(".")[0] == "pandas" and hasattr(x, "iloc") and hasattr(x, "columns")


def names_of_columns(x: Frame) -> tuple[str, ...] | None:
    """The names of the columns; None where they are numbers from 0 on, as those of an array.

    Other names are refused: columns in another order could not be told.
    """
    names = list(x.columns)
    if names and all(isinstance(name, str) for name in names):
        return tuple(names)
    if names != list(range(len(names))):
        way = "Name them by texts (frame.columns = frame.columns.map(str))."
        got = listing([str(name) for name in names], limit=MOST_NAMED)
        raise AlignmentError(f"columns must have texts as names, got {got}. {way}")
    return None


def coded_features(
    x: DataLike, *, texts: Container[str] = (), names: Sequence[str] | None = None
) -> tuple[Singles, tuple[str, ...] | None, Categories]:
    """As `features_of`, with the names of a table's columns, and codes for its categories, and their values.

    Columns of `texts` are categories, too: those of a model that knows them so. `names` are those of the columns
    whatever they are called.
    """
    frame = table_frame(x)
    given = None if names is None else tuple(names)
    if frame is None:
        return features_of(x), given, {}
    own = given or names_of_columns(frame)
    coded, categories = coded_frame(frame, texts)
    try:
        return features_of(coded), own, categories
    except (TypeError, ValueError):
        check_texts(coded)
        raise


def features_of(x: DataLike) -> Singles:
    """A matrix of features as float32."""
    dense = x.toarray() if hasattr(x, "toarray") else x  # a sparse matrix
    if getattr(getattr(dense, "dtype", None), "kind", "") == "c":
        raise AlignmentError("features must be real numbers. Complex data not supported.")
    matrix = np.asarray(dense, dtype=np.float32)
    if matrix.ndim != 2:
        raise AlignmentError(
            f"features must be documents × features, got shape {matrix.shape}. Reshape your data: a document is a row."
        )
    return matrix


def coded_frame(x: Frame, texts: Container[str] = ()) -> tuple[Frame, Categories]:
    """A frame of numbers, with codes in place of categories, and the values of these.

    Columns of categories are those of such a type, and those of `texts`, if they hold text. Numbers of pandas' own
    types, which may be absent, are plain ones then. Dates are refused.
    """
    kinds = [(str(name), _kind(dtype)) for name, dtype in zip(x.columns, x.dtypes, strict=True)]
    date = next((name for name, kind in kinds if kind == "date"), None)
    if date is not None:
        way = "Leave it out, or make it a number, like an age in days."
        raise AlignmentError(f"column {quoted(date)} holds dates or times. {way}")
    from riskrank.data.feature_tables.category_columns import category_values, codes_of

    coded: Frame = x
    categories = {}
    for place, (name, kind) in enumerate(kinds):
        is_category = kind == "category" or (kind == "text" and name in texts)
        if is_category:
            cells = _column(x, place)
            categories[place] = category_values(cells)
            coded = _replaced(coded, place, codes_of(cells, categories[place]))
        elif kind == "absent":
            coded = _replaced(coded, place, _numbers(_column(x, place), name))
    return coded, categories


def _column(x: Frame, place: int) -> pl.Series:
    import polars as pl

    if isinstance(x, pl.DataFrame):
        return x.to_series(place)
    from riskrank.data.feature_tables.sources.held_tables import pandas_column

    return pandas_column(str(x.columns[place]), x.iloc[:, place])


def _replaced(x: Frame, place: int, values: Singles) -> Frame:
    import polars as pl

    if isinstance(x, pl.DataFrame):
        return x.with_columns(pl.Series(x.columns[place], values))
    changed = x.copy(deep=False)
    changed.isetitem(place, values)
    return changed


def _numbers(column: pl.Series, name: str) -> Singles:
    import polars as pl

    if not (column.dtype.is_numeric() or column.dtype in (pl.Boolean, pl.Null)):
        raise AlignmentError(f"column {quoted(name)} holds {column.dtype}, features are numbers. Leave it out.")
    return column.cast(pl.Float32).to_numpy()


def check_texts(x: Frame) -> None:
    """Tell by name which column of a frame holds text, and what to do."""
    import polars as pl

    for place, (name, dtype) in enumerate(zip(x.columns, x.dtypes, strict=True)):
        cells: object = x.to_series(place) if isinstance(x, pl.DataFrame) else x.iloc[:, place]
        if _kind(dtype) == "text" and not _are_numbers(cells):
            way = "Leave it out, or make it a category (astype('category'), or cast(pl.Categorical))."
            raise AlignmentError(f"column {quoted(str(name))} holds text, features are numbers. {way}")


def _kind(dtype: object) -> str:
    """What a column holds, as far as its type tells: numbers that may be absent are pandas' own."""
    words = str(dtype).lower()
    if words.startswith(("categor", "enum", "dictionary")):
        return "category"
    if words.startswith(("date", "time", "duration", "period")):
        return "date"
    if words.startswith(("str", "object", "string", "large_string")):
        return "text"
    is_own = type(dtype).__module__.partition(".")[0] == "pandas"
    return "absent" if is_own else "number"


def _are_numbers(column: object) -> bool:
    try:
        np.asarray(column, dtype=np.float32)
    except (TypeError, ValueError):
        return False
    return True
