"""The list of a folder's files; its record is read at run time, so without ``from __future__ import annotations``."""

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, ClassVar, Self

from riskrank.errors import FileError, ParameterError
from riskrank.files.reading import read_json
from riskrank.files.records import Words, check_version, decode
from riskrank.files.writing import is_unfinished

LIST = ".riskrank.json"
FORMAT, VERSION = "riskrank folder", 1
LARGEST_LIST = 1 << 26  # bytes

Within = Annotated[str, Words(r"(?!/|(?:[^\x00]*/)?\.\.(?:/|$))[^\\\x00]+", "the name of a file within the folder")]


@dataclass(frozen=True)
class FileList:
    """The files of a folder, each with what tells whether somebody changed it, and what is left to be done.

    That is moves, by the final name, and removals.
    """

    has_more: ClassVar[bool] = True

    kind: str
    files: dict[Within, str] = field(default_factory=dict)
    moves: dict[Within, Within] = field(default_factory=dict)
    removals: dict[Within, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if not all(map(is_unfinished, self.moves.values())):
            raise ParameterError("moves: must be of files that are not finished.")

    @property
    def is_settled(self) -> bool:
        """Is everything in its place?"""
        return not self.moves and not self.removals

    @classmethod
    def read(cls, folder: Path) -> Self | None:
        """A folder's list; None where there is none, or none that can be trusted."""
        path = folder / LIST
        if path.is_symlink():
            return None
        try:
            content = read_json(path, largest=LARGEST_LIST)
            if not isinstance(content, dict) or content.get("format") != FORMAT or "version" not in content:
                return None
            check_version(content, path, VERSION)
            return decode(cls, content, path)
        except FileError as error:
            if error.is_newer:
                raise
            return None

    def to_json(self) -> str:
        """As the list is written."""
        content = {"format": FORMAT, "version": VERSION, "kind": self.kind, "files": self.files}
        if not self.is_settled:
            content |= {"moves": self.moves, "removals": self.removals}
        return json.dumps(content, indent=1, ensure_ascii=False) + "\n"
