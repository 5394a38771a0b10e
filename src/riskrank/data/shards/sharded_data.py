"""ShardedData: a folder of shards, of which each worker reads its own."""

from __future__ import annotations

import hashlib
import io
import os
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from riskrank.data.files import read_file, reading_told
from riskrank.data.letor.float_memory import float_memory
from riskrank.data.opening.remote_files import is_at_address, is_remote
from riskrank.data.shards.data_share import Alone, DataShare, Peers
from riskrank.data.shards.manifest import (
    DOCUMENT,
    LABEL,
    MANIFEST,
    QUERY,
    ROW,
    SCORES,
    WEIGHT,
    ShardFile,
    ShardManifest,
)
from riskrank.data.shards.storage import IN_MEMORY, Storage
from riskrank.data.tables.parquet_damage import damage_told
from riskrank.errors import AlignmentError, FileError, ParameterError, counted, quoted
from riskrank.files.own_folder import settle

if TYPE_CHECKING:
    from collections.abc import Sequence

    import polars as pl

    from riskrank.data.feature_columns import FeatureColumns
    from riskrank.typing import Floats, Integers, PathLike, Singles

AGAIN = "Shard the data again."
TEXTS = (QUERY, DOCUMENT)
ROWS_AT_ONCE = 4096  # of the matrix, so that they stay in the cache while column after column is written


class ShardedData:
    """Data in a folder of shards, as `riskrank shard` writes them; only the manifest is read.

    Pass it to a ranker's `fit`, with `cluster=` to have its shards read and learned from by several workers.
    """

    def __init__(self, folder: PathLike) -> None:
        self.folder = os.fspath(folder)
        if not is_remote(self.folder):
            settle(self.folder)
        path = self._path(MANIFEST)
        self.manifest = ShardManifest.read(read_file(path), path)

    @property
    def n_shards(self) -> int:
        """How many shards."""
        return len(self.manifest.shards)

    def n_documents(self, shards: Sequence[int] | None = None) -> int:
        """How many documents some shards have, or all."""
        sizes = self.manifest.documents_of_shards
        return sum(sizes if shards is None else (sizes[shard] for shard in shards))

    @property
    def columns(self) -> FeatureColumns:
        """How the features are called."""
        return self.manifest.columns

    def check_weights_of_queries(self, what: str) -> None:
        """Refuse weights of documents where only those of queries mean anything."""
        if self.manifest.weights == "documents":
            way = "Give all rows of a query the same, and shard them again."
            raise AlignmentError(f"{what} must have one weight for each query, these have some for documents. {way}")

    def share(
        self,
        shards: Sequence[int] | None = None,
        peers: Peers | None = None,
        storage: Storage = IN_MEMORY,
        *,
        with_ids: bool = True,
    ) -> DataShare:
        """The queries of some shards, or of all, for a worker among its peers; names of documents may be left out."""
        numbers = range(self.n_shards) if shards is None else shards
        manifest = self.manifest
        counts = [sum(file.queries for file in shard) for shard in manifest.shards]
        firsts = np.concatenate([[0], np.cumsum(counts)])
        places = np.concatenate([np.empty(0, np.int64), *(np.arange(firsts[i], firsts[i + 1]) for i in numbers)])
        files = [file for i in numbers for file in manifest.shards[i]]
        return _joined(self, files, places, Alone() if peers is None else peers, storage, with_ids=with_ids)

    def sample(self) -> Singles:
        """Rows that bins of features are found by."""
        frame = self.read(self.manifest.sample, [])
        matrix = float_memory(frame.height, self.manifest.n_features)
        _fill(matrix, frame, self.columns)
        return matrix

    def read(self, file: ShardFile, columns: Sequence[str]) -> pl.DataFrame:
        """A file of a shard, with some columns beside features; it must be as the manifest says."""
        import polars as pl

        path = self._path(file.name)
        content = read_file(path)
        if hashlib.sha256(content).hexdigest() != file.digest:
            raise FileError(path, f"is damaged, or not the file that the manifest belongs to. {AGAIN}")
        with damage_told(path, way_out=AGAIN):
            frame = pl.read_parquet(io.BytesIO(content))
        if frame.height != file.documents or not frame.height:
            raise FileError(path, f"has {counted(frame.height, 'row')}, its manifest says {file.documents:,}. {AGAIN}")
        names = self.manifest.feature_names
        lacking = next((name for name in (*columns, *(names or ())) if name not in frame.columns), None)
        if lacking is not None:
            raise FileError(path, f"has no column {quoted(lacking)}. {AGAIN}")
        for name in (*columns, *(key for key in self.columns.keys if key in frame.columns)):
            if frame[name].dtype != pl.String if name in TEXTS else not frame[name].dtype.is_numeric():
                raise FileError(path, f"column {quoted(name)} holds {frame[name].dtype}. {AGAIN}")
            if name in (QUERY, LABEL, ROW, WEIGHT) and frame[name].null_count():
                raise FileError(path, f"column {quoted(name)} has gaps. {AGAIN}")
        return frame

    def _path(self, name: str) -> str:
        return f"{self.folder.rstrip('/')}/{name}" if is_remote(self.folder) else str(Path(self.folder) / name)

    def __repr__(self) -> str:
        known = self.manifest
        counts = (known.n_queries, "query"), (known.n_documents, "document"), (known.n_features, "feature")
        return f"ShardedData: {', '.join(counted(*each) for each in counts)} in {counted(self.n_shards, 'shard')}"


