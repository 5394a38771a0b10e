"""What all documents of two rankings begin with: it says nothing, and leaves no room for what differs."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection

SHORTEST = 12  # a beginning of fewer letters stays


def shared_beginning(names: Collection[str]) -> str:
    """The beginning of all names, up to a mark between words; empty where it is short, or there are not several names.

    >>> shared_beginning(["https://shop.example/p/17", "https://shop.example/p/4"])
    'https://shop.example/p/'
    >>> shared_beginning(["clueweb12-041-0012", "clueweb12-041-0017"])
    'clueweb12-041-'
    """
    first, last = min(names, default=""), max(names, default="")  # in this order, all others lie between them
    n_same = next((i for i, (a, b) in enumerate(zip(first, last, strict=False)) if a != b), 0)
    end = next((i + 1 for i in reversed(range(n_same)) if not first[i].isalnum()), 0)
    return first[:end] if end >= SHORTEST else ""


def without_beginning(name: str, beginning: str) -> str:
    """A name without the beginning that is shared."""
    return f"…{name[len(beginning) :]}" if beginning and name.startswith(beginning) else name
