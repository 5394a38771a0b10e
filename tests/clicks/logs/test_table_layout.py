"""The layout of plain tables: told by the name of the file, written as Parquet or CSV."""

from __future__ import annotations

import os

import polars as pl
import pytest

from riskrank.clicks.logs.log_files import write_log
from riskrank.clicks.logs.table_layout import TABLE
from riskrank.clicks.simulator import World
from riskrank.errors import FileError


def test_a_table_is_told_by_its_name_and_never_by_its_first_bytes():
    names = ["log.parquet", "log.pq", "log.csv", "log.csv.gz", "log.tsv", "log.tsv.gz"]
    assert all(name.endswith(TABLE.endings) for name in names)
    assert not TABLE.detect(b"session,query,position,document,clicked\n1,2,1,3,0\n")


@pytest.mark.parametrize(("name", "read"), [("log.parquet", pl.read_parquet), ("log.csv", pl.read_csv)])
def test_the_name_that_a_table_will_have_says_what_is_written(tmp_path, batches, name, read):
    temporary = tmp_path / "beside"
    with open(temporary, "wb") as file:
        assert TABLE.write(iter(batches), file, name=str(tmp_path / name)) == sum(map(len, batches))
    frame = read(temporary)
    assert frame["document"].to_list() == [document for batch in batches for document in batch.document.tolist()]


@pytest.mark.parametrize("name", ["log.txt", "log", "log.csv.gz", "log.tsv", "log.pq"])
def test_only_parquet_and_csv_are_written(tmp_path, batches, name):
    with pytest.raises(FileError, match="must end in .parquet or .csv"):
        write_log(batches, tmp_path / name, layout="table")
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize("name", ["log.tsv", "log.csv.gz", "log.pq"])
def test_names_of_tables_that_cannot_be_written_are_refused_without_a_layout_too(tmp_path, name):
    with pytest.raises(FileError, match="must end in .parquet or .csv"):
        write_log(World(random_state=1).log(20), tmp_path / name)
