from __future__ import annotations

import errno
import os
import subprocess
import sys
from contextlib import suppress

import pytest

from riskrank.errors import FileError
from riskrank.files.appending import append_line, appended

from .crashing import crashing


def test_a_line_is_added_and_one_that_was_cut_off_is_ended(tmp_path):
    append_line(tmp_path / "log", b"one")
    (tmp_path / "log").write_bytes(b"one\ntw")
    append_line(tmp_path / "log", b"three")
    assert (tmp_path / "log").read_text() == "one\ntw\nthree\n"


def test_lines_are_taken_back_if_anything_goes_wrong_meanwhile(tmp_path):
    (tmp_path / "log").write_text("one")
    (tmp_path / "empty").touch()
    names = ("log", "empty", "new")
    with suppress(KeyboardInterrupt), appended({tmp_path / name: b"two" for name in names}):
        assert [(tmp_path / name).read_text() for name in names] == ["one\ntwo\n", "two\n", "two\n"]
        raise KeyboardInterrupt
    assert {path.name: path.read_text() for path in tmp_path.iterdir()} == {"log": "one", "empty": ""}


@pytest.mark.parametrize("error", [errno.ENOSPC, errno.EIO])
def test_if_a_disk_fails_no_file_has_a_line(tmp_path, error):
    (tmp_path / "a").write_text("one\n")
    lines = {tmp_path / "a": b"two", tmp_path / "b": b"two"}
    with crashing() as steps, appended(lines):
        pass
    assert steps.count == 6  # open, write and sync each
    (tmp_path / "a").write_text("one\n")
    (tmp_path / "b").unlink()
    for n in range(1, 7):
        with pytest.raises(FileError, match="cannot be written"), crashing(n, error), appended(lines):
            pass
        assert {path.name: path.read_text() for path in tmp_path.iterdir()} == {"a": "one\n"}, n


def test_a_line_that_fits_only_in_part_is_not_there(tmp_path, monkeypatch):
    (tmp_path / "log").write_text("one\n")
    monkeypatch.setattr("riskrank.files.disk.write", lambda handle, content: os.write(handle, content[:2]))
    with pytest.raises(FileError, match="no space left for a whole line"):
        append_line(tmp_path / "log", b"two")
    assert (tmp_path / "log").read_text() == "one\n"


def test_what_another_added_without_locks_stays(tmp_path):
    with suppress(KeyboardInterrupt), appended({tmp_path / "log": b"mine"}):
        with open(tmp_path / "log", "a") as file:
            file.write("theirs\n")
        raise KeyboardInterrupt
    assert (tmp_path / "log").read_text() == "mine\ntheirs\n"


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs /dev/full")
def test_a_full_device_leaves_no_line_beside_it(tmp_path):
    with pytest.raises(FileError, match=r"/dev/full: cannot be written \(No space left"):
        append_line("/dev/full", b"x")
    with pytest.raises(FileError, match="/dev/full"), appended({"/dev/full": b"x", str(tmp_path / "log"): b"x"}):
        pass
    assert list(tmp_path.iterdir()) == []


JOB = """
import sys
from riskrank.files.appending import append_line, appended

path, name = sys.argv[1:]
for number in range(40):
    try:
        with appended({path: f"{name} taken back {number}".encode()}):
            raise KeyboardInterrupt
    except KeyboardInterrupt:
        append_line(path, f"{name} {number}".encode())
"""


def test_processes_at_once_lose_no_line_though_others_are_taken_back(tmp_path):
    jobs = [subprocess.Popen([sys.executable, "-c", JOB, str(tmp_path / "log"), name]) for name in "abc"]
    assert [job.wait(timeout=60) for job in jobs] == [0, 0, 0]
    lines = (tmp_path / "log").read_text().splitlines()
    assert sorted(lines) == sorted(f"{name} {number}" for name in "abc" for number in range(40))
