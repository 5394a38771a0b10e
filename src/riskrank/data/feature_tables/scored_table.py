"""A user's own table, with scores beside its columns."""

from __future__ import annotations

import io
import os
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from riskrank.data.feature_tables.sources.table_paths import ARROW, CSV, ENDINGS, FOREIGN, JSON, PARQUET
from riskrank.errors import AlignmentError, FileError, quoted
from riskrank.files.writing import as_parquet

if TYPE_CHECKING:
    from riskrank.data.feature_tables.feature_table import FeatureTable
    from riskrank.data.ranking_data import RankingData
    from riskrank.typing import Floats, Integers, PathLike


def is_table_name(path: PathLike) -> bool:
    """Does a file's name say that it is a table? One of a kind that is not written is refused."""
    ending = os.path.splitext(os.fspath(path).lower())[1]
    if ending in (".json", *FOREIGN):
        raise FileError(path, f"{ending} is no kind of table that is written here: name it .parquet, .csv or .jsonl.")
    return ending in ENDINGS


def ranks_of(data: RankingData, scores: Floats) -> Integers:
    """Each document's rank in its query, by trec_eval's rule: by score in single precision, then by id, descending."""
    with np.errstate(over="ignore"):
        held = scores.astype(np.float32)
    ids = pl.Series("id", data.ids.tolist(), dtype=pl.String)
    order = pl.DataFrame({"query": data.query_numbers, "score": held, "id": ids, "row": np.arange(len(held))}).sort(
        "query", "score", "id", descending=[False, True, True]
    )
    ranks = np.empty(len(held), np.int64)
    ranks[order["row"].to_numpy()] = (
        np.arange(len(held)) - np.repeat(data.query_offsets[:-1], np.diff(data.query_offsets)) + 1
    )
    return ranks


def own_rows(table: FeatureTable, data: RankingData) -> pl.DataFrame:
    """All columns of the documents' rows, in the order of the documents; `data` are the table's, or some of them."""
    rows = data.row_numbers if data.row_numbers is not None else data.source_rows
    frame = table.source.columns(list(table.source.schema))
    return frame if rows is None else frame[rows]


def scored_table(
    data: RankingData, scores: Floats, table: FeatureTable | None, *, column: str = "score", depth: int | None = None
) -> pl.DataFrame:
    """The user's columns, or queries and documents of LETOR data, with a score and a rank, as the source has them."""
    if table is None:
        queries = np.array(data.query_ids, dtype=object)[data.query_numbers].tolist()
        frame = pl.DataFrame({"query": pl.Series(queries, dtype=pl.String), "document": data.ids.tolist()})
    else:
        frame = own_rows(table, data)
    rank = "rank" if column == "score" else f"{column}_rank"
    for name in (column, rank):
        if name in frame.columns:
            raise AlignmentError(f"the table has a column {quoted(name)} already: name the scores (score_column=).")
    rows = data.row_numbers if data.row_numbers is not None else data.source_rows
    order = np.arange(len(scores)) if rows is None else np.argsort(rows, kind="stable")
    scored = frame.with_columns(pl.Series(column, scores), pl.Series(rank, ranks_of(data, scores)))[order]
    return scored if depth is None else scored.filter(pl.col(rank) <= depth)


def table_bytes(frame: pl.DataFrame, path: PathLike) -> bytes:
    """A table as the bytes of a file, in the format that its name says."""
    ending = os.path.splitext(os.fspath(path).lower())[1]
    form = ENDINGS[ending]
    if form == PARQUET:
        return as_parquet(frame)
    for name, dtype in frame.schema.items():
        what = _unwritten(dtype, form)
        if what:
            raise AlignmentError(f"column {quoted(name)} holds {what}, which {form} cannot. Write Parquet.")
    if form == CSV:
        return frame.write_csv(separator="," if ending == ".csv" else "\t").encode()
    buffer = io.BytesIO()
    if form == JSON:
        frame.write_ndjson(buffer)
    elif form == ARROW:
        frame.write_ipc(buffer)
    return buffer.getvalue()


def _unwritten(dtype: pl.DataType, form: str) -> str:
    """What a column of this type holds that Polars does not write as text; nothing, if it does."""
    if form == CSV:
        kinds = {pl.Binary: "bytes", pl.Duration: "spans of time"}
        return "lists or records" if dtype.is_nested() else kinds.get(dtype.base_type(), "")
    return "bytes" if form == JSON and "Binary" in repr(dtype) else ""  # also within lists and records
