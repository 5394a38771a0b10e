from __future__ import annotations

import polars as pl
import pytest

from riskrank.data.tables.table_files import column_names, read_parquet, read_rows
from riskrank.errors import FileError


def test_rows_have_the_lines_where_they_begin(tmp_path):
    (tmp_path / "t.csv").write_bytes(b'\r\na; b\r\n"x\r\ny";1\r\n ; \r\nz;2')
    assert read_rows(tmp_path / "t.csv") == [(2, ["a", "b"]), (3, ["x\r\ny", "1"]), (6, ["z", "2"])]


def test_names_of_columns_in_text_and_parquet(tmp_path):
    (tmp_path / "t.tsv").write_text('"a"\tb \n1\t2\n')
    pl.DataFrame({"a": [1], "b": [2]}).write_parquet(tmp_path / "t.parquet")
    assert column_names(tmp_path / "t.tsv") == column_names(tmp_path / "t.parquet") == ["a", "b"]


@pytest.mark.parametrize("read", [read_parquet, column_names])
@pytest.mark.parametrize("content", [b"no", b"PAR1" + b"\xff" * 40 + b"PAR1", b""])
def test_what_is_no_parquet_file_is_told(tmp_path, read, content):
    (tmp_path / "t.parquet").write_bytes(content)
    with pytest.raises(FileError, match="t.parquet: is not a Parquet file"):
        read(tmp_path / "t.parquet")


def test_what_is_no_text_is_told(tmp_path):
    (tmp_path / "t.csv").write_bytes(b"a,b\n\xff,1\n")
    with pytest.raises(FileError, match="t.csv: is not UTF-8 text"):
        read_rows(tmp_path / "t.csv")
    (tmp_path / "t.csv").write_text('a,b\n1,"' + "x" * 200_000 + '"\n')
    with pytest.raises(FileError, match="t.csv:2: is not a CSV file"):
        read_rows(tmp_path / "t.csv")
