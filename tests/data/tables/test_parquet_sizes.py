"""Sizes that a Parquet file gives of itself; Polars believes them, and ends the process where memory does not last."""

from __future__ import annotations

import io

import polars as pl
import pytest

from riskrank.data.tables.parquet_sizes import check_parquet
from riskrank.errors import FileError

PAGE = b"\x15\x00\x15<\x15N,\x15\x06"  # a page of data: 30 bytes unpacked, 39 packed, 3 values (all zigzag)


@pytest.fixture
def table():
    buffer = io.BytesIO()
    pl.DataFrame({"a": [0.1, 0.2, 0.3]}).write_parquet(buffer)
    content = buffer.getvalue()
    assert content[4:].startswith(PAGE)
    return content


@pytest.mark.parametrize(
    "page",
    [
        b"\x15\x00\x15<\x15N,\x15\x05",  # −3 values
        b"\x15\x00\x15<\x15N,\x15\x08",  # 4 values, in a column of 3
        b"\x15\x00\x15;\x15N,\x15\x06",  # −30 bytes
        b"\x15\x00\x15<\x15M,\x15\x06",  # −39 bytes
        b"\x15\x00\x15<\x15z,\x15\x06",  # beyond the column
        b"\x15\x00\x15<\x15N\xff\xff\xff",  # no structure
    ],
    ids=["negative", "too many", "no size", "no packed size", "beyond", "nonsense"],
)
def test_a_page_that_cannot_be_is_told_before_polars_reads_it(table, page):
    with pytest.raises(FileError, match=r"^a: is not a Parquet file \(its footer, or the beginning of a page"):
        check_parquet("a", table[:4] + page + table[4 + len(PAGE) :])


@pytest.mark.parametrize("compression", ["zstd", "uncompressed", "snappy", "gzip", "lz4", "brotli"])
@pytest.mark.parametrize("rows", [0, 1, 3000])
def test_what_polars_writes_is_fine(compression, rows):
    frame = pl.DataFrame(
        {
            "text": [f"q{i % 7}" * (i % 30) for i in range(rows)],
            "gaps": [None if i % 5 == 0 else i / 7 for i in range(rows)],
            "flag": [i % 3 == 0 for i in range(rows)],
            "several": [[i] * (i % 4) for i in range(rows)],
        },
        schema={"text": pl.String, "gaps": pl.Float64, "flag": pl.Boolean, "several": pl.List(pl.Int64)},
    )
    buffer = io.BytesIO()
    frame.write_parquet(buffer, compression=compression, row_group_size=1000, data_page_size=500)
    check_parquet("a", buffer.getvalue())
