"""How numbers and columns are written, in text and on pages."""

from __future__ import annotations

import math
import unicodedata
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence


def aligned(header: Sequence[str], rows: Sequence[Sequence[str]], *, left: Sequence[str] = ("system",)) -> str:
    """Columns padded to equal width; those named in `left` flush left, numbers flush right.

    >>> print(aligned(["system", "x"], [["a", "1.5"], ["bb", "10.5"]]))
    system     x
    a        1.5
    bb      10.5
    """
    widths = [max(display_width(cell) for cell in column) for column in zip(header, *rows, strict=True)]
    lines = []
    for row in (header, *rows):
        cells = []
        for title, cell, width in zip(header, row, widths, strict=True):
            padding = " " * (width - display_width(cell))
            cells.append(cell + padding if title in left else padding + cell)
        lines.append("  ".join(cells).rstrip())
    return "\n".join(lines)


def decimals(value: float, digits: int = 4) -> str:
    """A number with a fixed count of decimals; NaN says so, and what rounds to zero has no sign.

    >>> decimals(-0.00001), decimals(-0.5, 1)
    ('0.0000', '−0.5')
    """
    return "NaN" if math.isnan(value) else f"{value:z.{digits}f}".replace("-", "−")


def signed(value: float, digits: int = 4) -> str:
    """A difference, with its sign."""
    return "NaN" if math.isnan(value) else f"{value:+.{digits}f}".replace("-", "−")


def optional(value: float | None, form: str) -> str:
    """A number that may not be known."""
    return "" if value is None or math.isnan(value) else form.format(value).replace("-", "−")


def display_width(text: str) -> int:
    """How many columns of a terminal a text takes."""
    if text.isascii():
        return len(text)
    return sum(0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)
