"""`write_shards`: data as Parquet files of whole queries, in memory that does not grow with them."""

from __future__ import annotations

import hashlib
import math
from contextlib import suppress
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from riskrank.data.feature import Feature
from riskrank.data.feature_tables.column_roles import ColumnChoice
from riskrank.data.names import system_name
from riskrank.data.scores.document_scores import ranks_as_scores
from riskrank.data.shards.document_batches import DocumentBatch, check_documents, joined_batches, stream_documents
from riskrank.data.shards.gathered_queries import gathered
from riskrank.data.shards.manifest import (
    DOCUMENT,
    FORMAT,
    LABEL,
    MANIFEST,
    QUERY,
    ROW,
    SCORES,
    VERSION,
    WEIGHT,
    ShardFile,
    ShardManifest,
    WeightKind,
)
from riskrank.data.shards.row_sample import RowSample
from riskrank.data.shards.seen_queries import ScatteredQueriesError, SeenQueries
from riskrank.data.trec.runs import Run, read_run
from riskrank.errors import AlignmentError, FileError, ParameterError, quoted
from riskrank.files.own_folder import OwnFolder
from riskrank.files.scratch import scratch_folder
from riskrank.files.writing import as_parquet
from riskrank.parameters import whole

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from riskrank.data.shards.document_batches import DocumentStream
    from riskrank.files.own_folder import FolderChange
    from riskrank.typing import FeatureTableLike, Floats, Integers, PathLike

FILE_BYTES = 1 << 24  # of a file's features in memory, about; a shard may have several files
SHARD_BYTES = 1 << 28
LEAST_SHARDS = 16  # enough for as many workers, where data are small and nobody says otherwise
MOST_COLUMNS = 50_000  # Parquet files of many more take minutes
SAMPLED_ROWS = 1 << 15  # enough for 256 bins of each feature; engines take as many
NOTHING_SAID = ColumnChoice()


def write_shards(
    source: FeatureTableLike,
    folder: PathLike,
    choice: ColumnChoice = NOTHING_SAID,
    *,
    n_shards: int | None = None,
    baselines: Sequence[str] = (),
    zero_based: bool = False,
    n_features: int | None = None,
) -> ShardManifest:
    """Write LETOR text or a table into a folder of shards, which appears when all is there.

    Parameters
    ----------
    source, choice, zero_based
        Data as `read_letor` and `read_table` take them. Where the rows of a query do not stand together, these are
        brought together on disk, in the order that those functions have: that of the queries' first rows.
    folder
        A new folder, or one of shards, which are replaced.
    n_shards
        How many shards of about as many documents each (default: 16, and so many that none is above 256 MiB).
    baselines
        Systems whose scores go with the documents, as ``column:NAME`` of a table, which is no feature then, or as the
        file of a TREC run; a training finds them as ``column:NAME``, a run's by the name of its file.
    n_features
        How many features LETOR text has, where no line may name the last ones: these are 0.
    """
    whole("n_shards", n_shards, 1, optional=True)
    whole("n_features", n_features, 1, optional=True)
    place = shard_folder(folder)
    place.check()
    columns, runs = _systems(baselines)
    stream = stream_documents(source, choice, scores=columns, zero_based=zero_based, n_features=n_features)
    with suppress(ScatteredQueriesError), place.changed() as change:
        return _written(stream, change, n_shards, runs)
    with place.changed() as change, scratch_folder(place.path) as scratch:
        return _written(gathered(stream, scratch), change, n_shards, runs)


def _written(
    stream: DocumentStream, change: FolderChange, n_shards: int | None, runs: Mapping[str, Run]
) -> ShardManifest:
    writer = ShardWriter(change, stream, n_shards, runs)
    for batch in stream.batches():
        writer.add(batch)
    manifest = writer.close()
    content = manifest.to_json()
    ShardManifest.read(content.encode(), MANIFEST)  # nobody should find out later that it cannot be read
    change.write(MANIFEST, content)
    return manifest


def shard_folder(folder: PathLike) -> OwnFolder:
    """A place for shards."""
    return OwnFolder(folder, "folder of shards")


