from __future__ import annotations

import os
from unittest.mock import patch

import pytest

from riskrank.errors import FileError
from riskrank.files.reading import parse_json, read_back, read_json


def test_bytes_are_read_as_they_are(tmp_path):
    (tmp_path / "a").write_bytes(b"\0\xff")
    assert read_back(tmp_path / "a") == b"\0\xff"


def test_a_file_may_be_as_large_as_allowed_and_no_larger(tmp_path):
    (tmp_path / "a").write_bytes(b"abc")
    assert read_back(tmp_path / "a", largest=3) == b"abc"
    with pytest.raises(FileError, match="is larger than 0 MiB"):
        read_back(tmp_path / "a", largest=2)


def test_a_large_limit_takes_no_memory(tmp_path):
    (tmp_path / "a").write_bytes(b"abc")
    assert read_back(tmp_path / "a", largest=1 << 60) == b"abc"


def test_a_file_that_grows_meanwhile_is_told(tmp_path):
    (tmp_path / "a").write_bytes(b"abc")
    before = os.stat(tmp_path / "a")
    (tmp_path / "a").write_bytes(b"abcdef")
    with patch("riskrank.files.reading.os.fstat", return_value=before), pytest.raises(FileError, match="changed while"):
        read_back(tmp_path / "a")


@pytest.mark.parametrize(
    ("content", "what"),
    [
        (b'"\xff"', "not UTF-8 at byte 1"),
        (b"{", "not JSON"),
        (b"[" * 100_000, "brackets are nested too deep"),
        (rb'{"a": ["\uD800"]}', "half of a letter"),
        (rb'{"\udc00": 1}', "half of a letter"),
    ],
    ids=["bytes", "cut", "deep", "surrogate", "name"],
)
def test_what_is_no_json_is_told_in_one_line(content, what):
    with pytest.raises(FileError, match=what) as told:
        parse_json(content, "a.json", line=7)
    assert str(told.value).startswith("a.json:7: cannot be read (")
    assert "\n" not in str(told.value)


def test_both_halves_of_a_letter_are_one(tmp_path):
    (tmp_path / "a.json").write_bytes(rb'["\ud83d\ude00"]')
    assert read_json(tmp_path / "a.json") == ["\N{GRINNING FACE}"]
