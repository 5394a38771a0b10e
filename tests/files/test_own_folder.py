"""Folders of our own: what is refused, what is left alone, who may write."""

from __future__ import annotations

import errno
import json
import os
import subprocess
import sys

import pytest

from riskrank.errors import FileError
from riskrank.files import disk
from riskrank.files.file_list import LIST
from riskrank.files.locks import LOCK, locked
from riskrank.files.own_folder import OwnFolder, settle
from riskrank.files.processes import Process

from .crashing import DEAD, leave_traces


def write(folder, **contents):
    with OwnFolder(folder, "model").changed() as change:
        for name, content in contents.items():
            change.write(name, content)


def names(folder):
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())


def test_files_appear_all_at_once_and_those_of_before_go(tmp_path):
    write(tmp_path / "m", a="1", b="2")
    with OwnFolder(tmp_path / "m", "model").changed() as change:
        change.write("deep/er/c", "3")
        assert names(tmp_path / "m")[-2:] == ["a", "b"]
    assert names(tmp_path / "m") == [LIST, "deep/er/c"]


def test_kept_files_stay(tmp_path):
    write(tmp_path / "m", a="1", b="2")
    with OwnFolder(tmp_path / "m", "model").changed(keeps=True) as change:
        change.write("b", "3")
    assert names(tmp_path / "m") == [LIST, "a", "b"]
    assert (tmp_path / "m" / "b").read_text() == "3"


def failing_change(folder):
    with OwnFolder(folder, "model").changed() as change:
        change.write("a", "2")
        change.write("new/b", "2")
        raise ZeroDivisionError


def test_a_change_that_fails_changes_nothing(tmp_path):
    write(tmp_path / "m", a="1")
    for place in (tmp_path / "m", tmp_path / "x" / "y"):
        with pytest.raises(ZeroDivisionError):
            failing_change(place)
    assert names(tmp_path / "m") == [LIST, "a"]
    assert not (tmp_path / "x").exists()


def test_a_folder_of_another_kind_or_of_somebody_is_refused(tmp_path):
    write(tmp_path / "m", a="1")
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "thesis.txt").write_text("all of it")
    (tmp_path / "file").write_text("all of it")
    for name in ("m", "mine", "file"):
        with pytest.raises(FileError, match=f"{name}: exists and is not a sweep of riskrank. Choose another place."):
            OwnFolder(tmp_path / name, "sweep").check()


def test_a_file_of_somebody_is_not_replaced(tmp_path):
    write(tmp_path / "m", a="1")
    (tmp_path / "m" / "b").write_text("mine")
    with pytest.raises(FileError, match="m/b: was not written by riskrank"):
        write(tmp_path / "m", a="2", b="2")
    assert [(tmp_path / "m" / name).read_text() for name in "ab"] == ["1", "mine"]


def test_a_file_that_somebody_changed_is_not_removed(tmp_path):
    write(tmp_path / "m", a="1", b="2")
    (tmp_path / "m" / "b").write_text("mine")
    write(tmp_path / "m", a="2")
    assert names(tmp_path / "m") == [LIST, "a", "b"]


@pytest.mark.parametrize(
    "name", ["../thesis.txt", "/thesis.txt", "a/../../thesis.txt", "a\n/../../thesis.txt", "a\\b", "", "a\0b", 7, None]
)
def test_a_list_reaches_nothing_outside(tmp_path, name):
    write(tmp_path / "m", a="1")
    (tmp_path / "thesis.txt").write_text("all of it")
    path = tmp_path / "m" / LIST
    content = json.loads(path.read_text())
    content["removals"] = {"a" if name is None else str(name) if isinstance(name, str) else "a": name}
    path.write_text(json.dumps(content))
    settle(tmp_path / "m")
    assert (tmp_path / "thesis.txt").read_text() == "all of it"


def test_a_list_of_a_newer_version_is_told_and_left_alone(tmp_path):
    write(tmp_path / "m", a="1")
    content = json.loads((tmp_path / "m" / LIST).read_text())
    (tmp_path / "m" / LIST).write_text(json.dumps({**content, "version": 2}))
    before = (tmp_path / "m" / LIST).read_bytes()
    for use in (lambda: write(tmp_path / "m", a="2"), lambda: settle(tmp_path / "m")):
        with pytest.raises(FileError, match=r"\.riskrank\.json: has version 2, this riskrank reads up to 1"):
            use()
    assert (tmp_path / "m" / LIST).read_bytes() == before
    assert (tmp_path / "m" / "a").read_text() == "1"


def test_a_list_moves_no_file_that_was_not_being_written(tmp_path):
    write(tmp_path / "m", a="1")
    (tmp_path / "m" / "notes.txt").write_text("all of it")
    path = tmp_path / "m" / LIST
    path.write_text(json.dumps({**json.loads(path.read_text()), "moves": {"a": "notes.txt"}}))
    settle(tmp_path / "m")
    assert (tmp_path / "m" / "notes.txt").read_text() == "all of it"


def test_links_are_not_followed_out_of_a_folder(tmp_path):
    write(tmp_path / "m", **{"part/a": "1"})
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "a").write_text("1")
    (tmp_path / "m" / "part" / "a").unlink()
    (tmp_path / "m" / "part").rmdir()
    (tmp_path / "m" / "part").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(FileError, match="part: is a link, which is not followed"):
        write(tmp_path / "m", **{"part/a": "2"})
    assert (tmp_path / "elsewhere" / "a").read_text() == "1"


