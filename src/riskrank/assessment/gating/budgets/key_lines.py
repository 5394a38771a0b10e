"""On which line of a TOML file a key stands, for messages."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from riskrank.errors import FileError, RiskrankError

if TYPE_CHECKING:
    from riskrank.typing import PathLike

LONG_QUOTES = re.compile(r"\"{3}|'{3}")

MOST_EQUALS = 20  # signs of a line that are looked at

KeyPath = tuple[str | int, ...]


@dataclass(frozen=True)
class KeyLines:
    """The lines of a file's keys: ``("limits", "max_hurt")``, ``("accepted", 0, "until")``."""

    path: PathLike
    lines: dict[KeyPath, int]

    @classmethod
    def of(cls, path: PathLike, text: str) -> KeyLines:
        """Those of a text in TOML."""
        lines: dict[KeyPath, int] = {}
        table: KeyPath = ()
        counts: dict[KeyPath, int] = {}
        is_within_text = False
        for number, line in enumerate(text.replace("\r\n", "\n").split("\n"), start=1):
            header, key = ((), ()) if is_within_text else (_header(line), _key(line))
            if header:
                table = header
                if line.lstrip().startswith("[["):
                    counts[table] = counts.get(table, -1) + 1
                    table = (*table, counts[table])
                lines[table] = number
            elif key:
                lines.setdefault((*table, *key), number)
            is_within_text ^= len(LONG_QUOTES.findall(line)) % 2 == 1
        return cls(path, lines)

    def first(self, *keys: KeyPath) -> int:
        """The line of the first of some keys that stands in the file, or else 1."""
        return next((self.lines[key] for key in keys if key in self.lines), 1)

    def add_name(self, table: KeyPath, name: KeyPath) -> None:
        """Let a table, and the keys below it, be found by another name, too."""
        below = {key: line for key, line in self.lines.items() if key[: len(table)] == table}
        self.lines.update({(*name, *key[len(table) :]): line for key, line in below.items()})

    def error(self, message: str, *key: str | int) -> FileError:
        """An error at a key, or at the table it would be in."""
        where = key
        while where and where not in self.lines:
            where = where[:-1]
        return FileError(self.path, message, line=self.lines.get(where, 1))

    def located(self, error: RiskrankError, *table: str | int) -> FileError:
        """An error about a parameter, at the line where the parameter is set."""
        names = [name for name in error.parameters if (*table, name) in self.lines]
        return self.error(str(error), *table, *names[:1])


def _header(line: str) -> KeyPath:
    """The name of a table that begins here, if one does."""
    return _path(line) if line.lstrip().startswith("[") else ()


def _key(line: str) -> KeyPath:
    """The key that is set here, if one is."""
    parts = line.split("=")
    tried = (_path(f"{'='.join(parts[:n])}= 0") for n in range(1, min(len(parts), MOST_EQUALS)))
    return next((path for path in tried if path), ())


def _path(line: str) -> KeyPath:
    """The keys of a line that stands alone; none where it cannot, being part of a list."""
    try:
        content: Any = tomllib.loads(line)
    except tomllib.TOMLDecodeError:
        return ()
    path: list[str] = []
    while content and isinstance(content, dict):
        ((name, content),) = content.items()
        path.append(name)
    return tuple(path)
