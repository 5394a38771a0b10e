from __future__ import annotations

import os

import pytest

from riskrank.data.files import read_bytes, whole_lines
from riskrank.errors import FileError


def test_a_pipe_is_refused_rather_than_half_read(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(FileError, match="is a pipe or device"):
        read_bytes(tmp_path / "pipe")


def test_a_line_as_long_as_the_file_is_joined_once():
    pieces = [b"x" * 1000] * 100_000  # joined piece by piece, it would be copied for minutes
    (line,) = whole_lines(pieces)
    assert len(line) == 10**8
