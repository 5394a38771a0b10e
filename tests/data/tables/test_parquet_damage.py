from __future__ import annotations

import os

import polars as pl
import pytest

from riskrank.data.tables.parquet_damage import PANIC, parquet_told
from riskrank.errors import FileError


@pytest.fixture
def table(tmp_path):
    pl.DataFrame({"a": [1, 2]}).write_parquet(tmp_path / "a.parquet")
    return tmp_path / "a.parquet"


@pytest.mark.parametrize(
    "error",
    [OSError("bad page"), ValueError("bad page"), pl.exceptions.ComputeError("bad page\nand more")],
    ids=lambda error: type(error).__name__,
)
def test_whatever_is_raised_names_the_file_in_one_line(table, error):
    with pytest.raises(FileError) as told, parquet_told(table, way_out="Write it again."):
        raise error
    assert str(told.value) == f"{table}: is not a Parquet file, or it is damaged (bad page). Write it again."


def test_a_panic_is_told_as_well(table):
    panic = type(PANIC, (BaseException,), {})
    with pytest.raises(FileError, match=r"damaged \(assertion failed\)\.$"), parquet_told(table):
        raise panic("assertion failed")


def test_what_is_no_damage_is_left_as_it_is(table):
    for error in (KeyboardInterrupt, MemoryError):
        with pytest.raises(error), parquet_told(table):
            raise error
    with pytest.raises(FileError, match=r"^b: something else$"), parquet_told(table):
        raise FileError("b", "something else")


def test_nothing_is_written_to_standard_error_meanwhile(table, capfd):
    with parquet_told(table):
        os.write(2, b"thread panicked")
    os.write(2, b"after")
    assert capfd.readouterr().err == "after"
