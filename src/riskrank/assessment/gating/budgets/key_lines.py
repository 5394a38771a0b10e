"""On which line of a TOML file a key stands, for messages."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from riskrank.errors import FileError, RiskrankError

if TYPE_CHECKING:
    from riskrank.typing import PathLike

TABLE = re.compile(r"^\s*(\[{1,2})\s*(.+?)\s*\]{1,2}\s*(?:#.*)?$")
KEY = re.compile(r"""^\s*((?:"[^"]*"|'[^']*'|[A-Za-z0-9_.-]|\s*\.\s*)+?)\s*=""")
PART = re.compile(r""""([^"]*)"|'([^']*)'|([A-Za-z0-9_-]+)""")

KeyPath = tuple[str | int, ...]


class KeyLines:
    """The lines of a file's keys: ``("limits", "max_hurt")``, ``("accepted", 0, "until")``."""

    def __init__(self, path: PathLike, text: str) -> None:
        self.path = path
        self._lines: dict[KeyPath, int] = {}
        table: KeyPath = ()
        counts: dict[KeyPath, int] = {}
        for number, line in enumerate(text.splitlines(), start=1):
            header, key = TABLE.match(line), KEY.match(line)
            if header:
                table = _parts(header[2])
                if header[1] == "[[":
                    counts[table] = counts.get(table, -1) + 1
                    table = (*table, counts[table])
                self._lines[table] = number
            elif key:
                self._lines.setdefault((*table, *_parts(key[1])), number)

    def first(self, *keys: KeyPath) -> int:
        """The line of the first of some keys that stands in the file, or else 1."""
        return next((self._lines[key] for key in keys if key in self._lines), 1)

    def error(self, message: str, *key: str | int) -> FileError:
        """An error at a key, or at the table it would be in."""
        where = key
        while where and where not in self._lines:
            where = where[:-1]
        return FileError(self.path, message, line=self._lines.get(where, 1))

    def located(self, error: RiskrankError, *table: str | int) -> FileError:
        """An error about a parameter, at the line where the parameter is set."""
        names = [name for name in error.parameters if (*table, name) in self._lines]
        return self.error(str(error), *table, *names[:1])


def _parts(text: str) -> KeyPath:
    return tuple(next(part for part in match.groups() if part is not None) for match in PART.finditer(text))
