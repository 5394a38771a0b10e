"""The layouts of the two Yandex challenges, told by their lines."""

from __future__ import annotations

import pytest

from riskrank.clicks.logs.yandex_layouts import YANDEX_2011, YANDEX_2013

from .yandex_texts import LOG_2011, LOG_2013, lines


@pytest.mark.parametrize(
    ("text", "layout"),
    [
        (LOG_2011, "2011"),
        (LOG_2013, "2013"),
        (LOG_2011.replace("\n", "\r\n"), "2011"),
        (LOG_2013.replace("\n", "\r\n"), "2013"),
        (lines("1 0 Q 5 1 9"), "2011"),
        (lines("1 0 Q 0 5 1 9,1"), "2013"),
        ("\n\nfoo\n" + LOG_2011, "2011"),
        ("1\t0\tC\t5\n" + LOG_2011, "2011"),
        ("", None),
        ("foo\n", None),
        ("session,query,position\n", None),
    ],
)
def test_the_layout_is_told_from_the_first_line_that_tells(text, layout):
    detected = [each.name for each in (YANDEX_2011, YANDEX_2013) if each.detect(text.encode())]
    assert detected == ([] if layout is None else [layout])
