from __future__ import annotations

from riskrank.report.text.formatting import aligned


def test_wide_and_combining_characters_keep_columns_aligned():
    lines = aligned(["system", "x"], [["検索", "1"], ["e\u0301", "2"], ["abcd", "3"]]).splitlines()
    assert lines[1].endswith("  1")
    assert lines[1] == "検索    1"
    assert lines[2] == "e\u0301       2"
