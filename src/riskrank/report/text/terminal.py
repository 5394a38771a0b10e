"""Sentences and marks on a terminal: wrapped, in colour where there is any, plain where letters are missing."""

from __future__ import annotations

import math
import textwrap
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from riskrank.report.findings.words import Role, Words

WIDTH = 79
STYLES: dict[Role, str] = {"strong": "1", "gain": "34", "loss": "33"}
PLAIN_LETTERS = str.maketrans(
    {"▲": "+", "○": ".", "▼": "-", "├": "|", "─": "-", "●": "o", "┤": "|", "│": "|", "−": "-", "–": "-", "…": "...",
     "α": "alpha", "τ": "tau", "≤": "<=", "≥": ">=", "×": "x", "✓": "ok", "✗": "no", "’": "'"}
)  # fmt: skip


def paragraph(parts: Words, *, styled: bool = False) -> str:
    """Words as lines of at most 79 letters; `styled`: names bold, gains and losses in colour."""
    lines = textwrap.wrap("".join(part.text for part in parts), WIDTH, break_long_words=False, break_on_hyphens=False)
    if not styled:
        return "\n".join(lines)
    roles = [part.role for part in parts for letter in part.text if not letter.isspace()]
    written, place = "", 0
    for line in lines:
        written += "\n" if written else ""
        for letter in line:
            if letter.isspace():
                written += letter
                continue
            written += style(letter, roles[place]) if roles[place] else letter
            place += 1
    return _merged(written)


def style(text: str, role: Role) -> str:
    """Text in the style of a role."""
    return f"\x1b[{STYLES[role]}m{text}\x1b[0m" if role else text


def plain_letters(text: str) -> str:
    """Text without letters that only UTF-8 has."""
    return text.translate(PLAIN_LETTERS).encode("ascii", "replace").decode("ascii")


def interval_glyphs(intervals: list[tuple[float, float, float]], width: int = 16) -> list[str]:
    """Low, value and high of each as a line of letters on one scale, with a bar at 0; empty without an interval.

    >>> print("\\n".join(interval_glyphs([(0.1, 0.2, 0.4), (-0.1, 0.1, 0.2)], width=11)))
      │ ├─●───┤
    ├─│─●─┤
    """
    known = [each for each in intervals if not math.isnan(each[0])]
    low, high = min([0.0, *(each[0] for each in known)]), max([0.0, *(each[2] for each in known)])
    if low == high:
        return [""] * len(intervals)

    def column(value: float) -> int:
        return round((value - low) / (high - low) * (width - 1))

    rows = []
    for left, value, right in intervals:
        letters = [" "] * width
        if not math.isnan(left):
            letters[column(left) : column(right) + 1] = "─" * (column(right) - column(left) + 1)
        letters[column(0.0)] = "│"
        if not math.isnan(left):
            letters[column(left)], letters[column(right)], letters[column(value)] = "├", "┤", "●"
        rows.append("".join(letters))
    return rows


def _merged(text: str) -> str:
    """Letters of one style in one piece."""
    for code in STYLES.values():
        text = text.replace(f"\x1b[0m\x1b[{code}m", "")
    return text
