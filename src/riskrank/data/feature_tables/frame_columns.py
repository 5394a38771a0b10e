"""Tables as features: frames of pandas and Polars, and what becomes one; categories are coded, all else is refused."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol, TypeAlias, TypeGuard, cast

import numpy as np

from riskrank.errors import AlignmentError, listing, quoted, warn_caller

if TYPE_CHECKING:
    from collections.abc import Container, Sequence

    import polars as pl

    from riskrank.data.feature_columns import FeatureColumns
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
    def drop(self, *, columns: str | Sequence[str]) -> PandasFrame: ...
    def isetitem(self, place: int, values: Singles) -> None: ...


WAYS_OUT = {
    "text": "make it a category (astype('category'), or cast(pl.Categorical))",
    "dates or times": "make it a number, like an age in days",
    "lists or records": "make a column of each number",
}
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
    x: DataLike, *, model: FeatureColumns | None = None, names: Sequence[str] | None = None
) -> tuple[Singles, tuple[str, ...] | None, Categories]:
    """As `features_of`, with the names of a table's columns, and codes for its categories, and their values.

    For a `model`, columns of texts that it knows as categories are some, and other columns than those of numbers, which
    it does not know, are left out. `names` are those of the columns whatever they are called.
    """
    frame = table_frame(x)
    given = None if names is None else tuple(names)
    if frame is None:
        return features_of(x), given, {}
    own = given or names_of_columns(frame)
    texts = () if model is None else model.category_names
    odd = _odd_columns(frame, texts)
    if odd and model is not None and model.names is not None and own is not None:
        known = set(model.names)
        unknown = [own[place] for place in odd if own[place] not in known]
        frame = _without(frame, unknown)
        own = tuple(name for name in own if name not in unknown)
        odd = _odd_columns(frame, texts)
        if unknown:
            warn_caller(f"columns that the model does not know are left out: {listing(unknown, limit=MOST_NAMED)}.")
    if odd:
        raise _no_number(str(frame.columns[next(iter(odd))]), next(iter(odd.values())), model)
    coded, categories = coded_frame(frame, texts)
    return features_of(coded), own, categories


def _odd_columns(x: Frame, texts: Container[str]) -> dict[int, str]:
    """What columns hold that are no features, by place; `texts` may be some."""
    odd = {}
    for place, (name, dtype) in enumerate(zip(x.columns, x.dtypes, strict=True)):
        kind = _kind(dtype)
        if kind in WAYS_OUT and not (kind == "text" and (str(name) in texts or _are_numbers(x, place))):
            odd[place] = kind
    return odd


def _no_number(name: str, what: str, model: FeatureColumns | None) -> AlignmentError:
    holds = f"column {quoted(name)} holds {what}"
    if model is None or model.names is None:
        return AlignmentError(f"{holds}, features are numbers. Leave it out, or {WAYS_OUT[what]}.")
    known = "categories" if name in model.category_names else "numbers"
    return AlignmentError(f"{holds}, the model knows it as {known}. Give these, or NaN where there is none.")


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
    types, which may be absent, are plain ones then.
    """
    kinds = [(str(name), _kind(dtype)) for name, dtype in zip(x.columns, x.dtypes, strict=True)]
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


def _without(x: Frame, names: Sequence[str]) -> Frame:
    import polars as pl

    return x.drop(names) if isinstance(x, pl.DataFrame) else x.drop(columns=names)


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


def _kind(dtype: object) -> str:
    """What a column holds, as far as its type tells: numbers that may be absent are pandas' own."""
    words = str(dtype).lower()
    if words.startswith(("categor", "enum", "dictionary")):
        return "category"
    if words.startswith(("date", "time", "duration", "period")):
        return "dates or times"
    if words.startswith(("list", "array", "struct", "map", "binary")):
        return "lists or records"
    if words.startswith(("str", "object", "string", "large_string")):
        return "text"
    is_own = type(dtype).__module__.partition(".")[0] == "pandas"
    return "absent" if is_own else "number"


def _are_numbers(x: Frame, place: int) -> bool:
    import polars as pl

    cells: object = x.to_series(place) if isinstance(x, pl.DataFrame) else x.iloc[:, place]
    try:
        np.asarray(cells, dtype=np.float32)
    except (TypeError, ValueError):
        return False
    return True
