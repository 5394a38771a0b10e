"""A place for prepared clicks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from riskrank.clicks.page_writer import file_name
from riskrank.clicks.prepared import CARD, Prepared
from riskrank.errors import FileError
from riskrank.files.own_folder import OwnFolder

if TYPE_CHECKING:
    from pathlib import Path

    from riskrank.typing import PathLike


def prepared_folder(folder: PathLike) -> OwnFolder:
    """A folder for prepared clicks; those that are there stay until others are ready."""
    return OwnFolder(folder, "folder of prepared clicks", former=_former_files)


def _former_files(folder: Path) -> list[str]:
    """Those that a former version wrote."""
    try:
        card = Prepared.open(folder).card
    except FileError:
        return []
    most = {part: min(count, sum(1 for _ in (folder / part).glob("*"))) for part, count in card["files"].items()}
    names = [file_name(part, number) for part, count in most.items() for number in range(count)]
    return [CARD, *(name for name in names if (folder / name).is_file())]