def _systems(baselines: Sequence[str]) -> tuple[list[str], dict[str, Run]]:
    """The columns of scores, and the runs by name."""
    columns, runs = list[str](), dict[str, Run]()
    for text in baselines:
        feature = Feature.meant_by(text)
        if feature is not None and not isinstance(feature.key, str):
            raise ParameterError(f"{text} is in the shards in any case; name columns and runs.", "baseline")
        name = system_name(text) if feature is None else str(feature.key)
        if name in columns or name in runs:
            raise ParameterError(f"two baselines are named {quoted(name)}.", "baseline")
        if feature is None:
            runs[name] = read_run(text)
        else:
            columns.append(name)
    return columns, runs


class ShardWriter:
    """Documents that come in order, gathered into files, and files into shards, at the ends of queries."""

    def __init__(
        self, change: FolderChange, stream: DocumentStream, n_shards: int | None, runs: Mapping[str, Run]
    ) -> None:
        self._change, self._stream, self._wanted = change, stream, n_shards
        self._runs, self._answering = runs, set[str]()
        self._systems: list[str] = []
        self._held: list[DocumentBatch] = []
        self._shards: list[list[ShardFile]] = [[]]
        self._sample, self._seen = RowSample(SAMPLED_ROWS), SeenQueries()
        self._width = stream.columns.count
        self._n_written = self._n_held = 0
        self._highest, self._longest, self._weight, self._is_by_query = -math.inf, 0, 0.0, True
        self._has_ids = True
        self._weight_range = math.inf, -math.inf
        reserved = {QUERY, LABEL, DOCUMENT, WEIGHT, ROW, *(f"{SCORES}{name}" for name in (*stream.scores, *runs))}
        odd = next((name for name in stream.columns.names or () if name in reserved), None)
        if odd is not None:
            raise FileError(stream.name, f"feature {quoted(odd)} is called as a column of shards is. Rename it.")

    def add(self, batch: DocumentBatch) -> None:
        """Some more documents."""
        if not len(batch):
            return
        self._width = max(self._width, batch.features.shape[1])
        if self._width > MOST_COLUMNS:
            what = f"has {self._width:,} features; shards hold up to {MOST_COLUMNS:,}, each in a column."
            raise FileError(self._stream.name, what)
        before = self._held[-1].queries[-1] if self._held else None
        starts = (batch.queries != batch.queries.shift(1)).fill_null(batch.queries[0] != before).arg_true().to_numpy()
        begin = 0
        while True:
            left = min(self._file_rows, self._shard_end) - self._n_held
            cut = int(np.searchsorted(starts, begin + max(left, 1 if begin or not self._held else 0)))
            end = int(starts[cut]) if cut < len(starts) else len(batch)
            self._held.append(batch.rows(begin, end))
            self._n_held += end - begin
            if cut == len(starts):
                return
            self._write()
            begin = end

    def close(self) -> ShardManifest:
        """Write what is left, and the sample; the manifest tells of all."""
        if self._held:
            self._write()
        if not self._n_written:
            raise FileError(self._stream.name, "has no documents.")
        if not self._width:
            raise FileError(self._stream.name, "has no features.")
        silent = next((name for name in self._runs if name not in self._answering), None)
        if silent is not None:
            raise AlignmentError(f"run {quoted(silent)} and the data have no document in common.")
        columns, files = self._stream.columns, [file for shard in self._shards for file in shard]
        names = [str(columns.first + i) for i in range(self._width)] if columns.names is None else list(columns.names)
        rows = self._sample.rows_and_largest(self._width)
        sample = self._file("sample.parquet", pl.DataFrame(rows, schema=dict.fromkeys(names, pl.Float32)), 0)
        lowest, highest = self._weight_range
        kind: WeightKind | None = None
        if lowest < highest:
            kind = "queries" if self._is_by_query else "documents"
        return ShardManifest(
            format=FORMAT,
            version=VERSION,
            n_queries=sum(file.queries for file in files),
            n_documents=self._n_written,
            n_features=self._width,
            first_feature=columns.first,
            feature_names=None if columns.names is None else list(columns.names),
            categories=columns.categories_by_key,
            highest_label=self._highest,
            longest_query=self._longest,
            has_document_ids=self._has_ids,
            weights=kind,
            mean_weight=1.0 if kind is None else self._weight / self._n_written,
            scores=self._systems,
            shards=[shard for shard in self._shards if shard],
            sample=sample,
        )

    @property
    def _n_shards(self) -> int:
        size = self._stream.n_rows * max(self._width, 1) * 4
        return self._wanted or max(LEAST_SHARDS, -(-size // SHARD_BYTES))

    @property
    def _file_rows(self) -> int:
        return max(1, FILE_BYTES // (4 * max(self._width, 1)))

    @property
    def _shard_end(self) -> int:
        """How many more documents the present shard takes, from the last file on."""
        number, n_shards = len(self._shards), self._n_shards
        if number >= n_shards:
            return 2**62
        return self._stream.n_rows * number // n_shards - self._n_written

    def _write(self) -> None:
        """A file of the documents that are held, and a new shard where this one has its share."""
        batch = joined_batches(self._held, self._width)
        self._held, self._n_held = [], 0
        starts = (batch.queries != batch.queries.shift(1)).fill_null(value=True).arg_true().to_numpy()
        if not self._stream.is_gathered and self._seen.add(batch.queries.gather(starts)):
            raise ScatteredQueriesError
        check_documents(self._stream, batch)
        positions = batch.positions
        if positions is None:
            positions = np.arange(self._n_written, self._n_written + len(batch))
        self._sample.add(batch.features, positions)
        columns = {QUERY: batch.queries, LABEL: pl.Series(batch.labels), ROW: pl.Series(positions)}
        self._has_ids &= batch.document_ids is not None
        if batch.document_ids is not None:
            columns[DOCUMENT] = pl.Series(batch.document_ids.tolist(), dtype=pl.String)
        if batch.weights is not None:
            columns[WEIGHT] = pl.Series(batch.weights)
            self._weigh(batch.weights, starts)
        scores = batch.scores | self._run_scores(batch, starts, positions)
        self._systems = list(scores)
        columns |= {f"{SCORES}{name}": pl.Series(values) for name, values in scores.items()}
        keys = self._stream.columns.names or [str(self._stream.columns.first + i) for i in range(self._width)]
        columns |= {name: pl.Series(batch.features[:, i]) for i, name in enumerate(keys)}
        name = f"{len(self._shards) - 1:05d}/{len(self._shards[-1]):05d}.parquet"
        self._shards[-1].append(self._file(name, pl.DataFrame(columns), len(starts)))
        self._n_written += len(batch)
        self._highest = max(self._highest, float(batch.labels.max()))
        self._longest = max(self._longest, int(np.diff(np.append(starts, len(batch))).max()))
        while len(self._shards) < self._n_shards and self._shard_end <= 0:
            self._shards.append([])

    def _run_scores(self, batch: DocumentBatch, starts: Integers, positions: Integers) -> dict[str, Floats]:
        numbers = np.repeat(np.arange(len(starts)), np.diff(np.append(starts, len(batch))))
        ids = batch.document_ids
        if ids is None and self._runs:
            ids = np.array([str(row + 1) for row in positions.tolist()], dtype=object)
        queries = batch.queries.gather(starts).to_list()
        scores: dict[str, Floats] = {}
        for name, run in self._runs.items():
            scores[name] = ranks_as_scores(run, queries, numbers, np.empty(0, object) if ids is None else ids)
            if np.isfinite(scores[name]).any():
                self._answering.add(name)
        return scores

    def _file(self, name: str, frame: pl.DataFrame, n_queries: int) -> ShardFile:
        content = as_parquet(frame, is_quick=True)
        self._change.write(name, content)
        return ShardFile(name, hashlib.sha256(content).hexdigest(), n_queries, frame.height)

    def _weigh(self, weights: Floats, starts: Integers) -> None:
        sizes = np.diff(np.append(starts, len(weights)))
        self._is_by_query &= bool((np.repeat(weights[starts], sizes) == weights).all())
        with np.errstate(over="ignore"):
            self._weight += float(weights.sum())
        if not math.isfinite(self._weight):
            raise ParameterError("weights are too large to be added. Divide all by the same number.", "weight")
        lowest, highest = self._weight_range
        self._weight_range = min(lowest, float(weights.min())), max(highest, float(weights.max()))
        if self._weight_range[1] == 0 and self._n_written + len(weights) >= self._stream.n_rows:
            raise ParameterError("weights must not all be 0: no query would count.", "weight")
