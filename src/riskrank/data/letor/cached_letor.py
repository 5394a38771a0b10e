"""LETOR files that are parsed once and kept in a cache."""

from __future__ import annotations

from dataclasses import asdict, replace
from functools import partial
from typing import IO, TYPE_CHECKING, Any

import numpy as np
import polars as pl

from riskrank.data.cache.feature_cache import FeatureCache
from riskrank.data.letor.assembly import assembled, group_files
from riskrank.data.ranking_data import RankingData

if TYPE_CHECKING:
    from collections.abc import Iterator

    from riskrank.data.cache.feature_cache import CachedFeatures, CacheWriter
    from riskrank.data.letor.assembly import LetorWay
    from riskrank.data.letor.letor_lines import Block
    from riskrank.typing import PathLike, Singles

DOCUMENTS, LABEL, NAME, ROW = "documents", "label", "docno", "row"
QUERIES, QUERY, SIZE = "queries", "qid", "documents"


def read_cached_letor(path: PathLike, cache: PathLike, blocks: Iterator[Block], way: LetorWay) -> RankingData:
    """What `read_letor` makes of the blocks of a file, with features that are on disk."""

    def read(writer: CacheWriter) -> None:
        with writer.rows() as file:
            held = [_on_disk(block, file) for block in blocks]
        shapes = [block.features.shape for block in held]
        data = assembled(path, held, way, partial(_stacked, writer, shapes))
        if data.source_rows is not None or {width for _, width in shapes} != {data.n_features}:
            with writer.rows() as file:  # in another order than they were read, or wider
                file.write(data.features.data)
        writer.features(*data.features.shape)
        _keep_others(writer, data)

    sources = [path, *(file for file in group_files(path) if file.exists())]
    return _restored(FeatureCache(cache).of(sources, {"reader": "letor", **asdict(way)}, read), way.first_feature)


def _on_disk(block: Block, file: IO[bytes]) -> Block:
    """A block whose features are in the file instead."""
    file.write(np.ascontiguousarray(block.features).data)
    return replace(block, features=np.broadcast_to(np.float32(0), block.features.shape))


def _stacked(
    writer: CacheWriter, shapes: list[tuple[int, int]], _: list[Block], n_rows: int, n_features: int
) -> Singles:
    """The features that were written; in memory where they must become wider."""
    if {width for _, width in shapes} == {n_features}:
        return writer.features(n_rows, n_features)
    written = writer.features(1, sum(rows * width for rows, width in shapes))[0]
    wider = np.zeros((n_rows, n_features), np.float32)
    row = value = 0
    for rows, width in shapes:
        wider[row : row + rows, :width] = written[value : value + rows * width].reshape(rows, width)
        row, value = row + rows, value + rows * width
    return wider


def _keep_others(writer: CacheWriter, data: RankingData) -> None:
    columns: dict[str, Any] = {LABEL: data.labels}
    if data.document_ids is not None:
        columns[NAME] = pl.Series(data.document_ids.tolist(), dtype=pl.String)
    if data.source_rows is not None:
        columns[ROW] = data.source_rows
    writer.table(DOCUMENTS, pl.DataFrame(columns))
    queries = pl.Series(data.query_ids, dtype=pl.String)
    writer.table(QUERIES, pl.DataFrame({QUERY: queries, SIZE: np.diff(data.query_offsets)}))


def _restored(kept: CachedFeatures, first_feature: int) -> RankingData:
    documents, queries = kept.tables[DOCUMENTS], kept.tables[QUERIES]
    offsets = np.concatenate([[0], np.cumsum(queries[SIZE].to_numpy())])
    ids = documents[NAME].to_numpy().astype(object) if NAME in documents.columns else None
    rows = documents[ROW].to_numpy() if ROW in documents.columns else None
    labels = documents[LABEL].to_numpy()
    return RankingData(kept.features, labels, offsets, tuple(queries[QUERY]), ids, first_feature, rows)
