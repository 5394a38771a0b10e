from __future__ import annotations

import bz2
import gzip
import lzma
import sys
from contextlib import suppress
from importlib import import_module

import numpy as np
import pytest

import riskrank as rr
from riskrank.data.files import is_packed, read_bytes
from riskrank.data.opening.packed_streams import ANY_SIZE, HARMLESS
from riskrank.errors import FileError

zstd = import_module("compression.zstd" if sys.version_info >= (3, 14) else "backports.zstd")
PACKINGS = {"gz": gzip.compress, "bz2": bz2.compress, "xz": lzma.compress, "zst": zstd.compress}
TEXT = b"2 qid:1 1:0.5 2:1 # a\n0 qid:1 1:0.25 2:3 # b\n"


@pytest.fixture(params=list(PACKINGS))
def ending(request):
    return request.param


def test_what_is_packed_is_told_by_content(tmp_path, ending):
    path = tmp_path / "train.txt"
    path.write_bytes(PACKINGS[ending](TEXT))
    assert is_packed(path)
    assert read_bytes(path) == TEXT
    np.testing.assert_array_equal(rr.read_letor(path).features, [[0.5, 1], [0.25, 3]])
    path.write_bytes(TEXT)
    assert not is_packed(path)


def test_a_file_may_have_several_parts(tmp_path, ending):
    path = tmp_path / "train.txt"
    path.write_bytes(PACKINGS[ending](TEXT) + PACKINGS[ending](b"1 qid:2 1:1 2:1 # c\n"))
    assert rr.read_letor(path).query_ids == ("1", "2")


def test_no_text_is_taken_for_a_packed_file(tmp_path):
    path = tmp_path / "qrels.txt"
    path.write_bytes(b"BZh91 0 d1 1\n")
    assert not is_packed(path)
    assert rr.read_qrels(path).topics == ("BZh91",)


def test_a_file_that_was_cut_or_changed_is_refused(tmp_path, ending):
    whole = PACKINGS[ending](TEXT * 200)
    path = tmp_path / f"train.txt.{ending}"
    changed = whole[:30] + bytes([whole[30] ^ 255]) + whole[31:]
    for damaged in (whole[: len(whole) // 2], *([] if ending == "zst" else [changed])):  # it has no checksum by default
        path.write_bytes(damaged)
        with pytest.raises(FileError, match=r"cannot be decompressed \(.+\)\. Copy or compress it again\."):
            read_bytes(path)


def test_a_bomb_is_refused_unless_it_is_meant(tmp_path, ending, monkeypatch):
    path = tmp_path / f"train.txt.{ending}"
    path.write_bytes(PACKINGS[ending](TEXT + b" " * (HARMLESS + (1 << 22))))
    with pytest.raises(FileError, match="unpacks to more than files of data do"):
        read_bytes(path)
    monkeypatch.setenv(ANY_SIZE, "1")
    assert len(read_bytes(path)) > HARMLESS


def test_a_file_packed_twice_is_refused(tmp_path, ending):
    path = tmp_path / "train.txt.gz"
    path.write_bytes(gzip.compress(PACKINGS[ending](TEXT)))
    with pytest.raises(FileError, match="is compressed in a way that is not read here"):
        read_bytes(path)


def test_without_the_library_for_zstandard_the_way_out_is_told(tmp_path, monkeypatch):
    for name in ("compression.zstd", "backports.zstd"):
        with suppress(KeyError):
            monkeypatch.setitem(sys.modules, name, None)
    path = tmp_path / "train.txt.zst"
    path.write_bytes(PACKINGS["zst"](TEXT))
    with pytest.raises(FileError, match=r"packed by Zstandard, which needs a library: pip install backports.zstd"):
        rr.read_letor(path)


def test_what_is_followed_by_nothing_but_holes_is_told(tmp_path):
    with open(tmp_path / "a.gz", "wb") as file:
        file.write(gzip.compress(b"1 qid:1 1:1\n"))
        file.truncate(2**40)
    with pytest.raises(FileError, match="nothing but zeros follows"):
        read_bytes(tmp_path / "a.gz")
