from __future__ import annotations

import pytest

from riskrank import RankingData
from riskrank.data.judgments import read_if_letor
from riskrank.errors import FileError


def test_a_file_is_told_by_its_first_line(tmp_path):
    (tmp_path / "qrels").write_text("1 0 a 1\n")
    (tmp_path / "letor").write_text("# a comment\n2 qid:1 1:0.5 2:0.1\n")
    assert read_if_letor(tmp_path / "qrels") == tmp_path / "qrels"
    assert read_if_letor(str(tmp_path / "letor")).feature(1).tolist() == [0.5]


def test_features_may_count_from_0(tmp_path):
    (tmp_path / "letor").write_text("2 qid:1 0:0.5 1:0.25\n")
    data = read_if_letor(tmp_path / "letor", zero_based=True)
    assert data.features.tolist() == [[0.5, 0.25]]


def test_data_and_qrels_stay_as_they_are():
    data = RankingData.from_arrays([[1.0]], [0], group=[1])
    assert read_if_letor(data) is data
    assert read_if_letor({"1": {"a": 1}}) == {"1": {"a": 1}}


def test_a_file_that_is_not_there_is_named(tmp_path):
    with pytest.raises(FileError, match="nothing: no such file"):
        read_if_letor(tmp_path / "nothing")
