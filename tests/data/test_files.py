from __future__ import annotations

import os

import pytest

from riskrank.data.files import check_writable, read_bytes, write_atomically
from riskrank.errors import FileError


def test_a_pipe_is_refused_rather_than_half_read(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(FileError, match="is a pipe or device"):
        read_bytes(tmp_path / "pipe")


def test_writing_follows_links_and_leaves_nothing_behind(tmp_path):
    (tmp_path / "real").write_text("old")
    (tmp_path / "link").symlink_to(tmp_path / "real")
    write_atomically(tmp_path / "link", "new \udce9")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "real").read_text() == "new ?"
    assert sorted(p.name for p in tmp_path.iterdir()) == ["link", "real"]


def test_a_device_is_written_to_not_replaced():
    write_atomically("/dev/null", "text")
    assert not os.path.isfile("/dev/null")


def test_what_cannot_be_written_is_known_beforehand(tmp_path):
    for target, reason in ((tmp_path, "directory"), (tmp_path / "no" / "file", "no such folder")):
        with pytest.raises(FileError, match=reason):
            check_writable(target)
    check_writable(tmp_path / "new")
    assert not list(tmp_path.iterdir())
