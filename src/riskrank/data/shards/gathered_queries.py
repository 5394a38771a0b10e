"""`gathered`: documents whose queries do not stand together, brought together on disk.

Rows go to buckets by a hash of their query, where the first row of each query is known, and from there to ranges of
first rows, each of which is sorted in memory: queries come in the order of their first rows, and the documents of each
in the order of the source, as when they are read in one piece.
"""

from __future__ import annotations

import io
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from riskrank.data.shards.document_batches import DocumentBatch, DocumentStream
from riskrank.data.shards.manifest import DOCUMENT, LABEL, QUERY, ROW, SCORES, WEIGHT
from riskrank.errors import warn_caller

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from riskrank.files.scratch import Scratch
    from riskrank.typing import Integers

BUCKET_BYTES = 1 << 25  # of a bucket in memory, about
MOST_BUCKETS = 1 << 12
FEATURES, FIRST = "features", "first"  # of a document; the first row of its query
LENGTH_BYTES = 8


@dataclass(frozen=True)
class Pile:
    """Frames in a file, one after the other."""

    scratch: Scratch
    name: str

    def add(self, frame: pl.DataFrame) -> None:
        """One more."""
        buffer = io.BytesIO()
        frame.write_ipc(buffer, compression="uncompressed")
        with self.scratch.appended(self.name) as file:
            file.write(len(buffer.getbuffer()).to_bytes(LENGTH_BYTES))
            file.write(buffer.getbuffer())

    def __iter__(self) -> Iterator[pl.DataFrame]:
        """All of them, in the order in which they came."""
        path = self.scratch.path / self.name
        if not path.exists():
            return
        with open(path, "rb") as file:
            while size := file.read(LENGTH_BYTES):
                yield pl.read_ipc(io.BytesIO(file.read(int.from_bytes(size))))

    def taken(self) -> list[pl.DataFrame]:
        """All of them, which are on disk no more."""
        frames = list(self)
        if frames:
            self.scratch.remove(self.name)
        return frames


def gathered(stream: DocumentStream, scratch: Scratch) -> DocumentStream:
    """The same documents, whose queries stand together."""

    def batches() -> Iterator[DocumentBatch]:
        buckets, width = _spilled(stream, scratch)
        ranges = [Pile(scratch, f"range-{number}") for number in range(len(buckets))]
        first = pl.col(ROW).min().over(QUERY).alias(FIRST)
        ends: Integers | None = None
        is_scattered = False
        for bucket in buckets:
            frames = bucket.taken()
            if frames:
                frame = _joined(frames, width).with_columns(first).sort(FIRST, ROW)
                is_scattered |= _is_scattered(frame)
                if ends is None:
                    ends = _quantiles(frame[FIRST].to_numpy(), len(ranges))
                _spread(frame, ends, ranges)
        if is_scattered:
            warn_caller(f"{stream.name}: the rows of a query do not stand together, and were brought together on disk.")
        for each in ranges:
            frames = each.taken()
            if frames:
                yield _batch(pl.concat(frames, how="diagonal").sort(FIRST, ROW))

    return replace(stream, batches=batches, is_gathered=True)


def _spilled(stream: DocumentStream, scratch: Scratch) -> tuple[list[Pile], int]:
    """All documents in buckets, and how many features the widest have."""
    buckets: list[Pile] = []
    width = 0
    for frame in _larger(_frames(stream)):
        width = max(width, _width(frame))
        if not buckets:
            size = int(frame.estimated_size() * stream.n_rows / frame.height)
            n_buckets = min(MOST_BUCKETS, 1 + size // BUCKET_BYTES)
            buckets = [Pile(scratch, f"{number}") for number in range(n_buckets)]
        number = frame[QUERY].hash() % len(buckets)
        for (bucket,), part in frame.group_by(number, maintain_order=True):
            buckets[int(bucket)].add(part)
    return buckets, width


def _frames(stream: DocumentStream) -> Iterator[pl.DataFrame]:
    start = 0
    for batch in stream.batches():
        if len(batch):
            yield _frame(batch, start)
        start += len(batch)


def _larger(frames: Iterable[pl.DataFrame]) -> Iterator[pl.DataFrame]:
    """Frames of about the size of a bucket, of smaller ones."""
    held: list[pl.DataFrame] = []
    for frame in frames:
        held.append(frame)
        if sum(each.estimated_size() for each in held) >= BUCKET_BYTES:
            yield _joined(held)
            held = []
    if held:
        yield _joined(held)


def _frame(batch: DocumentBatch, start: int) -> pl.DataFrame:
    columns = {
        QUERY: batch.queries,
        LABEL: pl.Series(batch.labels),
        ROW: pl.Series(np.arange(start, start + len(batch))),
        FEATURES: pl.Series(batch.features, dtype=pl.Array(pl.Float32, batch.features.shape[1])),
    }
    if batch.document_ids is not None:
        columns[DOCUMENT] = pl.Series(batch.document_ids.tolist(), dtype=pl.String)
    if batch.weights is not None:
        columns[WEIGHT] = pl.Series(batch.weights)
    return pl.DataFrame(columns | {f"{SCORES}{name}": pl.Series(own) for name, own in batch.scores.items()})


def _batch(frame: pl.DataFrame) -> DocumentBatch:
    ids = frame[DOCUMENT] if DOCUMENT in frame.columns else None
    return DocumentBatch(
        np.ascontiguousarray(frame[FEATURES].to_numpy()),
        frame[LABEL].to_numpy(),
        frame[QUERY],
        None if ids is None or ids.null_count() else ids.to_numpy().astype(object),
        frame[WEIGHT].to_numpy() if WEIGHT in frame.columns else None,
        {name.removeprefix(SCORES): frame[name].to_numpy() for name in frame.columns if name.startswith(SCORES)},
        frame[ROW].to_numpy(),
    )


def _joined(frames: Sequence[pl.DataFrame], width: int = 0) -> pl.DataFrame:
    """One frame of several, at least as wide as asked for: features that LETOR lines do not name are 0."""
    width = max(width, *map(_width, frames))
    return pl.concat([_widened(frame, width) for frame in frames], how="diagonal")


def _widened(frame: pl.DataFrame, width: int) -> pl.DataFrame:
    lacking = width - _width(frame)
    if not lacking:
        return frame
    wide = np.pad(frame[FEATURES].to_numpy(), ((0, 0), (0, lacking)))
    return frame.with_columns(pl.Series(FEATURES, wide, dtype=pl.Array(pl.Float32, width)))


def _width(frame: pl.DataFrame) -> int:
    return int(frame.schema[FEATURES].shape[0])  # type: ignore[attr-defined]  # of an array


def _is_scattered(frame: pl.DataFrame) -> bool:
    """Is there a query whose rows, which follow each other here, did not do so in the source?"""
    rows, first = frame[ROW].to_numpy(), frame[FIRST].to_numpy()
    return bool(((np.diff(rows) != 1) & (np.diff(first) == 0)).any())


def _quantiles(first: Integers, n_ranges: int) -> Integers:
    """What divides rows into about as many each, by some whose queries were drawn by chance."""
    return np.sort(first)[np.arange(1, n_ranges) * len(first) // n_ranges]


def _spread(frame: pl.DataFrame, ends: Integers, ranges: Sequence[Pile]) -> None:
    """Add documents, which are in order, to the range of their query's first row."""
    cuts = np.searchsorted(frame[FIRST].to_numpy(), ends)
    for pile, low, high in zip(ranges, [0, *cuts], [*cuts, frame.height], strict=True):
        if low < high:
            pile.add(frame[int(low) : int(high)])
