"""Query ids among the columns of a frame, as scikit-learn's tools hand it on."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from riskrank.errors import AlignmentError

if TYPE_CHECKING:
    from collections.abc import Container

    from numpy.typing import NDArray


def query_column(x: Any, features: Container[str] = ()) -> str | None:
    """The column of a pandas or Polars frame that holds query ids: one called qid, query_id, topic, ….

    None where there is none, or where it is one of a model's own `features`.
    """
    if not hasattr(x, "columns"):
        return None
    from riskrank.data.frames import ACCEPTED_NAMES, is_frame  # loads Polars

    if not is_frame(x):
        return None
    columns = list(x.columns)
    return next((name for name in ACCEPTED_NAMES["topic"] if name in columns and name not in features), None)


def without_query_column(x: Any, features: Container[str] = ()) -> tuple[Any, NDArray[Any] | None]:
    """The other columns, and the query ids; whatever has no such column comes back as it is, and None."""
    name = query_column(x, features)
    if name is None:
        return x, None
    return (x.drop(columns=name) if hasattr(x, "iloc") else x.drop(name)), query_ids(x, name)


def query_ids(x: Any, name: str) -> NDArray[Any]:
    """The query ids in a column of a frame, none of which may be missing."""
    column = x[name]
    missing = np.asarray(column.isna() if hasattr(column, "isna") else column.is_null())
    if missing.any():
        raise AlignmentError(f"the query id of document {int(missing.argmax()) + 1} is missing in column {name!r}.")
    return np.asarray(column)
