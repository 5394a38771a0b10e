"""Query ids among the columns of a frame, as scikit-learn's tools hand it on."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from riskrank.data.feature_tables.frame_columns import table_frame
from riskrank.errors import AlignmentError

if TYPE_CHECKING:
    from collections.abc import Container

    from numpy.typing import NDArray

    from riskrank.data.feature_tables.frame_columns import Frame
    from riskrank.typing import DataLike


def query_column(x: DataLike, features: Container[str] = ()) -> str | None:
    """The column of a table that holds query ids: one called qid, query_id, topic, ….

    None where there is none, or where it is one of a model's own `features`.
    """
    frame = table_frame(x)
    if frame is None:
        return None
    from riskrank.data.frames import ACCEPTED_NAMES  # loads Polars

    columns = list(frame.columns)
    return next((name for name in ACCEPTED_NAMES["topic"] if name in columns and name not in features), None)


def without_query_column(x: DataLike, features: Container[str] = ()) -> tuple[DataLike, NDArray[Any] | None]:
    """A table as a frame of its other columns, and the query ids; what has no such column is left whole, and None."""
    frame = table_frame(x)
    if frame is None:
        return x, None
    name = query_column(frame, features)
    if name is None:
        return frame, None
    import polars as pl

    rest = frame.drop(name) if isinstance(frame, pl.DataFrame) else frame.drop(columns=name)
    return rest, query_ids(frame, name)


def query_ids(x: Frame, name: str) -> NDArray[Any]:
    """The query ids in a column of a frame, none of which may be missing."""
    import polars as pl

    if isinstance(x, pl.DataFrame):
        missing = (x[name].is_null() | (x[name].is_nan() if x[name].dtype.is_float() else False)).to_numpy()
    else:
        missing = np.asarray(x[name].isna())
    if missing.any():
        raise AlignmentError(f"the query id of document {int(missing.argmax()) + 1} is missing in column {name!r}.")
    return np.asarray(x[name])
