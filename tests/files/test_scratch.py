"""Scratch folders: gone when the work is done, with all that was in them."""

from __future__ import annotations

import os
import shutil

import pytest

from riskrank.errors import FileError
from riskrank.files import disk
from riskrank.files.scratch import scratch_folder
from riskrank.files.writing import clean_up, unfinished_name


def test_folders_inside_are_gone_too_and_links_are_not_followed(tmp_path):
    kept = tmp_path / "kept"
    kept.mkdir()
    (kept / "file").write_text("mine")
    with scratch_folder(tmp_path / "work") as scratch:
        (scratch.path / "models" / "fold-1").mkdir(parents=True)
        (scratch.path / "models" / "fold-1" / "card.json").write_text("{}")
        (scratch.path / "link").symlink_to(kept)
        (scratch.path / "models" / "link").symlink_to(kept)
    assert [path.name for path in tmp_path.iterdir()] == ["kept"]
    assert (kept / "file").read_text() == "mine"


@pytest.fixture
def left_over(tmp_path):
    """A folder with a file in it, which a dead process left beside `place`."""
    name = unfinished_name("place").replace(f"-{os.getpid()}-", "-999999999-")
    (tmp_path / name / "inner").mkdir(parents=True)
    (tmp_path / name / "inner" / "codes").touch()
    return tmp_path / name


@pytest.mark.parametrize("step", ["listdir", "rmdir", "unlink"])
def test_others_may_remove_the_same_left_over_meanwhile(step, left_over, monkeypatch):
    real = getattr(os, step)

    def late(path):
        monkeypatch.undo()
        shutil.rmtree(left_over)
        return real(path)

    monkeypatch.setattr(os, step, late)
    disk.discard(left_over)
    assert not left_over.exists()


def test_what_another_user_left_is_left_alone(left_over, tmp_path, monkeypatch):
    other = left_over.with_name(left_over.name[:-1] + "x")
    shutil.copytree(left_over, other)
    real = os.listdir
    monkeypatch.setattr(os, "listdir", lambda path: denied() if os.fspath(path) == str(other) else real(path))
    clean_up(tmp_path / "place")
    assert not left_over.exists()
    assert (other / "inner" / "codes").exists()


def denied():
    raise PermissionError(13, "Permission denied")


def test_a_folder_of_ones_own_that_cannot_be_removed_is_told(tmp_path, monkeypatch):
    monkeypatch.setattr(disk, "remove_folder", lambda _: denied())
    with pytest.raises(FileError, match=r"cannot be written \(Permission denied\)"), scratch_folder(tmp_path / "work"):
        pass
