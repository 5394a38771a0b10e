"""Tables as feature data: `read_table`, and what the commands tell of one."""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from riskrank.data.cache.feature_cache import FeatureCache, check_here
from riskrank.data.feature_tables.category_columns import values_of
from riskrank.data.feature_tables.column_roles import ColumnChoice, ColumnRoles, find_roles
from riskrank.data.feature_tables.document_order import DocumentOrder, order_documents
from riskrank.data.feature_tables.feature_matrix import FeatureMatrix
from riskrank.data.feature_tables.query_parts import PARTS, SplitRule, part_position
from riskrank.data.feature_tables.sources.database_tables import database_table, is_database
from riskrank.data.feature_tables.sources.held_tables import held_table
from riskrank.data.feature_tables.sources.table_paths import path_table, table_files
from riskrank.data.fingerprints import array_digest
from riskrank.data.frames import id_texts
from riskrank.data.ranking_data import RankingData
from riskrank.errors import ParameterError, counted, nearest, quoted, warn_caller

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from numpy.typing import NDArray

    from riskrank.data.cache.feature_cache import CacheWriter
    from riskrank.data.feature_tables.sources.table_source import TableSource
    from riskrank.typing import FeatureTableLike, Floats, PathLike, Singles


@dataclass(frozen=True, eq=False)
class FeatureTable:
    """Feature data with the table that they come from: which column is what, and what is odd about it."""

    source: TableSource
    roles: ColumnRoles
    data: RankingData
    order: DocumentOrder
    notes: tuple[str, ...]
    has_labels: bool

    def part(self, name: str) -> RankingData | None:
        """The queries of a part, if there are any; their features are shared."""
        position = part_position(name)
        low, high = self.order.part_offsets[position : position + 2].tolist()
        return None if low == high else self.data.take(slice(low, high))

    @property
    def parts(self) -> dict[str, RankingData]:
        """All parts that have queries, by name."""
        known = {name: self.part(name) for name in PARTS}
        return {name: part for name, part in known.items() if part is not None}


def read_table(
    source: FeatureTableLike,
    *,
    query: str | None = None,
    label: str | None = None,
    document: str | None = None,
    features: str | Sequence[str] | None = None,
    drop: str | Sequence[str] = (),
    weight: str | None = None,
    categories: str | Sequence[str] = (),
    labelled: bool = True,
    cache: PathLike | None = None,
) -> RankingData:
    """Feature data for learning to rank from a table with a row for each document of each query.

    Columns that are not named are known by their names (qid, query_id, …; label, grade, relevance, …; docno, doc_id,
    url, …), whatever their case. All other columns of numbers, truth values or categories (pandas' category, Polars'
    Categorical and Enum, Arrow's dictionary) are features, in their order; a column of texts, dates or lists must be
    left out by name, or texts named as categories.

    Parameters
    ----------
    source
        A path, a folder, a pattern (``part-*.parquet``) or several paths: Parquet, CSV, TSV, Arrow (Feather) or JSON
        lines; the address of a database's table (``sqlite:///shop.db?table=features``) or query
        (``duckdb:///shop.db?query=SELECT …``); or a table of Polars, pandas or Arrow, or whatever has
        ``__arrow_c_stream__`` or ``__dataframe__``.
    query, label, document
        Names of columns. Without a column of documents, they are numbered from 1.
    features
        Names of the features, or patterns (``"bm25*"``), in the order that is wanted.
    drop
        Names or patterns of columns that are no features.
    weight
        The column of weights: of queries where all rows of a query have the same, as traffic, else of documents.
    categories
        Names or patterns of columns of texts or whole numbers that are categories, for LightGBM and XGBoost.
    labelled
        Must every row have a label? If not, labels are not read.
    cache
        A folder to keep the features of files in: the next time they are not read, unless the files have changed.

    >>> import polars as pl
    >>> table = pl.DataFrame({"qid": ["a", "b", "a"], "grade": [0, 2, 1], "bm25": [1.0, 2.0, None]})
    >>> read_table(table).feature("bm25")
    array([ 1., nan,  2.], dtype=float32)
    """
    choice = choice_of(query, label, document, features, drop, weight, categories)
    table = read_feature_table(source, choice, labelled=labelled, cache=cache)
    for note in table.notes:
        warn_caller(note)
    return table.data


