"""What texts of models are checked for before an engine reads them: engines trust them, and crash on bad ones."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from riskrank.errors import one_line

if TYPE_CHECKING:
    from collections.abc import Sequence

    from riskrank.typing import Categories, Integers

LARGEST_MODEL = 1 << 31  # bytes; engines count them in 32 bits
MOST_FEATURES = 10_000_000
DIGITS = b"0123456789"


class BadModelError(ValueError):
    """A text that no engine should see."""


def number_within(text: bytes, name: str, least: int, most: int) -> int:
    """One number of a text."""
    if not text.removeprefix(b"-").isdigit() or len(text) > 18 or not least <= int(text) <= most:
        shown = one_line(text.decode(errors="replace"), limit=30)
        raise BadModelError(f"{name} must be a whole number from {least} to {most}, not {shown!r}")
    return int(text)


def whole_numbers(lists: Sequence[bytes], separator: bytes, name: str) -> Integers:
    """The numbers of all lists, one after the other."""
    text = separator.join(each for each in lists if each)
    plain = text.translate(bytes.maketrans(DIGITS[1:], b"0" * 9))
    parts = plain.translate(None, b"0-")
    is_plain = parts == separator * len(parts) and b"0-" not in plain and b"--" not in plain
    if not is_plain or (b"-" + separator) in plain or plain.endswith(b"-"):
        raise BadModelError(f"{name} must be whole numbers")
    numbers = np.fromstring(text, np.int64, sep=separator.decode()) if text else np.zeros(0, np.int64)
    if len(numbers) != len(parts) + bool(text):
        raise BadModelError(f"{name} must be whole numbers")
    return numbers


def lengths(lists: Sequence[bytes], separator: bytes) -> Integers:
    """How many numbers each list has."""
    return np.array([each.count(separator) + 1 if each else 0 for each in lists], np.int64)


def check_lengths(lists: Sequence[bytes], separator: bytes, expected: Integers, name: str) -> None:
    """Each list must be as long as its tree says."""
    wrong = np.flatnonzero(lengths(lists, separator) != expected)
    if len(wrong):
        raise BadModelError(f"tree {wrong[0]}: {name} must have {expected[wrong[0]]} numbers")


def check_range(values: Integers, least: int, most: Integers | int, name: str) -> None:
    """All numbers must lie between two."""
    if ((values < least) | (values > most)).any():
        raise BadModelError(f"{name} out of range")


def category_counts(categories: Categories, n_features: int) -> Integers:
    """How many codes each column has; 0 where it holds numbers."""
    counts = np.zeros(n_features, np.int64)
    for column, values in categories.items():
        if column < n_features:
            counts[column] = len(values)
    return counts


def check_shape(children: Integers, first: Integers, sizes: Integers, tree: Integers) -> None:
    """Nodes of all trees, numbered within their tree: no one is a child twice, and a root never: there is no circle.

    `first` and `sizes` are of the trees, `tree` says to which of them each child belongs.
    """
    check_range(children, 1, sizes[tree] - 1, "children of nodes")
    if len(children) and np.bincount(children + first[tree]).max() > 1:
        raise BadModelError("a node is the child of two others")
