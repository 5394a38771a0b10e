from __future__ import annotations

import os

import pytest

from riskrank.data.files import read_bytes
from riskrank.errors import FileError


def test_a_pipe_is_refused_rather_than_half_read(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(FileError, match="is a pipe or device"):
        read_bytes(tmp_path / "pipe")
