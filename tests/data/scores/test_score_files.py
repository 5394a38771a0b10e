from __future__ import annotations

import pytest

from riskrank import RankingData
from riskrank.data.scores.score_files import read_score_file
from riskrank.errors import FileError

DATA = RankingData.from_arrays([[1.0], [2.0], [3.0]], [0, 1, 2], qid=["a", "b", "a"])  # order here: 1st, 3rd, 2nd


def test_scores_follow_the_order_of_the_source(tmp_path):
    (tmp_path / "s").write_text("0.1\n0.2\n0.3\n")
    assert read_score_file(tmp_path / "s", DATA).tolist() == [0.1, 0.3, 0.2]


def test_ranklib_lines_are_checked_against_the_queries(tmp_path):
    for text in ("a\t0\t0.1\nb\t0\t0.2\na\t1\t0.3\n", "a\t1\t0.3\na\t0\t0.1\nb\t0\t0.2\n"):
        (tmp_path / "s").write_text(text)
        assert read_score_file(tmp_path / "s", DATA).tolist() == [0.1, 0.3, 0.2]
    for text, message in (
        ("a\t0\t0.1\na\t0\t0.2\nb\t0\t0.3\n", ":2: index 0 stands twice for query 'a'"),
        ("a\t0\t0.1\nx\t0\t0.2\nb\t0\t0.3\n", ":2: query 'x' is not in the data"),
        ("a\t0\t0.1\nb\t1\t0.2\na\t1\t0.3\n", ":2: index must be from 0 to 0 for this query, got '1'"),
        ("0.1\nb\t0\t0.2\na\t1\t0.3\n", ":2: a line needs one score, got 3 fields"),
    ):
        (tmp_path / "s").write_text(text)
        with pytest.raises(FileError, match=message):
            read_score_file(tmp_path / "s", DATA)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("0.1\n0.2\n", "each of the 3 documents, got 2"),
        ("0.1\nx\n0.2\n", ":2: score must be a finite number, got 'x'"),
        ("0.1\nnan\n0.2\n", "got 'nan'"),
        ("0.1 0.2\n", "one score, got 2 fields"),
        ("", "is empty"),
    ],
)
def test_a_line_that_makes_no_sense_is_named(tmp_path, text, message):
    (tmp_path / "s").write_text(text)
    with pytest.raises(FileError, match=message):
        read_score_file(tmp_path / "s", DATA)
