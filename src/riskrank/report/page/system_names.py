"""Names of systems: what each shares with others, and what is its own."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from riskrank.errors import one_line

if TYPE_CHECKING:
    from collections.abc import Sequence

LONGEST_NAME, LONGEST_TITLE = 28, 400
SEPARATOR = re.compile(r"[^_\-./\s]*[_\-./\s]+")


class Name(NamedTuple):
    """A name: the part that it shares with others, its own part, and all of it where that was cut."""

    shared: str
    own: str
    title: str

    @property
    def whole(self) -> str:
        """All of it."""
        return self.title or self.shared + self.own


def whole_name(name: str) -> str:
    """In one line, of any length that a page bears."""
    return one_line(name, limit=LONGEST_TITLE)


def split_names(names: Sequence[str]) -> list[Name]:
    """Names whose beginnings, up to a separator, are those of other names, too.

    >>> [name.shared for name in split_names(["pash_r3", "pash_r2", "bm25"])]
    ['pash_', 'pash_', '']
    """
    counts: dict[str, int] = {}
    beginnings = []
    for name in names:
        ends = [match.end() for match in SEPARATOR.finditer(name)]
        beginnings.append([name[:end] for end in ends if end < len(name)])
        for beginning in beginnings[-1]:
            counts[beginning] = counts.get(beginning, 0) + 1
    split = []
    for name, own in zip(names, beginnings, strict=True):
        shared = next((each for each in reversed(own) if counts[each] > 1), "")
        split.append(_cut(name, shared))
    return split


def _cut(name: str, shared: str) -> Name:
    """A name of bearable length: the middle of a long one is left out."""
    shown, whole = one_line(name, limit=LONGEST_NAME), whole_name(name)
    if len(whole) <= LONGEST_NAME and shown.startswith(shared):
        return Name(shared, shown[len(shared) :], "")
    return Name("", shown, whole)