def read_table_parts(
    source: FeatureTableLike,
    split: str,
    *,
    query: str | None = None,
    label: str | None = None,
    document: str | None = None,
    features: str | Sequence[str] | None = None,
    drop: str | Sequence[str] = (),
    weight: str | None = None,
    categories: str | Sequence[str] = (),
    cache: PathLike | None = None,
) -> dict[str, RankingData]:
    """A table's queries for training, validation and tests, by the names of these parts; the rest as `read_table`.

    `split` is a column that says train, valid, test or calibration (or validation, dev, …); shares of the queries, as
    ``"70:15:15"``, by a hash of their ids, so that a query always is in the same part; or ``"time:day"``, by a column
    of times: the earliest queries are for training (``"time:day:80:10:10"`` with other shares).

    >>> import polars as pl
    >>> table = pl.DataFrame({"qid": [1, 2, 3], "grade": [1, 0, 1], "bm25": [1, 2, 3], "set": ["train", "dev", "test"]})
    >>> {name: part.query_ids for name, part in read_table_parts(table, "set").items()}
    {'train': ('1',), 'valid': ('2',), 'test': ('3',)}
    """
    choice = choice_of(query, label, document, features, drop, weight, categories)
    table = read_feature_table(source, choice, split=split, cache=cache)
    for note in table.notes:
        warn_caller(note)
    return table.parts


def choice_of(
    query: str | None = None,
    label: str | None = None,
    document: str | None = None,
    features: str | Sequence[str] | None = None,
    drop: str | Sequence[str] | None = (),
    weight: str | None = None,
    categories: str | Sequence[str] | None = (),
) -> ColumnChoice:
    """What is said of columns; one name will do for several."""
    names = {"query": query, "label": label, "document": document, "weight": weight}
    wrong = next((key for key, name in names.items() if not (name is None or (isinstance(name, str) and name))), None)
    if wrong is not None:
        raise ParameterError(f"{wrong} must be the name of a column, got {names[wrong]!r}.", wrong)
    wanted = None if features is None else _names(features)
    if wanted == ():
        raise ParameterError("features names no column.", "features")
    return ColumnChoice(query, label, document, wanted, _names(drop or ()), weight, _names(categories or ()))


def _names(given: str | Sequence[str]) -> tuple[str, ...]:
    return (given,) if isinstance(given, str) else tuple(map(str, given))


def open_table(source: FeatureTableLike, choice: ColumnChoice) -> TableSource:
    """Whatever holds a table, before its rows are read."""
    if isinstance(source, str) and is_database(source):
        return database_table(source)
    several = isinstance(source, list | tuple) and all(isinstance(each, str | os.PathLike) for each in source)
    if isinstance(source, str | os.PathLike) or several:
        paths: Any = source
        return path_table(paths, choice.ids_among)
    return held_table(source)


def read_feature_table(
    source: FeatureTableLike,
    choice: ColumnChoice,
    *,
    labelled: bool | None = True,
    split: str | None = None,
    cache: PathLike | None = None,
) -> FeatureTable:
    """A table with its feature data; `split` divides the queries; a `cache` keeps the features of files.

    Every row must have a label if it is `labelled`, and none is read if it is not; None: they are if all rows have one.
    """
    files = None if cache is None else source_files(source)
    opened = open_table(source, choice)
    rule = None if split is None else SplitRule.parse(split)
    taken = [] if rule is None or not rule.column else [rule.column]
    for name in taken:
        if name not in opened.schema:
            way = nearest(name, opened.schema) or " Name one, or write 70:15:15 (shares of queries) or time:column."
            raise opened.error(f"has no column {quoted(name)} (split=).{way}")
    roles = find_roles(opened, choice, labelled=labelled, taken=taken)
    if not opened.n_rows:
        raise opened.error("has no rows.")
    ids = opened.columns(list(dict.fromkeys([*roles.ids, *taken])))
    order = order_documents(opened, ids[roles.query], rule, ids[taken[0]] if taken else None)
    known_labels = None if roles.label is None else _labels(opened, ids[roles.label], labelled)
    labels = np.zeros(len(ids)) if known_labels is None else known_labels
    if labelled is None and known_labels is None and roles.label is not None:
        roles = replace(roles, label_kind="not in all rows: not shown")
    documents = None if roles.document is None else document_names(opened, ids[roles.document], ids[roles.query])
    values = values_of(opened, roles.categories)
    fill = partial(FeatureMatrix, opened, roles.features, len(ids), order.positions, values, of_model=choice.of_model)
    if cache is None or files is None:
        matrix = fill()
        features, notes = matrix.values, matrix.notes
    else:
        rows_digest = None if order.source_rows is None else array_digest(order.source_rows)
        columns = {"features": roles.features, "categories": values, "rows": rows_digest}
        features, notes = _cached(cache, files, columns, fill)
    rows = order.source_rows
    data = RankingData(
        features, labels if rows is None else labels[rows], order.query_offsets, order.query_ids,
        documents if documents is None or rows is None else documents[rows], source_rows=rows,
        feature_names=roles.features,
        categories={roles.features.index(name): own for name, own in values.items()},
    )  # fmt: skip
    if roles.weight is not None:
        data = _weighted(opened, data, ids[roles.weight])
        several = data.query_of_several_weights
        kind = "of queries" if several is None else f"of documents: query {quoted(several)} has several"
        roles = replace(roles, weight_kind=kind)
    return FeatureTable(opened, roles, data, order, tuple(notes), known_labels is not None)


