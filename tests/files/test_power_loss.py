"""What takes its place has been synced before, and so has its name after: a loss of power takes nothing back."""

from __future__ import annotations

import os
from unittest.mock import patch

import pytest

from riskrank.files import disk

from .test_crashes import CASES


class Watch:
    """Which files hold bytes, and which folders names, that are not surely on the disk yet."""

    def __init__(self) -> None:
        self.files: set[int] = set()
        self.folders: set[str] = set()
        self.too_early: list[str] = []
        self.n_moved = 0

    def wrote(self, handle, *_):
        self.files.add(os.fstat(handle).st_ino)

    def synced(self, handle):
        self.files.discard(os.fstat(handle).st_ino)

    def moves(self, source, target):
        self.n_moved += 1
        if os.stat(source).st_ino in self.files:
            self.too_early.append(str(target))
        self.folders.add(os.path.realpath(os.path.dirname(target)))

    def synced_folder(self, path):
        self.folders.discard(os.path.realpath(path))


@pytest.fixture
def watch():
    seen = Watch()
    looks = {"write": seen.wrote, "sync": seen.synced, "rename": seen.moves, "sync_folder": seen.synced_folder}

    def watched(step, look):
        def taken(*arguments):
            look(*arguments)
            return step(*arguments)

        return taken

    with patch.multiple(disk, **{name: watched(getattr(disk, name), look) for name, look in looks.items()}):
        yield seen


@pytest.mark.parametrize("name", CASES)
def test_nothing_takes_its_place_before_it_is_on_the_disk(name, tmp_path, watch):
    CASES[name].set_up(tmp_path / "folder")
    watch.n_moved = 0
    CASES[name].change(tmp_path / "folder")
    assert watch.n_moved
    assert watch.too_early == []
    assert watch.folders == set()
