"""Tables of text: what is in them, apart from how they are printed or put on a page."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence


@dataclass(frozen=True)
class Table:
    """Titles and rows of text; the others tell a page how to mark them up."""

    header: Sequence[str]
    rows: Sequence[Sequence[str]]
    kind: str = ""  # the class of its element
    words: Sequence[int] = ()  # further columns that are flush left


@dataclass(frozen=True)
class TitledTable:
    """A table under a title of its own; one that is folded opens with a click."""

    title: str
    table: Table
    note: str = ""
    is_folded: bool = False
    about: str = ""  # what is in it, beside its title
