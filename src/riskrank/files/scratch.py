"""Folders for what is too large for memory, which are gone when the work is done."""

from __future__ import annotations

import mmap
import os
from contextlib import contextmanager
from typing import IO, TYPE_CHECKING

from riskrank.files import disk
from riskrank.files.writing import unfinished_name, writing_told

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


class Scratch:
    """A folder that only this process knows; files in it are not meant to survive it.

    `place` is what messages call it.
    """

    def __init__(self, path: Path, place: Path | None = None) -> None:
        self.path = path
        self._place = path if place is None else place

    @contextmanager
    def appended(self, name: str) -> Iterator[IO[bytes]]:
        """A file to add to."""
        with writing_told(self._place):
            handle = disk.extend(self.path / name)
            try:
                with disk.stream(handle) as file:
                    yield file
            finally:
                os.close(handle)

    def remove(self, name: str) -> None:
        """A file that is not needed any more."""
        disk.remove(self.path / name)

    def mapped(self, size: int) -> mmap.mmap:
        """Memory on disk, of a file that has no name any more and is gone with its last user."""
        path = self.path / unfinished_name("mapped")
        with writing_told(self._place):
            handle = disk.extend(path, follows=False)
            try:
                disk.allocate(handle, size)
                return mmap.mmap(handle, size)
            finally:
                os.close(handle)
                disk.remove(path)


@contextmanager
def scratch_folder(place: Path) -> Iterator[Scratch]:
    """In a folder, or beside a file that is being written there.

    What goes wrong with it is told as trouble of the place; what is done meanwhile may have trouble of its own.
    """
    folder, name = (place, "scratch") if place.is_dir() else (place.parent, place.name)
    path = folder / unfinished_name(name)
    with writing_told(place):
        disk.make_folder(path, 0o700)
    try:
        yield Scratch(path, place)
    finally:
        with writing_told(place):
            disk.discard(path)
