"""Columns of features by number and by name, and how those of a model are found in data."""

from __future__ import annotations

import pytest

from riskrank.data.feature_columns import FeatureColumns
from riskrank.errors import AlignmentError, ParameterError

NUMBERED = FeatureColumns(3, first=5)
NAMED = FeatureColumns(3, names=("bm25", "length", "age"))


def test_a_column_is_found_by_its_number_or_name():
    assert [NUMBERED.position(number) for number in (5, 6, 7)] == [0, 1, 2]
    assert NAMED.position("length") == 1
    assert NAMED.position(2) == 1
    assert NUMBERED.keys == ["5", "6", "7"]
    assert NAMED.keys == ["bm25", "length", "age"]


@pytest.mark.parametrize(
    ("columns", "key", "message"),
    [
        (NUMBERED, 4, "feature must be from 5 to 7, got 4"),
        (NUMBERED, 8, "feature must be from 5 to 7, got 8"),
        (NUMBERED, "bm25", "these features have numbers from 5 on, no names: 'bm25'"),
        (NAMED, "x", f"there is no feature 'x'. There is {', '.join(NAMED.names)}."),
        (NAMED, "lenght", "there is no feature 'lenght'. Did you mean 'length'?"),
    ],
)
def test_a_column_that_is_not_there_is_told(columns, key, message):
    with pytest.raises(ParameterError) as told:
        columns.position(key)
    assert message in str(told.value)


@pytest.mark.parametrize(
    ("names", "message"),
    [
        (("a", "b"), "3 features need as many names, got 2"),
        (("a", "b", "a"), "two features are called 'a'"),
        (("a", "", "c"), "column 2 has no name"),
    ],
)
def test_names_must_tell_columns_apart(names, message):
    with pytest.raises(AlignmentError, match=message):
        FeatureColumns(3, names=names)


def test_columns_of_a_model_are_found_by_name_in_any_order():
    data = FeatureColumns(4, names=("age", "price", "bm25", "length"))
    assert NAMED.positions_in(data, what="the data") == [2, 3, 0]
    assert NAMED.left_out_of(data) == "price"
    assert NAMED.positions_in(NAMED, what="the data") is None
    assert NAMED.left_out_of(NAMED) == ""


@pytest.mark.parametrize(("model", "data"), [(NAMED, NUMBERED), (NUMBERED, NAMED), (NUMBERED, NUMBERED)])
def test_without_names_on_both_sides_columns_go_by_their_order(model, data):
    assert model.positions_in(data, what="the data") is None
    with pytest.raises(AlignmentError, match="the model has 3 features, the data have 2"):
        model.positions_in(FeatureColumns(2), what="the data")


def test_a_feature_that_data_lack_is_told_with_the_nearest_name():
    data = FeatureColumns(3, names=("bm_25", "length", "price"))
    with pytest.raises(AlignmentError) as told:
        NAMED.positions_in(data, what="test.csv: the data")
    assert str(told.value) == "test.csv: the data lack the model's feature 'bm25' and 1 other. Did you mean 'bm_25'?"