@pytest.mark.parametrize("name", [LOCK, LIST])
@pytest.mark.parametrize("kind", ["link", "link to nothing", "pipe", "folder"])
def test_what_stands_in_the_place_of_a_lock_or_list_is_left_alone(tmp_path, name, kind):
    write(tmp_path / "m", a="1")
    others, place = tmp_path / "others", tmp_path / "m" / name
    others.write_text("theirs")
    place.unlink(missing_ok=True)
    if kind.startswith("link"):
        place.symlink_to(others if kind == "link" else tmp_path / "nothing")
    else:
        os.mkfifo(place) if kind == "pipe" else place.mkdir()
    folder = OwnFolder(tmp_path / "m", "model", former=lambda _folder: ["a"])
    assert not folder.was_interrupted
    with pytest.raises(FileError, match="is not a file that riskrank wrote"), folder.changed():
        raise AssertionError("written to")
    assert others.read_text() == "theirs"
    assert sorted(os.listdir(tmp_path)) == ["m", "others"]


def test_permissions_are_kept(tmp_path):
    write(tmp_path / "m", a="1", b="1")
    os.chmod(tmp_path / "m" / "a", 0o600)
    write(tmp_path / "m", a="2", b="2")
    assert (tmp_path / "m" / "a").stat().st_mode & 0o777 == 0o600
    assert (tmp_path / "m" / "b").stat().st_mode & 0o044


def test_a_folder_of_ours_is_cleared_of_what_is_ours(tmp_path):
    write(tmp_path / "m", a="1")
    OwnFolder(tmp_path / "m", "model").clear()
    assert not (tmp_path / "m").exists()
    write(tmp_path / "m", **{"a": "1", "part/b": "2"})
    (tmp_path / "m" / "notes.txt").write_text("keep")
    OwnFolder(tmp_path / "m", "model").clear()
    assert names(tmp_path / "m") == [LIST, "notes.txt"]
    OwnFolder(tmp_path / "nothing", "model").clear()


HOLD = """
import sys, time
from pathlib import Path
from riskrank.files.own_folder import OwnFolder
with OwnFolder(sys.argv[1], "model").changed() as change:
    with change.open("a"):
        print("held", flush=True)
        time.sleep(60)
"""


def test_a_second_process_is_told_who_writes_and_a_dead_one_holds_nothing(tmp_path):
    with subprocess.Popen([sys.executable, "-c", HOLD, str(tmp_path / "m")], stdout=subprocess.PIPE) as other:
        assert other.stdout.readline() == b"held\n"
        with pytest.raises(FileError, match=f"m: is being written by process {other.pid}. Wait until it ends"):
            write(tmp_path / "m", a="1")
        other.kill()
    write(tmp_path / "m", a="1")
    assert names(tmp_path / "m") == [LIST, "a"]


def test_a_folder_in_which_a_process_died_says_so_until_the_next_one_has_it(tmp_path):
    folder = OwnFolder(tmp_path / "out", "model")
    assert not folder.was_interrupted
    leave_traces(folder.path)
    assert folder.was_interrupted
    (folder.path / LOCK).rename(folder.path / f".a.riskrank-{DEAD}-0")
    assert folder.was_interrupted
    with folder.held():
        assert not folder.was_interrupted
    assert not folder.was_interrupted


def test_a_file_system_without_locks_is_told(tmp_path, monkeypatch):
    fcntl = pytest.importorskip("fcntl")

    def without(*_):
        raise OSError(95, "Operation not supported")

    monkeypatch.setattr(fcntl, "flock", without)
    with pytest.warns(UserWarning, match="this file system has no locks"):
        write(tmp_path / "m", a="1")
    alive = Process(Process.this().machine, os.getppid(), Process.this().started)
    (tmp_path / "m" / LOCK).write_text(str(alive._replace(started=started(os.getppid()))))
    with (
        pytest.warns(UserWarning, match="no locks"),
        pytest.raises(FileError, match=f"written by process {os.getppid()}"),
    ):
        write(tmp_path / "m", a="2")


def started(number):
    with open(f"/proc/{number}/stat", "rb") as file:
        return int(file.read().rpartition(b")")[2].split()[19])


def test_all_parts_of_a_process_share_a_lock(tmp_path):
    (tmp_path / "m").mkdir()
    with locked(tmp_path / "m"), locked(tmp_path / "m"):
        assert (tmp_path / "m" / LOCK).exists()
    assert not (tmp_path / "m" / LOCK).exists()


def test_a_full_disk_leaves_no_new_folder_behind(tmp_path, monkeypatch):
    def full(*_):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(disk, "write", full)
    with pytest.raises(FileError, match="cannot be written .No space left"):
        write(tmp_path / "x" / "m", a="1")
    assert list(tmp_path.iterdir()) == []


def test_trouble_of_what_is_done_while_a_folder_changes_is_not_told_as_the_folders(tmp_path):
    def start_a_process(change):
        change.write("a", "1")
        raise BlockingIOError(errno.EAGAIN, "Resource temporarily unavailable")

    with pytest.raises(BlockingIOError), OwnFolder(tmp_path / "m", "model").changed() as change:
        start_a_process(change)
    assert list(tmp_path.iterdir()) == []
