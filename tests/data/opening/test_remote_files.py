from __future__ import annotations

import gzip
import sys
import uuid

import fsspec
import numpy as np
import pytest

import riskrank as rr
from riskrank.errors import FileError

TEXT = b"2 qid:1 1:0.5 2:1 # a\n0 qid:1 1:0.25 2:3 # b\n"


@pytest.fixture
def address():
    """A place in memory, which fsspec keeps as it keeps others."""
    folder = f"memory://{uuid.uuid4()}"
    yield folder
    files = fsspec.filesystem("memory")
    if files.exists(folder):
        files.rm(folder, recursive=True)


def keep(address, content):
    with fsspec.open(address, "wb") as file:
        file.write(content)
    return address


@pytest.mark.parametrize("pack", [bytes, gzip.compress])
def test_files_elsewhere_are_read_by_their_address(address, pack):
    data = rr.read_letor(keep(f"{address}/train.txt", pack(TEXT)))
    np.testing.assert_array_equal(data.features, [[0.5, 1], [0.25, 3]])


def test_runs_and_qrels_are_read_by_address_too(address):
    assert rr.read_qrels(keep(f"{address}/qrels.txt", b"1 0 a 2\n")).topics == ("1",)
    assert rr.read_run(keep(f"{address}/a.run", b"1 Q0 a 1 0.5 x\n")).name == "a"


def test_what_is_not_there_is_named(address):
    with pytest.raises(FileError, match=r"memory://.*/train.txt: no such file"):
        rr.read_letor(f"{address}/train.txt")


def test_a_place_that_nobody_knows_is_refused():
    with pytest.raises(FileError, match="is at a place that fsspec does not know"):
        rr.read_letor("nowhere://bucket/train.txt")


def test_without_fsspec_the_way_out_is_told(monkeypatch):
    monkeypatch.setitem(sys.modules, "fsspec", None)
    with pytest.raises(FileError, match=r"which needs a library: pip install fsspec, or copy the file here first"):
        rr.read_letor("s3://bucket/train.txt")


@pytest.mark.parametrize(
    "address",
    ["file://{}/a.csv", "FILE://{}/a.csv", "local://{}/a.csv", "file://{}/*.csv", "zip://a.csv::{}/a.zip",
     "simplecache::file://{}/a.csv", "filecache://{}/a.csv", "memory://x::file://{}/a.csv"],
)  # fmt: skip
def test_another_name_of_a_file_that_is_here_is_refused(tmp_path, address):
    """By its path one can tell whether an output is that file."""
    (tmp_path / "a.csv").write_text("qid,label,a\n1,1,2\n")
    with pytest.raises(FileError, match="leads to a file that is here|no such file"):
        rr.read_table(address.format(tmp_path))


@pytest.mark.parametrize("error", [KeyError("x"), RuntimeError(), TypeError("a\nb"), ValueError("odd")])
def test_whatever_a_storage_raises_is_one_line(monkeypatch, error):
    def broken(*_, **__):
        raise error

    monkeypatch.setattr(fsspec, "open", broken)
    with pytest.raises(FileError, match="memory://a.csv: cannot be read") as told:
        rr.read_table("memory://a.csv")
    assert "\n" not in str(told.value)
