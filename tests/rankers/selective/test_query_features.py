"""Numbers of queries as features of their documents."""

from __future__ import annotations

import numpy as np
import pytest

import riskrank as rr
from riskrank.errors import ParameterError

FEATURES = np.array([[1.0, 5.0], [4.0, 5.0], [2.0, 7.0], [3.0, 1.0], [0.0, 1.0]])


@pytest.fixture
def data():
    return rr.RankingData.from_arrays(FEATURES, [0, 1, 2, 0, 1], qid=["a", "b", "a", "b", "b"])


def test_a_number_of_the_query_stands_beside_each_of_its_documents(data):
    more = rr.with_query_features(data, "max feature:1", rr.Aggregate("min", 2), "entropy feature:2")
    assert more.n_features == 5
    assert more.feature(3).tolist() == [2.0, 2.0, 4.0, 4.0, 4.0]  # documents of a, then those of b
    assert more.feature(4).tolist() == [5.0, 5.0, 1.0, 1.0, 1.0]
    p = np.array([5, 7]) / 12
    assert more.feature(5)[0] == pytest.approx(-(p * np.log2(p)).sum(), rel=1e-6)


def test_all_else_stays_as_it_was(data):
    more = rr.with_query_features(data, "max feature:1")
    np.testing.assert_array_equal(more.features[:, :2], data.features)
    assert more.query_ids == data.query_ids
    np.testing.assert_array_equal(more.labels, data.labels)
    np.testing.assert_array_equal(more.source_rows, data.source_rows)
    assert rr.with_query_features(data).n_features == 2


def test_features_are_counted_as_in_the_source(tmp_path):
    (tmp_path / "zero.txt").write_text("1 qid:1 0:3\n0 qid:1 0:8\n")
    more = rr.with_query_features(rr.read_letor(tmp_path / "zero.txt", zero_based=True), "max feature:0")
    assert more.feature(1).tolist() == [8.0, 8.0]


@pytest.mark.parametrize("predictor", ["margin", "gain", rr.Confidence("agreement"), 3])
def test_what_needs_a_model_is_no_feature(data, predictor):
    with pytest.raises(ParameterError, match="only an Aggregate or an Entropy can be a feature of a query, got"):
        rr.with_query_features(data, predictor)


def test_features_that_are_not_there_are_told(data):
    with pytest.raises(ParameterError, match="feature must be from 1 to 2, got 3"):
        rr.with_query_features(data, "max feature:3")
