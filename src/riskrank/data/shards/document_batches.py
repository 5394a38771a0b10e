"""Documents a part at a time, in the order of their source: LETOR text, or a table."""

from __future__ import annotations

import os
from contextlib import closing
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from riskrank.data.feature_columns import FeatureColumns
from riskrank.data.feature_tables.category_columns import values_of
from riskrank.data.feature_tables.column_roles import find_roles
from riskrank.data.feature_tables.feature_matrix import FeatureMatrix
from riskrank.data.feature_tables.feature_table import document_names, finite_numbers, open_table
from riskrank.data.feature_tables.ranking_files import is_feature_table
from riskrank.data.feature_tables.sources.table_source import HeldTable
from riskrank.data.frames import id_texts
from riskrank.data.letor.reader import count_lines, read_blocks
from riskrank.errors import AlignmentError, FileError, ParameterError, quoted

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from numpy.typing import NDArray

    from riskrank.data.feature_tables.column_roles import ColumnChoice, ColumnRoles
    from riskrank.data.feature_tables.sources.table_source import TableSource
    from riskrank.errors import RiskrankError
    from riskrank.typing import FeatureTableLike, Floats, Integers, PathLike, Singles

ROWS_AT_ONCE = 1 << 16  # of a table in memory


@dataclass(frozen=True, eq=False)
class DocumentBatch:
    """Some documents: the query of each, and what else is known of them; without `positions` they are consecutive."""

    features: Singles
    labels: Floats
    queries: pl.Series
    document_ids: NDArray[np.object_] | None = None
    weights: Floats | None = None
    scores: dict[str, Floats] = field(default_factory=dict)
    positions: Integers | None = None  # rows of the source

    def __len__(self) -> int:
        return len(self.labels)

    def rows(self, low: int, high: int) -> DocumentBatch:
        """Some of the documents."""
        return DocumentBatch(
            self.features[low:high],
            self.labels[low:high],
            self.queries[low:high],
            None if self.document_ids is None else self.document_ids[low:high],
            None if self.weights is None else self.weights[low:high],
            {name: scores[low:high] for name, scores in self.scores.items()},
            None if self.positions is None else self.positions[low:high],
        )


@dataclass(frozen=True, eq=False)
class DocumentStream:
    """Documents that are read as they are asked for; about `n_rows` of them.

    `columns` are those of a table, whose number is known; of LETOR text it is when all was read. `is_gathered`: the
    queries are known to stand together.
    """

    name: str
    n_rows: int
    columns: FeatureColumns
    batches: Callable[[], Iterator[DocumentBatch]]
    scores: Sequence[str] = ()  # the names of systems
    is_gathered: bool = False


def stream_documents(
    source: FeatureTableLike,
    choice: ColumnChoice,
    *,
    scores: Sequence[str] = (),
    zero_based: bool = False,
    n_features: int | None = None,
) -> DocumentStream:
    """Of LETOR text or a table; columns of `scores` are those of systems, and no features."""
    if isinstance(source, str | os.PathLike) and not is_feature_table(source):
        if choice.said or scores:
            said = choice.said[0] if choice.said else "scores"
            raise FileError(source, f"is no table, its columns have no names: leave {said}= out.")
        return _letor_stream(source, zero_based=zero_based, n_features=n_features)
    if n_features is not None:
        raise ParameterError("a table has as many features as columns for them: leave n_features= out.", "n_features")
    return _table_stream(open_table(source, choice), choice, scores)


def _letor_stream(path: PathLike, *, zero_based: bool, n_features: int | None) -> DocumentStream:
    def batches() -> Iterator[DocumentBatch]:
        for block in read_blocks(path, zero_based=zero_based):
            if not block.query_starts:
                raise FileError(path, "has no 'qid:' on its lines, by which queries are kept together. Write them.")
            width = block.features.shape[1]
            if n_features is not None and width > n_features:
                raise FileError(path, f"has {width} features, {n_features} are expected.")
            starts = np.array([start for _, start in block.query_starts])
            sizes = np.diff(np.append(starts, len(block.labels)))
            names = pl.Series([query for query, _ in block.query_starts], dtype=pl.String)
            queries = names.gather(np.repeat(np.arange(len(starts)), sizes))
            ids = None if block.document_ids is None else np.array(block.document_ids, dtype=object)
            yield DocumentBatch(block.features, block.labels, queries, ids)

    columns = FeatureColumns(n_features or 0, 0 if zero_based else 1)
    return DocumentStream(os.fspath(path), count_lines(path), columns, batches)


@dataclass(frozen=True, eq=False, kw_only=True)
class TablePart(HeldTable):
    """Rows of a table from `start` on; messages count rows from the table's beginning."""

    whole: TableSource
    start: int

    def error(self, message: str, *, row: int | None = None) -> RiskrankError:
        return self.whole.error(message, row=None if row is None else self.start + row)


