"""Sentences and marks on a terminal: wrapped, in colour where there is any, plain where letters are missing."""

from __future__ import annotations

import math
from itertools import groupby
from typing import TYPE_CHECKING

from riskrank.report.text.formatting import display_width

if TYPE_CHECKING:
    from riskrank.report.findings.words import Role, Words

WIDTH = 79
STYLES: dict[Role, str] = {"strong": "1", "gain": "34", "loss": "33"}
PLAIN_LETTERS = str.maketrans(  # as wide, so that columns stay
    "▲○▼·├─●┤│−–…αβτΔ≤≥×✓✗→’▁▂▃▄▅▆▇█", "+.-:|-o||--~abtd<>x+x>'12345678"
)


def paragraph(parts: Words, *, styled: bool = False, width: int = WIDTH) -> str:
    """Words in lines of at most 79 columns; `styled`: names bold, gains and losses in colour.

    >>> from riskrank.report.findings.words import Word, words
    >>> print(paragraph(words("it gains ", Word("+0.1", "gain"), " at α = 1"), width=18))
    it gains +0.1 at
    α = 1
    """
    lines, taken = "", 0
    text = "".join(part.text for part in parts)
    for piece in text.replace(" = ", "\N{NO-BREAK SPACE}=\N{NO-BREAK SPACE}").split(" "):
        size = display_width(piece)
        starts_line = lines and taken + 1 + size > width
        lines += ("\n" if starts_line else " " if lines else "") + piece
        taken = size if starts_line else taken + size + (taken > 0)
    lines = lines.replace("\N{NO-BREAK SPACE}", " ")
    if not styled:
        return lines
    roles = [part.role for part in parts for _ in part.text]  # lines are as long as the parts
    runs = groupby(zip(lines, roles, strict=True), key=lambda pair: pair[1])
    return "".join(style("".join(letter for letter, _ in run), role) for role, run in runs)


def style(text: str, role: Role) -> str:
    """Text in the style of a role."""
    return f"\x1b[{STYLES[role]}m{text}\x1b[0m" if role else text


def plain_letters(text: str, encoding: str = "ascii") -> str:
    """Text for terminals without UTF-8; what has no plain letter is as many question marks as it was wide.

    >>> plain_letters("▲ ├──●─┤ −0.1 新")
    '+ |--o-| -0.1 ??'
    """
    return "".join(
        letter if is_printed(letter, encoding) else "?" * display_width(letter)
        for letter in text.translate(PLAIN_LETTERS)
    )


def is_printed(text: str, encoding: str) -> bool:
    """Does an encoding have all letters of a text?"""
    try:
        text.encode(encoding)
    except UnicodeEncodeError:
        return False
    return True


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
