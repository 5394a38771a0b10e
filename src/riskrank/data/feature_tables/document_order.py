"""The rows of a table as documents of queries: which stand together, and in which order."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from riskrank.data.frames import id_texts
from riskrank.errors import quoted

if TYPE_CHECKING:
    from riskrank.data.feature_tables.query_parts import SplitRule
    from riskrank.data.feature_tables.sources.table_source import TableSource
    from riskrank.typing import Integers


@dataclass(frozen=True, eq=False)
class DocumentOrder:
    """Queries in the order of their parts and, within these, of their first rows; their documents as in the table.

    `source_rows` is the row of each document, None where they stand in that order already. The queries of part `i` of
    `PARTS` are those from ``part_offsets[i]`` to the next.
    """

    query_ids: tuple[str, ...]
    query_offsets: Integers
    part_offsets: Integers
    source_rows: Integers | None

    @property
    def positions(self) -> Integers | None:
        """The place of each row among the documents."""
        if self.source_rows is None:
            return None
        places = np.empty(len(self.source_rows), np.int64)
        places[self.source_rows] = np.arange(len(places))
        return places


def order_documents(
    source: TableSource, queries: pl.Series, rule: SplitRule | None = None, split: pl.Series | None = None
) -> DocumentOrder:
    """Bring the rows of a query together, and queries of a part; `split` are the cells that the rule goes by."""
    _check_queries(source, queries)
    starts = np.flatnonzero(np.concatenate([[True], (queries != queries.shift(1))[1:].to_numpy()]))
    sizes = np.diff(np.append(starts, len(queries)))
    first = queries.gather(starts)
    distinct = first.unique(maintain_order=True)
    ids = id_texts(distinct).to_list()
    if "" in ids:
        row = int((id_texts(queries) == "").arg_true()[0])
        raise source.error(f"column {quoted(queries.name)} (query=) is empty.", row=row)
    query_of_start = np.arange(len(starts))
    if len(distinct) < len(first):
        numbered = pl.DataFrame({"query": distinct, "number": np.arange(len(distinct))})
        joined = first.to_frame("query").join(numbered, on="query", how="left", maintain_order="left")
        query_of_start = joined["number"].to_numpy()
    part = np.zeros(len(ids), np.int64)
    if rule is not None:
        part = rule.parts(source, split, np.repeat(query_of_start, sizes), ids)
    order = np.argsort(part, kind="stable")
    place = np.empty_like(order)
    place[order] = np.arange(len(order))
    at = place[query_of_start]
    counts = np.bincount(at, weights=sizes, minlength=len(ids)).astype(np.int64)
    source_rows = None if (np.diff(at) > 0).all() else np.argsort(np.repeat(at, sizes), kind="stable")
    return DocumentOrder(
        query_ids=tuple(ids[i] for i in order.tolist()),
        query_offsets=np.concatenate([[0], np.cumsum(counts)]),
        part_offsets=np.searchsorted(part[order], np.arange(5)),
        source_rows=source_rows,
    )


def _check_queries(source: TableSource, queries: pl.Series) -> None:
    if not len(queries):
        raise source.error("has no rows.")
    absent = queries.is_null() | (queries.is_nan() if queries.dtype.is_float() else False)
    if absent.any():
        row = int(absent.arg_true()[0])
        raise source.error(f"column {quoted(queries.name)} (query=) is empty.", row=row)
