from __future__ import annotations

import io
import os
import subprocess
import sys

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


@pytest.mark.skipif(not os.path.isdir("/proc/self/task"), reason="only Linux tells what threads do")
def test_no_thread_is_heard_of_when_many_panic(tmp_path):
    (tmp_path / "a.parquet").write_bytes(_panicking(n_columns=2, n_groups=30))
    script = """
import os, sys
from riskrank.data.tables.parquet_damage import wait_for_threads
from riskrank.data.tables.table_files import read_parquet
from riskrank.errors import FileError
for _ in range(100):
    try:
        read_parquet(sys.argv[1])
    except FileError as error:
        os.write(1, b"." if "Panic" in str(error) else str(error).encode())
    wait_for_threads()  # of what is left to be written, standard error now gets it
"""
    command = [sys.executable, "-c", script, tmp_path / "a.parquet"]
    done = subprocess.run(command, env=os.environ | {"POLARS_MAX_THREADS": "32"}, capture_output=True, check=True)
    assert (done.stdout, done.stderr) == (b"." * 100, b"")


def _panicking(*, n_columns: int, n_groups: int) -> bytes:
    """A Parquet file each of whose pages says that its indices have 64 bits."""
    n_rows, n_values = 1000, 7  # whose indices have 3 bits
    column = [f"q{row % n_values}" for row in range(n_rows)] * n_groups
    buffer = io.BytesIO()
    frame = pl.DataFrame({f"c{number}": column for number in range(n_columns)})
    frame.write_parquet(buffer, compression="uncompressed", row_group_size=n_rows, statistics=False)
    indices = sum((row % n_values) << (3 * row) for row in range(56)).to_bytes(21, "little")
    page = b"\x03\xfb\x01" + indices  # bits, then how many groups of eight follow (125, and that they are packed)
    assert buffer.getvalue().count(page) == n_columns * n_groups
    return buffer.getvalue().replace(page, b"\x40" + page[1:])
