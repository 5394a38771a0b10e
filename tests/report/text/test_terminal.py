from __future__ import annotations

import math
import re

import pytest

from riskrank.report.findings.words import Word, words
from riskrank.report.text.terminal import PLAIN_LETTERS, interval_glyphs, paragraph, plain_letters

ESCAPE = re.compile(r"\x1b\[\d+m")
SAID = words(
    Word("new", "strong"), " gains ", Word("+0.100", "gain"), " over old and hurts ", Word("7 of 50", "loss"), "."
)


def test_lines_are_broken_between_words_only():
    assert paragraph(SAID, width=20) == "new gains +0.100\nover old and hurts 7\nof 50."


def test_what_is_longer_than_a_line_stays_whole():
    assert paragraph(words("a ", "x" * 30, " b"), width=10) == f"a\n{'x' * 30}\nb"


def test_an_equation_stays_on_one_line():
    assert paragraph(words("at α = 1"), width=6) == "at\nα = 1"


def test_wide_letters_count_twice():
    assert paragraph(words("新しい wins"), width=10) == "新しい\nwins"


def test_styles_surround_parts_even_across_lines():
    styled = paragraph(SAID, styled=True, width=20)
    assert styled.startswith("\x1b[1mnew\x1b[0m gains \x1b[34m+0.100\x1b[0m\nover")
    assert "\x1b[33m7\nof 50\x1b[0m." in styled
    assert ESCAPE.sub("", styled) == paragraph(SAID, width=20)


def test_plain_letters_are_as_wide_and_are_ascii():
    text = "▲ ○ ▼ · ├─●─┤ │ −0.1 – … α β τ Δ ≤ ≥ × ✓ ✗ → ’"
    plain = plain_letters(text)
    assert plain.isascii()
    assert len(plain) == len(text)
    assert all(len(letter) == 1 for letter in map(str, PLAIN_LETTERS.values()) if not letter.isdigit())


def test_letters_that_an_encoding_lacks_keep_their_width():
    assert plain_letters("新しい é α") == "?????? ? a"
    assert plain_letters("新しい é α", "latin-1") == "?????? é a"


@pytest.mark.parametrize(
    ("intervals", "lines"),
    [
        ([(0.1, 0.2, 0.4)], ["│ ├─●───┤"]),  # 8 steps of 0.05
        ([(-0.4, -0.2, -0.1)], ["├───●─┤ │"]),
        ([(-0.2, 0.0, 0.2)], ["├───●───┤"]),
        ([(0.0, 0.2, 0.4)], ["├───●───┤"]),
        ([(0.0, 0.2, 0.4), (math.nan, 0.1, math.nan)], ["├───●───┤", "│        "]),
        ([(math.nan, 0.1, math.nan)], [""]),
    ],
)
def test_intervals_are_drawn_on_one_scale_with_a_bar_at_0(intervals, lines):
    assert interval_glyphs(intervals, width=9) == lines
