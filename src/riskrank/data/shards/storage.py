"""Where a worker keeps its documents: in memory, or on disk where they are too many for it."""

from __future__ import annotations

import shutil
import tempfile
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from riskrank.errors import FileError, ParameterError, counted
from riskrank.files.scratch import Scratch, scratch_folder
from riskrank.files.writing import clean_up
from riskrank.parameters import whole

if TYPE_CHECKING:
    from collections.abc import Iterator

    from riskrank.data.shards.sharded_data import ShardedData

MEGABYTE = 2**20
LEAST_MEMORY = 512 * MEGABYTE
PROCESS = 400 * MEGABYTE  # libraries, and files as they are read
DOCUMENT = 100  # bytes: label, scores, gradients, and what the engine has of them
FEATURE = 4  # bytes of a value
CODE, CODE_AMONG_MISSING = 2, 5  # bytes of a value in XGBoost's bins: of data without and with missing values
HISTOGRAM = 256 * 16  # bytes of a feature, in a leaf
LEAVES = 64  # whose histograms are held
PARTS = 32  # of the memory, one of which a batch of rows may take


@dataclass(frozen=True)
class Storage:
    """Features go to the scratch folder, if there is one; the engine's codes to files of a name that begins so.

    `rows_at_once` are read of what is on disk.
    """

    scratch: Scratch | None = None
    codes: str | None = None
    rows_at_once: int = 1 << 16


IN_MEMORY = Storage()


@contextmanager
def storage_for(memory: int | None, train: ShardedData, n_documents: int, n_others: int = 0) -> Iterator[Storage]:
    """For so many documents of training data, beside `n_others` to validate by, in so many bytes of memory.

    What is on disk is in a folder among temporary files, which is removed in the end; after a crash, by whoever comes
    next.
    """
    whole("memory", memory, LEAST_MEMORY, optional=True)
    if memory is None:
        yield IN_MEMORY
        return
    place = Path(tempfile.gettempdir()) / "riskrank shards"
    clean_up(place)
    with scratch_folder(place) as scratch:
        yield _storage(memory, train, n_documents, n_others, scratch)


def _storage(memory: int, train: ShardedData, n_documents: int, n_others: int, scratch: Scratch) -> Storage:
    """Features go to disk before codes do, which each step of training reads."""
    n_all, n_features = n_documents + n_others, train.manifest.n_features
    left = memory - PROCESS - DOCUMENT * n_all - n_features * HISTOGRAM * LEAVES
    rows_at_once = left // PARTS // (n_features * FEATURE)
    if rows_at_once < 1:
        least = (memory - left) // MEGABYTE + PARTS
        raise ParameterError(
            f"{counted(n_all, 'document')} do not fit a worker's {memory // MEGABYTE:,} MB even with features on disk: "
            f"have more workers, or from {least:,} MB on.",
            "memory",
        )
    codes = n_documents * n_features * (CODE_AMONG_MISSING if np.isnan(train.sample()).any() else CODE)
    features = n_all * n_features * FEATURE
    if features + codes <= left:
        return IN_MEMORY
    needed = features + (codes if codes > left else 0)
    free = shutil.disk_usage(scratch.path).free
    if needed > free:
        message = (
            f"has {free // MEGABYTE:,} MB free, {needed // MEGABYTE:,} MB are needed. Set TMPDIR to another place."
        )
        raise FileError(tempfile.gettempdir(), message)
    return Storage(scratch, str(scratch.path / "codes") if codes > left else None, rows_at_once)
