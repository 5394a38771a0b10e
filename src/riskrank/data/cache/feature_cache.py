"""FeatureCache: features as they are in memory, in files that are mapped instead of being read and parsed again.

The system reads of them what is asked for, and keeps in memory what there is room for.
"""

from __future__ import annotations

import mmap
import os
import time
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, TYPE_CHECKING

import numpy as np
import polars as pl

from riskrank.data.cache.cache_record import FORMAT, VERSION, CacheRecord, FileStamp
from riskrank.data.fingerprints import json_digest
from riskrank.data.opening.remote_files import is_remote
from riskrank.errors import FileError, InUseError, ParameterError
from riskrank.files import disk
from riskrank.files.own_folder import OwnFolder, settle
from riskrank.files.writing import as_parquet, write_atomically, writing_told

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from riskrank.files.own_folder import FolderChange
    from riskrank.typing import PathLike, Singles

KIND = "cache of features"
RECORD, FEATURES, TABLE = "entry.json", "features", ".table"  # none is taken for a table of features
VALUE = np.dtype("<f4")
LOOK = 0.2  # seconds between looks at a folder that somebody writes to


@dataclass(frozen=True, eq=False)
class CachedFeatures:
    """Features, and tables of what else was read with them."""

    features: Singles
    tables: Mapping[str, pl.DataFrame]


class FeatureCache:
    """A folder of what was read before. Nobody needs to clear it, and whoever removes it loses time alone."""

    def __init__(self, folder: PathLike) -> None:
        self._folder = OwnFolder(folder, KIND)

    def check(self, output: PathLike | None = None) -> None:
        """Refuse a place where no such folder can be, or where an output will be. What is kept need not be writable."""
        if self._folder.listed is None:
            self._folder.check()
        if output is None:
            return
        own, place = Path(os.path.realpath(self._folder.path)), Path(os.path.realpath(output))
        if own in (place, *place.parents) or place in own.parents:
            raise FileError(self._folder.given, f"is the place of {output}, or one is in the other. Choose another.")

    def of(
        self, sources: Sequence[PathLike], way: Mapping[str, object], read: Callable[[CacheWriter], None]
    ) -> CachedFeatures:
        """What is kept of files that are read in a `way`; if there is nothing, or they have changed, `read` reads them.

        `read` is told where to.
        """
        check_here(sources)
        stamps = _stamps(sources)
        entry = json_digest([sorted(stamps), way])
        settle(self._folder.path)
        while (kept := self._kept(entry, stamps)) is None:
            try:
                with self._folder.changed(keeps=True) as change:
                    writer = CacheWriter(self._folder.given, change, entry)
                    read(writer)
                    writer.finish(stamps)
            except InUseError:  # by somebody who reads the same data, perhaps
                time.sleep(LOOK)
            else:
                if self._kept(entry, _stamps(sources)) is None:
                    raise FileError(sources[0], "changed while it was read. Try again.")
        return kept

    def _kept(self, entry: str, stamps: Mapping[str, FileStamp]) -> CachedFeatures | None:
        """An entry, if it is there, whole, and of these very files."""
        folder = self._folder.path / entry
        try:
            record = CacheRecord.read(folder / RECORD)
            if record.sources != stamps:
                return None
            for name, stamp in record.files.items():
                if not FileStamp.of(self._folder.inside(f"{entry}/{name}")).holds_the_same(stamp):
                    return None
            tables = {
                name.removesuffix(TABLE): pl.read_parquet(folder / name, glob=False, hive_partitioning=False)
                for name in record.files
                if name != FEATURES
            }
            return CachedFeatures(mapped_features(folder / FEATURES, record.n_rows, record.n_features), tables)
        except (FileError, OSError, ValueError, pl.exceptions.PolarsError):
            return None


class CacheWriter:
    """Where an entry is written; all of it appears at once when it is whole."""

    def __init__(self, folder: PathLike, change: FolderChange, entry: str) -> None:
        self._folder, self._change, self._entry = folder, change, entry
        self._features = change.reserve(f"{entry}/{FEATURES}")
        self._places = {FEATURES: self._features}
        self._shape = 0, 0

    @contextmanager
    def rows(self) -> Iterator[IO[bytes]]:
        """A file for the features, row by row; it is empty."""
        disk.remove(self._features)
        with self._opened() as handle, disk.stream(handle) as file:
            yield file

    def mapped(self, size: int) -> mmap.mmap:
        """Memory that is the file of the features."""
        with self._opened() as handle:
            disk.allocate(handle, size)
            return mmap.mmap(handle, size)

    @contextmanager
    def _opened(self) -> Iterator[int]:
        with writing_told(self._folder):
            handle = disk.extend(self._features, follows=False)
            try:
                yield handle
            finally:
                os.close(handle)

    def features(self, n_rows: int, n_features: int) -> Singles:
        """The features that were written, of which there are so many."""
        self._shape = n_rows, n_features
        return mapped_features(self._features, n_rows, n_features)

    def table(self, name: str, table: pl.DataFrame) -> None:
        """What else was read."""
        place = self._places[f"{name}{TABLE}"] = self._change.reserve(f"{self._entry}/{name}{TABLE}")
        write_atomically(place, as_parquet(table, is_quick=True))

    def finish(self, sources: dict[str, FileStamp]) -> None:
        """The entry is whole."""
        with self._opened() as handle:
            disk.sync(handle)
        files = {name: FileStamp.of(place) for name, place in self._places.items()}
        record = CacheRecord(FORMAT, VERSION, *self._shape, sources, files)
        self._change.write(f"{self._entry}/{RECORD}", record.to_json())


def mapped_features(path: Path, n_rows: int, n_features: int) -> Singles:
    """The features in a file; raises `ValueError` if it has others."""
    with open(path, "rb") as file:
        if os.fstat(file.fileno()).st_size != n_rows * n_features * VALUE.itemsize:
            raise ValueError("has another size")
        if not n_rows * n_features:
            return np.empty((n_rows, n_features), np.float32)
        memory = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    return np.asarray(np.frombuffer(memory, VALUE).reshape(n_rows, n_features), np.float32)


def check_here(sources: Sequence[PathLike]) -> None:
    """Refuse addresses: only of files can it be told whether they have changed."""
    remote = next((path for path in sources if is_remote(path)), None)
    if remote is not None:
        raise ParameterError(f"cache= keeps features of files that are here: leave it out for {remote}.", "cache")


def _stamps(sources: Sequence[PathLike]) -> dict[str, FileStamp]:
    try:
        return {os.path.abspath(path): FileStamp.of(path) for path in sources}
    except OSError as error:
        raise FileError(sources[0], f"cannot be read ({error.strerror}).") from None
