"""Folders that riskrank makes: what is in them is listed, changes all at once, and nothing else is touched.

A change writes its files beside their places, then the list with all that is to be moved and removed: from this step
on it is done, and whoever opens the folder next finishes it. A crash leaves the old files, or the new ones.
"""

from __future__ import annotations

import hashlib
import os
import re
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path, PurePosixPath
from typing import IO, TYPE_CHECKING

from riskrank.errors import FileError
from riskrank.files import disk
from riskrank.files.file_list import LIST, FileList
from riskrank.files.locks import LOCK, is_abandoned, locked
from riskrank.files.reading import check_own
from riskrank.files.writing import (
    as_bytes,
    is_left_over,
    is_unfinished,
    make_folders,
    new_file,
    remove_if_empty,
    unfinished_name,
    writing_told,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from riskrank.typing import PathLike

ADDRESS = re.compile("[a-z][a-z0-9+.-]+:/", re.IGNORECASE)  # with one slash, as paths keep it
SAMPLE = 1 << 16  # bytes at both ends of a file


def check_unlisted(path: PathLike) -> None:
    """Refuse to write over a file that is part of a folder of ours: its folder does that."""
    place = Path(os.path.realpath(path))
    known = FileList.read(place.parent)
    if known is not None and (place.name in known.files or place.name == LIST):
        raise FileError(path, f"is part of the {known.kind} in {place.parent}. Choose another place.")


def settle(path: PathLike) -> None:
    """Finish a change that a crash cut off, before anything is read from a folder."""
    place = Path(os.path.abspath(path))
    for folder in (place, place.parent):  # a population of baselines holds models
        known = FileList.read(folder)
        if known is not None and not known.is_settled:
            with OwnFolder(folder, known.kind).held():
                pass
        elif known is not None and (folder / LOCK).exists():
            with suppress(FileError), OwnFolder(folder, known.kind).held():  # nobody's, or somebody is at work
                pass


def _stamp(path: Path) -> str:
    """What tells a file from one that somebody put into its place: its size, and its beginning and end."""
    with open(path, "rb") as file:
        size = os.fstat(file.fileno()).st_size
        content = file.read(SAMPLE)
        if size > SAMPLE:
            file.seek(max(SAMPLE, size - SAMPLE))
            content += file.read(SAMPLE)
    return f"{size}-{hashlib.sha256(content).hexdigest()[:16]}"


class OwnFolder:
    """A folder of one kind (a model, a sweep …) at a place that may hold nothing else.

    `former` names the files of this kind in a folder that a former version wrote, without a list.
    """

    def __init__(self, path: PathLike, kind: str, *, former: Callable[[Path], Iterable[str]] | None = None) -> None:
        self.given, self.kind = path, kind
        self.path = Path(os.path.abspath(path))
        self._former = former

    @property
    def listed(self) -> FileList | None:
        """Its files, if it is a folder of ours of this kind."""
        known = FileList.read(self.path)
        if known is None:
            former = self._former(self.path) if self._former is not None and self.path.is_dir() else ()
            files = {name: _stamp(self.path / name) for name in former}
            return FileList(self.kind, files) if files else None
        return known if known.kind == self.kind else None

    @property
    def was_interrupted(self) -> bool:
        """Did a process die at work here? The next one that holds the folder removes the traces."""
        return self.path.is_dir() and (is_abandoned(self.path) or any(map(is_left_over, os.listdir(self.path))))

    def check(self) -> None:
        """Refuse a place where no folder can be made, or that holds something else."""
        if ADDRESS.match(os.fspath(self.given)):
            raise FileError(self.given, f"is an address: write the {self.kind} into a folder here, and copy that.")
        if os.path.lexists(self.path):
            if not self.path.is_dir() or (self.listed is None and not self._is_empty()):
                raise FileError(self.given, f"exists and is not a {self.kind} of riskrank. Choose another place.")
            if not os.access(self.path, os.W_OK):
                raise FileError(self.given, "cannot be written (permission denied).")
            check_own(self.path / LIST)
            return
        above = next(parent for parent in self.path.parents if parent.exists())
        if not above.is_dir():
            raise FileError(self.given, f"cannot be written ({above} is a file).")

    def _is_empty(self) -> bool:
        """Is nothing in it that was finished? Another process may be making it: its lock tells."""
        return all(name == LOCK or is_unfinished(name) for name in os.listdir(self.path))

    @contextmanager
    def held(self) -> Iterator[None]:
        """The folder is made, and nobody else writes to it meanwhile; if nothing is in it at the end, it goes."""
        self.check()
        ending = ExitStack()
        with writing_told(self.given), ExitStack() as failing:
            failing.callback(self._remove_empty, make_folders(self.path))
            failing.enter_context(locked(self.path))
            self._finish()
            ending = failing.pop_all()
        try:
            yield
        finally:
            with writing_told(self.given):
                ending.close()

    def _remove_empty(self, made: list[Path]) -> None:
        """Folders that were made for nothing."""
        if os.listdir(self.path) == [LIST] and self.listed == FileList(self.kind):
            disk.remove(self.path / LIST)
        for folder in reversed(made):
            remove_if_empty(folder)

    @contextmanager
    def changed(self, *, keeps: bool = False) -> Iterator[FolderChange]:
        """Files to be written, which all appear at the end; those of before go, unless they are kept.

        What goes wrong with them is told as trouble of the folder; what is done meanwhile may have trouble of its own.
        """
        with self.held():
            with writing_told(self.given):
                change = FolderChange(self)
            try:
                yield change
                with writing_told(self.given):
                    change.commit(keeps=keeps)
            except BaseException:
                with writing_told(self.given):
                    change.undo()
                raise
            with writing_told(self.given):
                self._finish()

    def clear(self) -> None:
        """Remove what is ours, and the folder if nothing else is in it."""
        if not self.path.is_dir() or (self.listed is None and not self._is_empty()):
            return
        with self.changed():
            pass
        with writing_told(self.given):
            remove_if_empty(self.path)

    def _finish(self) -> None:
        """Do what is left of the last change, and remove what dead processes left behind."""
        known = self.listed
        if known is not None and not known.is_settled:
            for name, temporary in known.moves.items():
                if (self.path / temporary).is_file():
                    place = self.inside(name)
                    make_folders(place.parent)
                    disk.rename(self.path / temporary, place)
                    disk.sync_folder(place.parent)
            for name, stamp in known.removals.items():
                self._remove(name, stamp)
            disk.sync_folder(self.path)
            self.write_list(FileList(self.kind, known.files))
        for name in os.listdir(self.path):
            if is_left_over(name):
                disk.discard(self.path / name)

    def _remove(self, name: str, stamp: str) -> None:
        """One of our files, unless somebody changed it, and the folders that held nothing else."""
        place = self.inside(name)
        if place.is_file() and not place.is_symlink() and _stamp(place) == stamp:
            disk.remove(place)
        for folder in place.parents:
            if folder == self.path:
                return
            remove_if_empty(folder)

    def inside(self, name: str) -> Path:
        """The place of a file, none of whose folders is a link or leads out of this one."""
        place = self.path
        *folders, last = PurePosixPath(name).parts
        if ".." in (*folders, last):
            raise FileError(place / name, "is not within the folder.")
        for part in folders:
            place /= part
            if place.is_symlink():
                raise FileError(place, "is a link, which is not followed. Remove it, or choose another place.")
        return self.path / name

    def write_list(self, files: FileList) -> None:
        """The step that decides which files there are."""
        with new_file(self.path / LIST) as file:
            file.write(files.to_json().encode(errors="replace"))


class FolderChange:
    """Files that are written to a folder and are not yet in their places."""

    def __init__(self, folder: OwnFolder) -> None:
        self._folder = folder
        self._before = folder.listed or FileList(folder.kind)
        self._moves: dict[str, str] = {}

    def write(self, name: str, content: str | bytes) -> None:
        """A whole file."""
        with self.open(name) as file:
            file.write(as_bytes(content))

    @contextmanager
    def open(self, name: str) -> Iterator[IO[bytes]]:
        """A file to write to, by its name within the folder, which may hold folders (``train/00000.parquet``)."""
        place = self._folder.inside(name)
        if os.path.lexists(place) and name not in self._before.files:
            raise FileError(place, "was not written by riskrank. Move it, or choose another place.")
        temporary = unfinished_name(place.name)
        with writing_told(self._folder.given):
            handle = disk.create(self._folder.path / temporary)
            self._moves[name] = temporary
            try:
                with disk.stream(handle) as file:
                    yield file
                if place.is_file():
                    disk.allow(handle, place.stat())
                disk.sync(handle)
            finally:
                os.close(handle)

    def reserve(self, name: str) -> Path:
        """A place where another process writes a file, whole or not at all, before this change is done."""
        place = self._folder.inside(name)
        if os.path.lexists(place) and name not in self._before.files:
            raise FileError(place, "was not written by riskrank. Move it, or choose another place.")
        self._moves[name] = unfinished_name(place.name)
        return self._folder.path / self._moves[name]

    def commit(self, *, keeps: bool) -> None:
        """From here on the new files are the folder's."""
        temporaries = {name: self._folder.path / temporary for name, temporary in self._moves.items()}
        absent = next((name for name, temporary in temporaries.items() if not temporary.is_file()), None)
        if absent is not None:
            raise FileError(self._folder.path / absent, "was not written: is the folder one that all workers see?")
        disk.sync_folder(self._folder.path)
        others = {name: stamp for name, stamp in self._before.files.items() if name not in temporaries}
        files = {name: _stamp(temporary) for name, temporary in temporaries.items()} | (others if keeps else {})
        self._folder.write_list(FileList(self._folder.kind, files, self._moves, {} if keeps else others))

    def undo(self) -> None:
        """Remove what was written, unless it is the folder's already."""
        known = FileList.read(self._folder.path)
        if self._moves and known is not None and known.moves == self._moves:
            return
        for temporary in self._moves.values():
            disk.remove(self._folder.path / temporary)