def _table_stream(source: TableSource, choice: ColumnChoice, scores: Sequence[str]) -> DocumentStream:
    unknown = next((name for name in scores if name not in source.schema), None)
    if unknown is not None:
        raise source.error(f"has no column {quoted(unknown)} (baseline=).")
    roles = find_roles(source, choice, taken=scores)
    if not source.n_rows:
        raise source.error("has no rows.")
    values = values_of(source, roles.categories)
    categories = {roles.features.index(name): own for name, own in values.items()}
    columns = FeatureColumns(len(roles.features), names=roles.features, categories=categories)

    def batches() -> Iterator[DocumentBatch]:
        start = 0
        names = list(dict.fromkeys([*roles.ids, *roles.features, *scores]))
        with closing(source.frames(names)) as frames:
            for frame in frames:
                for part in frame.iter_slices(ROWS_AT_ONCE):
                    yield _batch(TablePart(frame=part, whole=source, start=start), roles, values, scores)
                    start += part.height

    return DocumentStream(source.name, source.n_rows, columns, batches, tuple(scores))


def _batch(
    part: TablePart, roles: ColumnRoles, values: dict[str, tuple[str, ...]], scores: Sequence[str]
) -> DocumentBatch:
    frame = part.frame
    queries = frame[roles.query]
    absent = queries.is_null() | (queries.is_nan() if queries.dtype.is_float() else False)
    names = id_texts(queries)
    empty = (absent | (names == "")).arg_true()
    if len(empty):
        raise part.error(f"column {quoted(roles.query)} (query=) is empty.", row=int(empty[0]))
    if roles.label is None:
        raise ParameterError("label= is needed.", "label")
    documents = None if roles.document is None else document_names(part, frame[roles.document], queries)
    weights = None if roles.weight is None else finite_numbers(part, frame[roles.weight], "weight")
    if weights is not None and (weights < 0).any():
        row = int(np.argmax(weights < 0))
        raise part.error(f"column {quoted(str(roles.weight))} (weight=) must hold numbers from 0.", row=row)
    matrix = FeatureMatrix(part, roles.features, len(frame), None, values).values
    systems = {name: _system_scores(part, name) for name in scores}
    labels = finite_numbers(part, frame[roles.label], "label")
    return DocumentBatch(matrix, labels, names, documents, weights, systems)


def _system_scores(part: TablePart, name: str) -> Floats:
    """A column of scores; −inf where it is empty: the system does not rank the document."""
    column = part.frame[name]
    if not (column.dtype.is_numeric() or column.dtype == pl.Null):
        raise part.error(f"column {quoted(name)} (baseline=) must hold numbers.")
    scores = column.cast(pl.Float64).fill_nan(None).fill_null(-np.inf).to_numpy()
    if (scores == np.inf).any():
        raise part.error(f"column {quoted(name)} (baseline=) is infinite.", row=int(np.argmax(scores == np.inf)))
    return np.asarray(scores, np.float64)


def check_documents(stream: DocumentStream, batch: DocumentBatch) -> None:
    """Each once for a query, in tables; LETOR text may have them twice."""
    if batch.document_ids is None or stream.columns.names is None:
        return
    pairs = pl.DataFrame({"query": batch.queries, "document": pl.Series(batch.document_ids.tolist())})
    if pairs.n_unique() < len(pairs):
        query, document = pairs.filter(pairs.is_duplicated()).row(0)
        what = f"document {quoted(document)} stands twice for query {quoted(query)}"
        raise AlignmentError(f"{stream.name}: {what}. Keep one of its rows.")


def joined_batches(batches: Sequence[DocumentBatch], width: int) -> DocumentBatch:
    """One batch of several, as wide as asked for: features that LETOR lines do not name are 0."""
    first = batches[0]
    features = np.zeros((sum(map(len, batches)), width), np.float32)
    at = 0
    for batch in batches:
        features[at : at + len(batch), : batch.features.shape[1]] = batch.features
        at += len(batch)
    lists = [batch.document_ids for batch in batches if batch.document_ids is not None]
    weights = [batch.weights for batch in batches if batch.weights is not None]
    positions = [batch.positions for batch in batches if batch.positions is not None]
    return replace(
        first,
        features=features,
        labels=np.concatenate([batch.labels for batch in batches]),
        queries=pl.concat([batch.queries for batch in batches]),
        document_ids=np.concatenate(lists) if len(lists) == len(batches) else None,
        weights=np.concatenate(weights) if weights else None,
        scores={name: np.concatenate([batch.scores[name] for batch in batches]) for name in first.scores},
        positions=np.concatenate(positions) if positions else None,
    )
