from __future__ import annotations

import pytest

from riskrank import RankingData
from riskrank.data.feature_data import read_feature_data
from riskrank.errors import FileError


def test_a_file_is_told_by_its_first_line(tmp_path):
    (tmp_path / "qrels").write_text("1 0 a 1\n")
    (tmp_path / "letor").write_text("# a comment\n2 qid:1 1:0.5 2:0.1\n")
    assert read_feature_data(tmp_path / "qrels") is None
    assert read_feature_data(str(tmp_path / "letor")).feature(1).tolist() == [0.5]


def test_features_may_count_from_0(tmp_path):
    (tmp_path / "letor").write_text("2 qid:1 0:0.5 1:0.25\n")
    data = read_feature_data(tmp_path / "letor", zero_based=True)
    assert data.features.tolist() == [[0.5, 0.25]]


def test_data_stays_as_it_is_and_qrels_are_none():
    data = RankingData.from_arrays([[1.0]], [0], group=[1])
    assert read_feature_data(data) is data
    assert read_feature_data({"1": {"a": 1}}) is None


def test_a_file_that_is_not_there_is_named(tmp_path):
    with pytest.raises(FileError, match="nothing: no such file"):
        read_feature_data(tmp_path / "nothing")
