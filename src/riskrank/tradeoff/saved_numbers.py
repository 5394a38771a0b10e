"""Numbers as a sweep keeps them on disk: lists for JSON, where NaN is null, and tables as Parquet."""

from __future__ import annotations

import io
import math
from typing import TYPE_CHECKING

import numpy as np

from riskrank.data.files import write_atomically

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    import polars as pl

    from riskrank.typing import Floats


def nan_as_none(values: Floats) -> list[float | None]:
    """For JSON, which has no NaN.

    >>> nan_as_none(np.array([0.5, np.nan]))
    [0.5, None]
    """
    return [None if math.isnan(value) else value for value in values.tolist()]


def none_as_nan(values: Sequence[float | None]) -> Floats:
    """What `nan_as_none` gave, as it was.

    >>> none_as_nan([0.5, None])
    array([0.5, nan])
    """
    return np.array([math.nan if value is None else value for value in values], dtype=np.float64)


def write_table(path: Path, frame: pl.DataFrame) -> None:
    """Write a Parquet file, whole or not at all."""
    buffer = io.BytesIO()
    frame.write_parquet(buffer)
    write_atomically(path, buffer.getvalue())
