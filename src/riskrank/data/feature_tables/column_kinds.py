"""What columns hold that are no features, and what helps."""

from __future__ import annotations

import polars as pl

from riskrank.data.feature_tables.category_columns import can_be_categories

WAYS_OUT = {
    "text": "make it a category ({category})",
    "bytes": "turn it into numbers",
    "objects": "turn it into numbers",
    "dates or times": "make it a number, like an age in days",
    "lists or records": "make a column of each number",
}


def reason_against(dtype: pl.DataType, *, is_category: bool = False) -> str:
    """What a column of this type holds that is no feature; empty if it is one.

    >>> reason_against(pl.Date()), reason_against(pl.Int64())
    ('dates or times', '')
    """
    if can_be_categories(dtype) if is_category else dtype.is_numeric() or dtype in (pl.Boolean, pl.Null):
        return ""
    if dtype.is_temporal():
        return "dates or times"
    kinds = {pl.String: "text", pl.Binary: "bytes", pl.Object: "objects"}
    return kinds.get(dtype.base_type(), "lists or records")
