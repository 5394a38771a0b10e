from __future__ import annotations

import pytest

from riskrank.assessment.gating.budgets.topic_lists import read_topic_list
from riskrank.errors import FileError


def test_topics_have_the_lines_where_they_are_first(tmp_path):
    (tmp_path / "heads.txt").write_bytes("q1\n# remark\r\nq\u2028 2  # the second\n\nq1\n".encode())
    assert read_topic_list(tmp_path / "heads.txt") == {"q1": 1, "q\u2028 2": 3}


def test_what_is_no_text_is_told(tmp_path):
    (tmp_path / "heads.txt").write_bytes(b"\xff\n")
    with pytest.raises(FileError, match="heads.txt: is not UTF-8 text"):
        read_topic_list(tmp_path / "heads.txt")
