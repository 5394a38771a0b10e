from __future__ import annotations

import os
import sys

import pytest

from riskrank.errors import FileError
from riskrank.files.writing import check_writable, write_atomically, written_together


def test_writing_follows_links_and_leaves_nothing_behind(tmp_path):
    (tmp_path / "real").write_text("old")
    (tmp_path / "link").symlink_to(tmp_path / "real")
    write_atomically(tmp_path / "link", "new \udce9")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "real").read_text() == "new ?"
    assert sorted(p.name for p in tmp_path.iterdir()) == ["link", "real"]


@pytest.mark.skipif(sys.platform != "linux", reason="names are any bytes on Linux only")
@pytest.mark.parametrize("name", [b"\xff.txt", b"\xe2\x82" * 120, "€".encode() * 80], ids=["bytes", "halves", "long"])
def test_any_name_that_the_system_allows_can_be_written(tmp_path, name):
    path = tmp_path / os.fsdecode(name)
    write_atomically(path, "content")
    assert path.read_text() == "content"
    assert os.listdir(os.fsencode(tmp_path)) == [name]


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files away")
def test_who_owns_a_file_stays(tmp_path):
    (tmp_path / "a").write_text("old")
    os.chown(tmp_path / "a", 1234, 5678)
    write_atomically(tmp_path / "a", "new")
    status = os.stat(tmp_path / "a")
    assert ((tmp_path / "a").read_text(), status.st_uid, status.st_gid) == ("new", 1234, 5678)


def test_a_device_is_written_to_not_replaced():
    write_atomically("/dev/null", "text")
    assert not os.path.isfile("/dev/null")


def test_several_files_appear_together_when_all_is_done(tmp_path):
    (tmp_path / "a").write_text("old")
    with written_together({tmp_path / "a": "new", tmp_path / "b": b"bytes"}):
        assert (tmp_path / "a").read_text() == "old"
        assert not (tmp_path / "b").exists()
    assert [(tmp_path / name).read_text() for name in "ab"] == ["new", "bytes"]
    assert len(list(tmp_path.iterdir())) == 2


def test_if_one_file_cannot_be_written_none_is(tmp_path):
    (tmp_path / "a").write_text("old")
    with (
        pytest.raises(FileError, match=r"no/b: cannot be written \(No such file or directory\)"),
        written_together({tmp_path / "a": "new", tmp_path / "no" / "b": "text"}),
    ):
        pass
    assert [(path.name, path.read_text()) for path in tmp_path.iterdir()] == [("a", "old")]


def test_nothing_is_written_where_what_is_done_meanwhile_fails(tmp_path):
    with pytest.raises(KeyboardInterrupt), written_together({tmp_path / "a": "new"}):
        raise KeyboardInterrupt
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs /dev/full")
def test_a_full_device_leaves_no_file_beside_it(tmp_path):
    with (
        pytest.raises(FileError, match=r"/dev/full: cannot be written \(No space left on device\)"),
        written_together({"/dev/full": "text", tmp_path / "a": "new"}),
    ):
        pass
    assert list(tmp_path.iterdir()) == []


def test_what_cannot_be_written_is_known_beforehand(tmp_path):
    for target, reason in ((tmp_path, "directory"), (tmp_path / "no" / "file", "no such folder")):
        with pytest.raises(FileError, match=reason):
            check_writable(target)
    check_writable(tmp_path / "new")
    assert not list(tmp_path.iterdir())
