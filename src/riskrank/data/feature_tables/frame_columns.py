"""Tables as features: frames of pandas and Polars, and what becomes one; categories are coded, all else is refused."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol, TypeAlias, TypeGuard, cast

import numpy as np

from riskrank.errors import AlignmentError, listing, quoted

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


AS_CATEGORY = "astype('category'), or cast(pl.Categorical)"
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
    it does not know, are categories without values. `names` are those of the columns whatever they are called.
    """
    frame = table_frame(x)
    given = None if names is None else tuple(names)
    if frame is None:
        return features_of(x), given, {}
    from riskrank.data.feature_tables.column_kinds import WAYS_OUT

    own = names_of_columns(frame) if given is None else given
    kinds = [_kind(frame, place) for place in range(len(frame.columns))]
    texts = set() if model is None else _category_places(model, own)
    odd = {
        place: kind
        for place, kind in enumerate(kinds)
        if kind in WAYS_OUT and not (kind == "text" and (place in texts or _are_numbers(frame, place)))
    }
    unknown = set() if model is None else _unknown_places(model, own) & odd.keys()
    for place, kind in odd.items():
        if place not in unknown:
            way = _way_out(kind) if model is None else _wanted(is_category=place in texts)
            raise AlignmentError(f"column {quoted(str(frame.columns[place]))} holds {kind}, {way}")
    coded, categories = _coded_frame(frame, kinds, texts, unknown)
    return features_of(coded), own, categories


def _category_places(model: FeatureColumns, names: tuple[str, ...] | None) -> set[int]:
    """The columns of data that a model knows as categories: by name, or where a side has none, by place."""
    if names is None or model.names is None:
        return set(model.categories)
    return {place for place, name in enumerate(names) if name in model.category_names}


def _unknown_places(model: FeatureColumns, names: tuple[str, ...] | None) -> set[int]:
    """The columns of data that a model does not know by name."""
    if names is None or model.names is None:
        return set()
    known = set(model.names)
    return {place for place, name in enumerate(names) if name not in known}


def _way_out(kind: str) -> str:
    from riskrank.data.feature_tables.column_kinds import WAYS_OUT

    return f"features are numbers. Leave it out, or {WAYS_OUT[kind].format(category=AS_CATEGORY)}."


def _wanted(*, is_category: bool) -> str:
    known = "categories" if is_category else "numbers"
    return f"the model knows it as {known}. Give these, or NaN where there is none."


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


def _coded_frame(
    x: Frame, kinds: Sequence[str], texts: Container[int], unknown: Container[int]
) -> tuple[Frame, Categories]:
    """A frame of numbers, with codes in place of categories, and the values of these.

    Columns of categories are those of such a type, and those of `texts`, if they hold text; those that are `unknown`
    have no values. Numbers of pandas' own types, which may be absent, are plain ones then.
    """
    from riskrank.data.feature_tables.category_columns import category_values, codes_of

    coded: Frame = x
    categories: dict[int, tuple[str, ...]] = {}
    for place, kind in enumerate(kinds):
        if place in unknown:
            categories[place] = ()
            coded = _replaced(coded, place, np.full(len(x), np.nan, np.float32))
        elif kind == "category" or (kind == "text" and place in texts):
            cells = _column(x, place)
            categories[place] = category_values(cells)
            coded = _replaced(coded, place, codes_of(cells, categories[place]))
        elif kind == "absent":
            coded = _replaced(coded, place, _numbers(_column(x, place), str(x.columns[place])))
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


def _kind(x: Frame, place: int) -> str:
    """What a column holds: numbers, numbers of pandas that may be absent, categories, or what is no feature."""
    import polars as pl

    from riskrank.data.feature_tables.category_columns import are_categories
    from riskrank.data.feature_tables.column_kinds import reason_against

    if isinstance(x, pl.DataFrame):
        dtype = x.dtypes[place]
        return "category" if are_categories(dtype) else reason_against(dtype) or "number"
    column: PandasSeries = x.iloc[:, place]
    if str(column.dtype).startswith(("category", "dictionary")):
        return "category"
    if str(column.dtype).startswith("period"):
        return "dates or times"
    kind = getattr(column.dtype, "kind", "O")
    if kind != "O":
        is_plain = isinstance(column.dtype, np.dtype)
        return "dates or times" if kind in "mM" else "number" if is_plain else "absent"
    cells = {type(cell): cell for cell, is_absent in zip(column.tolist(), column.isna(), strict=True) if not is_absent}
    odd = (reason_against(pl.Series([cell], strict=False).dtype) for cell in cells.values())
    return next(filter(None, odd), "number" if _are_numbers(x, place) else "absent")


def _are_numbers(x: Frame, place: int) -> bool:
    import polars as pl

    cells: object = x.to_series(place) if isinstance(x, pl.DataFrame) else x.iloc[:, place]
    try:
        np.asarray(cells, dtype=np.float32)
    except (TypeError, ValueError):
        return False
    return True
