"""What rankers take as data."""

from __future__ import annotations

import numpy as np
import pytest

from riskrank.data.feature_columns import FeatureColumns
from riskrank.errors import AlignmentError, ParameterError
from riskrank.rankers.fitting.inputs import check_finite, training_data

from ..assert_refused import assert_refused
from ..contract import qid_of


def test_labels_beside_ranking_data_are_too_much(train):
    assert_refused(ParameterError, "RankingData already holds labels and queries; pass it alone", train, fit={"y": [1]})


def assert_same(data, expected):
    np.testing.assert_array_equal(data.features, expected.features)
    np.testing.assert_array_equal(data.labels, expected.labels)
    np.testing.assert_array_equal(data.query_offsets, expected.query_offsets)


def test_data_come_as_ranking_data_a_file_arrays_or_a_tuple(train, letor, tmp_path):
    assert training_data(train) is train
    (tmp_path / "train.txt").write_text(letor(train))
    for path in (tmp_path / "train.txt", str(tmp_path / "train.txt")):
        assert_same(training_data(path), train)
    assert_same(training_data(train.features, train.labels, qid=qid_of(train)), train)
    assert_same(training_data(train.features, train.labels, group=np.diff(train.query_offsets)), train)
    assert_same(training_data((train.features, train.labels, qid_of(train))), train)


@pytest.mark.parametrize("arguments", [{"y": [1]}, {"qid": [1]}, {"group": [1]}])
def test_ranking_data_hold_all_that_is_needed(arguments, train):
    with pytest.raises(ParameterError, match="RankingData already holds labels and queries; pass it alone"):
        training_data(train, **arguments)


def test_labels_are_needed_and_must_be_numbers():
    with pytest.raises(ParameterError, match="labels are missing: training requires y to be passed"):
        training_data([[1.0]], qid=[1])
    with pytest.raises(AlignmentError, match="labels must be numbers"):
        training_data([[1.0]], ["good"], qid=[1])


@pytest.mark.parametrize(("first_feature", "name"), [(0, "feature 2"), (1, "feature 3")])
@pytest.mark.parametrize("value", [np.inf, -np.inf])
def test_an_infinite_feature_is_named_as_the_data_number_it(value, first_feature, name, train):
    features = np.array(train.features)
    features[7, 2] = value
    features[3, 1] = np.nan
    with pytest.raises(AlignmentError, match=f"{name} of document 8 is infinite. Use a number, or NaN"):
        check_finite(features, FeatureColumns(features.shape[1], first_feature))


def test_missing_values_and_no_values_are_no_infinite_ones():
    check_finite(np.array([[np.nan, 1.0]], np.float32), FeatureColumns(2))
    check_finite(np.zeros((0, 3), np.float32), FeatureColumns(3))
