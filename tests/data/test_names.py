from __future__ import annotations

import pytest

from riskrank.data.names import is_score_matrix, looks_like_letor, system_name


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("runs/BM25.k1=0.9.run.gz", "BM25.k1=0.9"),
        ("bm25.txt", "bm25"),
        ("bm25.scores", "bm25"),
        ("bm25", "bm25"),
        (".run", ".run"),
        ("feature:110", "feature:110"),
    ],
)
def test_a_system_is_named_after_its_file(path, name):
    assert system_name(path) == name


@pytest.mark.parametrize(
    ("path", "expected"),
    [("a.csv", True), ("a.TSV.gz", True), ("a.parquet", True), ("a.run", False), ("csv", False)],
)
def test_a_matrix_of_scores_is_told_by_its_ending(path, expected):
    assert is_score_matrix(path) is expected


@pytest.mark.parametrize(
    ("head", "expected"),
    [
        (b"0 qid:1 1:0.5\n", True),
        (b"# a comment\n\n0 1:0.5\n", True),
        (b"1 0 doc 2\n", False),
        (b"1 0 http://doc 2\n", False),
        (b"0\n", False),
        (b"# nothing else", False),
    ],
)
def test_feature_data_is_told_from_qrels_by_its_first_line(head, expected):
    assert looks_like_letor(head) is expected