def is_sharded(path: PathLike) -> bool:
    """Is it a folder of shards?"""
    name = os.fspath(path)
    if not is_remote(name):
        return os.path.isfile(os.path.join(name, MANIFEST))
    from riskrank.data.feature_tables.sources.database_tables import is_database  # loads Polars

    if is_database(name):
        return False
    with reading_told(name):
        return is_at_address(name, MANIFEST)


def shards_of(data: object) -> ShardedData | None:
    """Data in shards, by themselves or by their folder; None if they are others."""
    if isinstance(data, ShardedData):
        return data
    return ShardedData(data) if isinstance(data, str | os.PathLike) and is_sharded(data) else None


def check_in_shards(data: object, **asked: object) -> None:
    """Refuse what only goes with shards, by its name, for other data."""
    said = next((name for name, value in asked.items() if value is not None), None)
    if said is None or isinstance(data, ShardedData):
        return
    if isinstance(data, str | os.PathLike) and not is_remote(data) and not os.path.exists(data):
        raise FileError(data, "no such folder.")
    if not isinstance(data, str | os.PathLike) or not is_sharded(data):
        way = "Write them by `riskrank shard`, and pass their folder"
        raise ParameterError(f"{said}= needs data in shards. {way}.", said)


def _joined(
    data: ShardedData, files: Sequence[ShardFile], places: Integers, peers: Peers, storage: Storage, *,
    with_ids: bool,
) -> DataShare:  # fmt: skip
    """The documents of some files, in their order."""
    known = data.manifest
    n_documents = sum(file.documents for file in files)
    features = float_memory(n_documents, known.n_features, storage.scratch)
    labels, rows = np.empty(n_documents), np.empty(n_documents, np.int64)
    weights = None if known.weights is None else np.empty(n_documents)
    documents = np.empty(n_documents, object) if known.has_document_ids and with_ids else None
    scores = {name: np.empty(n_documents) for name in known.scores}
    queries: list[str] = []
    sizes: list[Integers] = []
    at = 0
    own_columns = [QUERY, LABEL, ROW, *(f"{SCORES}{name}" for name in known.scores)]
    own_columns += [WEIGHT] if weights is not None else []
    own_columns += [DOCUMENT] if documents is not None else []
    for file in files:
        frame = data.read(file, own_columns)
        here = slice(at, at + frame.height)
        _fill(features[here], frame, data.columns)
        labels[here], rows[here] = frame[LABEL].to_numpy(), frame[ROW].to_numpy()
        if weights is not None:
            weights[here] = frame[WEIGHT].to_numpy()
        if documents is not None:
            documents[here] = frame[DOCUMENT].to_numpy()
        for name, own in scores.items():
            own[here] = frame[f"{SCORES}{name}"].to_numpy()
        starts = (frame[QUERY] != frame[QUERY].shift(1)).fill_null(value=True).arg_true().to_numpy()
        sizes.append(np.diff(np.append(starts, frame.height)))
        queries += frame[QUERY].gather(starts).to_list()
        at += frame.height
    offsets = np.concatenate([[0], np.cumsum(np.concatenate([np.empty(0, np.int64), *sizes]))])
    longest = int(np.diff(offsets).max(initial=0))
    if len(queries) != len(places) or longest > known.longest_query or len(set(queries)) < len(queries):
        raise ParameterError(f"{data.folder}: files hold other queries than the manifest says. {AGAIN}")
    by_query = weights is not None and known.weights == "queries"
    return DataShare(
        features, labels, offsets, tuple(queries), documents, known.first_feature, row_numbers=rows,
        feature_names=data.columns.names, categories=data.columns.categories,
        query_weights=weights[offsets[:-1]] if weights is not None and by_query else None,
        document_weights=None if by_query else weights,
        manifest=known, places=places, sample=data.sample, peers=peers, scores=scores,
        storage=storage,
    )  # fmt: skip


def _fill(matrix: Singles, frame: pl.DataFrame, columns: FeatureColumns) -> None:
    """The features of a file; those that it lacks, as LETOR text may, are 0."""
    known = set(frame.columns)
    values: list[Singles | Floats | None] = [frame[key].to_numpy() if key in known else None for key in columns.keys]
    for low in range(0, frame.height, ROWS_AT_ONCE):
        rows = matrix[low : low + ROWS_AT_ONCE]
        for number, column in enumerate(values):
            rows[:, number] = 0.0 if column is None else column[low : low + ROWS_AT_ONCE]
