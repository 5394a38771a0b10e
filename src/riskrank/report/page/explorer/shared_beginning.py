"""What all documents of a page begin with: of addresses it says nothing, and leaves no room for what differs."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection

SHORTEST = 12  # a beginning of fewer letters stays


def shared_beginning(names: Collection[str]) -> str:
    """The beginning of all names, up to a slash; empty where it is short, or there are not several names.

    >>> shared_beginning(["https://shop.example/p/17", "https://shop.example/p/4"])
    'https://shop.example/p/'
    """
    first, last = min(names, default=""), max(names, default="")  # in this order, all others lie between them
    n_same = next((i for i, (a, b) in enumerate(zip(first, last, strict=False)) if a != b), 0)
    shared = first[: first.rfind("/", 0, n_same) + 1]
    return shared if len(shared) >= SHORTEST else ""


def without_beginning(name: str, beginning: str) -> str:
    """A name without the beginning that is shared."""
    return f"…{name[len(beginning) :]}" if beginning and name.startswith(beginning) else name
