"""StreamedTable: a table whose documents are ranked by its own columns, a part of the queries at a time."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, ClassVar

import numpy as np
import polars as pl

from riskrank.data.feature import Feature
from riskrank.data.feature_columns import FeatureColumns
from riskrank.data.feature_tables.column_roles import ColumnChoice, find_roles
from riskrank.data.feature_tables.feature_table import open_table
from riskrank.data.ranking_data import RankingData
from riskrank.data.shards.document_batches import check_documents, joined_batches, stream_documents
from riskrank.data.shards.seen_queries import ScatteredQueriesError, SeenQueries

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from riskrank.data.shards.document_batches import DocumentBatch, DocumentStream
    from riskrank.typing import PathLike

ROWS_AT_ONCE = 1 << 18  # or a query, where one is longer


@dataclass(frozen=True, repr=False, eq=False)
class QueryPart(RankingData):
    """Some queries of a table; the highest label is that of all."""

    is_part: ClassVar[bool] = True
    highest: float = field(kw_only=True)

    @property
    def highest_label(self) -> float:
        return self.highest


class StreamedTable:
    """A table by its path, with what is said of its columns."""

    def __init__(self, path: PathLike, choice: ColumnChoice) -> None:
        self.path = path
        self._choice = choice
        self._source = open_table(path, choice)
        self.roles = find_roles(self._source, choice)

    @property
    def n_documents(self) -> int:
        """How many rows it has."""
        return self._source.n_rows

    def named(self, feature: Feature) -> Feature:
        """A feature by its name."""
        columns = FeatureColumns(len(self.roles.features), names=self.roles.features)
        return Feature(self.roles.features[columns.number_position(feature.key)])

    def parts(self, features: Iterable[Feature]) -> Iterator[QueryPart]:
        """Whole queries with these features, in the order of the rows.

        Where the rows of a query do not stand together, `ScatteredQueriesError` is raised.
        """
        names = tuple(dict.fromkeys(str(self.named(feature).key) for feature in features))
        choice = replace(self._choice, features=names, drop=(), categories=())
        return _parts(stream_documents(self.path, choice), self._highest_label())

    def _highest_label(self) -> float:
        name = str(self.roles.label)
        frames = self._source.frames([name])
        return max(
            (frame[name].cast(pl.Float64, strict=False).to_numpy().max(initial=0.0) for frame in frames), default=0.0
        )


def _parts(stream: DocumentStream, highest_label: float) -> Iterator[QueryPart]:
    held: list[DocumentBatch] = []
    seen = SeenQueries()
    for batch in stream.batches():
        held.append(batch)
        if sum(map(len, held)) >= ROWS_AT_ONCE:
            whole = joined_batches(held, stream.columns.count)
            last = int((whole.queries != whole.queries[-1]).to_numpy().nonzero()[0].max(initial=-1)) + 1
            if last:
                yield _part(stream, whole.rows(0, last), seen, highest_label)
            held = [whole.rows(last, len(whole))]
    yield _part(stream, joined_batches(held, stream.columns.count), seen, highest_label)


def _part(stream: DocumentStream, batch: DocumentBatch, seen: SeenQueries, highest_label: float) -> QueryPart:
    starts = (batch.queries != batch.queries.shift(1)).fill_null(value=True).arg_true()
    queries = batch.queries.gather(starts)
    if seen.add(queries):
        raise ScatteredQueriesError
    check_documents(stream, batch)
    offsets = np.append(starts.to_numpy(), len(batch))
    names = stream.columns.names
    ids = tuple(queries.to_list())
    return QueryPart(batch.features, batch.labels, offsets, ids, feature_names=names, highest=highest_label)
