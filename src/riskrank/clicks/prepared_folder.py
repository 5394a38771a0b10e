"""The folder of prepared clicks as it is written: beside its place, which it takes when everything is done."""

from __future__ import annotations

import os
import shutil
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from riskrank.clicks.log_splits import PARTS
from riskrank.clicks.page_writer import WITHHELD
from riskrank.clicks.prepared import CARD, Prepared
from riskrank.data.files import umask, writing_told
from riskrank.errors import FileError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from riskrank.typing import PathLike


@contextmanager
def replaced_folder(folder: PathLike) -> Iterator[Path]:
    """A new folder to write to; prepared clicks that were there stay if anything goes wrong, and nothing else does."""
    place = Path(os.path.realpath(folder))
    _check_place(place, folder)
    missing = [parent for parent in (place.parent, *place.parent.parents) if not parent.exists()]
    with writing_told(folder):
        place.parent.mkdir(parents=True, exist_ok=True)
    new = Path(tempfile.mkdtemp(dir=place.parent, prefix=f".{place.name}."))
    try:
        yield new
        new.chmod(0o777 & ~umask())
        _replace(place, new)
    except BaseException:
        shutil.rmtree(new, ignore_errors=True)
        for parent in missing:  # the deepest first
            if parent.is_dir() and not any(parent.iterdir()):
                parent.rmdir()
        raise


def _check_place(place: Path, given: PathLike) -> None:
    """Refuse a place that holds something else."""
    if place.exists() and not place.is_dir():
        raise FileError(given, "is a file; prepared clicks are a folder.")
    content = {each.name for each in place.iterdir()} if place.is_dir() else set()
    if not content:
        return
    if CARD not in content or not content <= {CARD, *PARTS, WITHHELD}:
        raise FileError(given, "exists and holds something else than prepared clicks. Choose another place.")
    Prepared.open(place)


def _replace(place: Path, new: Path) -> None:
    """Put a folder into its place; what was there goes only when the new one stands."""
    old = new.with_name(new.name + ".old")
    if place.exists():
        place.rename(old)
    try:
        new.rename(place)
    except BaseException:
        if old.exists():
            old.rename(place)
        raise
    shutil.rmtree(old, ignore_errors=True)