def source_files(source: FeatureTableLike) -> list[PathLike]:
    """The files of a table, by which a cache tells whether it has changed."""
    given = source if isinstance(source, list | tuple) else [source]
    paths = [path for path in given if isinstance(path, str | os.PathLike) and not is_database(os.fspath(path))]
    if not paths or len(paths) < len(given):
        raise ParameterError("cache= keeps features of files: leave it out for other tables.", "cache")
    check_here(paths)
    return [file for path in paths for file in table_files(path)]


def _cached(
    cache: PathLike, files: Sequence[PathLike], columns: Mapping[str, object], fill: Callable[..., FeatureMatrix]
) -> tuple[Singles, list[str]]:
    """A matrix of features on disk, which is filled if it is not there, and what is odd about it."""

    def read(writer: CacheWriter) -> None:
        matrix = fill(place=writer)
        writer.features(*matrix.values.shape)
        writer.table("notes", pl.DataFrame({"note": matrix.notes}, schema={"note": pl.String}))

    kept = FeatureCache(cache).of(files, {"reader": "table", **columns}, read)
    return kept.features, kept.tables["notes"]["note"].to_list()


def _labels(source: TableSource, column: pl.Series, labelled: bool | None) -> Floats | None:
    if labelled is None:
        are_numbers = column.dtype.is_numeric() or column.dtype == pl.Boolean
        labelled = are_numbers and not column.null_count() and bool(column.cast(pl.Float64).is_finite().all())
    return finite_numbers(source, column, "label") if labelled else None


def _weighted(source: TableSource, data: RankingData, weights: pl.Series) -> RankingData:
    values = finite_numbers(source, weights, "weight")
    wrong = np.flatnonzero(values < 0)
    if len(wrong):
        row = int(wrong[0])
        raise source.error(f"column {quoted(weights.name)} (weight=) must hold numbers from 0.", row=row)
    if not values.any():
        raise source.error(f"column {quoted(weights.name)} (weight=) is 0 everywhere: no query would count.")
    return data.weighted(values)


def finite_numbers(source: TableSource, column: pl.Series, role: str) -> Floats:
    """Finite numbers of a column that is a label or a weight."""
    name = f"column {quoted(column.name)} ({role}=)"
    if not (column.dtype.is_numeric() or column.dtype in (pl.Boolean, pl.Null)):
        texts = column.cast(pl.String, strict=False)
        numbers = texts.cast(pl.Float64, strict=False)
        odd = (numbers.is_null() & texts.is_not_null()).arg_true()
        row = int(odd[0]) if len(odd) else 0
        raise source.error(f"{name} must hold numbers, got {quoted(str(column[row]))}.", row=row)
    numbers = column.cast(pl.Float64)
    wrong = (numbers.is_null() | ~numbers.is_finite()).arg_true()
    if len(wrong):
        row = int(wrong[0])
        others = f", as in {counted(len(wrong) - 1, 'other row')}" if len(wrong) > 1 else ""
        what = "is empty" if column[row] is None else f"must hold finite numbers, got {column[row]}"
        raise source.error(f"{name} {what}{others}.", row=row)
    return numbers.to_numpy().astype(np.float64)


def document_names(source: TableSource, documents: pl.Series, queries: pl.Series) -> NDArray[np.object_]:
    """The names of documents as texts, each once for a query."""
    texts = id_texts(documents)
    if texts.null_count():
        row = int(texts.is_null().arg_true()[0])
        raise source.error(f"column {quoted(documents.name)} (document=) is empty.", row=row)
    pairs = pl.DataFrame({"query": queries, "document": texts})
    if pairs.n_unique() < len(pairs):
        row = int((~pairs.select(pl.struct(pl.all()).is_first_distinct()).to_series()).arg_true()[0])
        query, document = quoted(str(queries[row])), quoted(texts[row])
        raise source.error(f"document {document} stands twice for query {query}. Keep one of its rows.", row=row)
    array: NDArray[np.object_] = texts.to_numpy().astype(object)
    return array
