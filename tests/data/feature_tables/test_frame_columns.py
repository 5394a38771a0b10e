"""Frames the scikit-learn way: categories are coded, texts and dates refused by name."""

from __future__ import annotations

import datetime
import decimal
import uuid

import numpy as np
import pandas
import polars as pl
import pytest
from scipy.sparse import csr_matrix

import riskrank as rr
from riskrank.data.feature_tables.frame_columns import features_of
from riskrank.errors import AlignmentError, ParameterError

from ...rankers.category_tables import CATEGORIES, category_data, category_table

FEATURES = ["bm25", "brand", "colour"]


def odd_table():
    more = {"day": pl.lit(datetime.datetime(2026, 1, 1)), "pair": pl.concat_list("bm25", "bm25"), "infinite": np.inf}
    return category_table(5).with_columns(**more)


def test_frames_of_pandas_and_polars_give_the_scores_of_tables():
    table, data = category_table(), category_data()
    frame = table.to_pandas().astype(dict.fromkeys(CATEGORIES, "category"))
    polars = table.with_columns(pl.col(CATEGORIES).cast(pl.Categorical))
    expected = rr.LambdaMART(n_trees=4).fit(data).predict(data)
    for each in (frame, polars):
        ranker = rr.LambdaMART(n_trees=4).fit(each[FEATURES], each["label"], qid=each["qid"])
        for given in (frame[FEATURES[::-1]], polars[FEATURES], table[FEATURES], data):
            np.testing.assert_array_equal(ranker.predict(given), expected)


@pytest.mark.parametrize("form", ["polars", "pandas"])
def test_texts_and_dates_of_frames_are_refused_by_name_with_what_to_do(form):
    table = odd_table()
    columns = (lambda names: {"mapping": names}) if form == "polars" else (lambda names: {"columns": names})
    frame = table if form == "polars" else table.to_pandas()
    ranker = rr.LambdaMART(n_trees=1).fit(frame[["bm25"]], frame["label"], qid=frame["qid"])
    for name, what in (("brand", "text"), ("day", "dates or times"), ("pair", "lists or records")):
        with pytest.raises(AlignmentError, match=f"column '{name}' holds {what}, features are numbers. Leave it out"):
            rr.LambdaMART(n_trees=1).fit(frame[["bm25", name]], frame["label"], qid=frame["qid"])
        renamed = frame[["bm25", name]].rename(**columns({"bm25": "other", name: "bm25"}))
        with pytest.raises(AlignmentError, match=f"column 'bm25' holds {what}, the model knows it as numbers"):
            ranker.predict(renamed)


@pytest.mark.parametrize("form", ["polars", "pandas"])
def test_columns_that_a_model_does_not_know_may_hold_anything(form):
    table = odd_table()
    frame = table if form == "polars" else table.to_pandas()
    ranker = rr.LambdaMART(n_trees=2).fit(frame[["bm25"]], frame["label"], qid=frame["qid"])
    mixed = rr.Mixed.of(ranker, baseline=rr.Feature("label"), probability=1)
    with pytest.raises(ParameterError, match="brand holds categories, which rank nothing"):
        rr.Mixed.of(ranker, baseline=rr.Feature("brand"), probability=1).predict(frame)
    for each in (ranker, mixed):
        with pytest.warns(UserWarning, match="columns that the model does not know are left out: ") as told:
            scores = each.predict(frame)
        np.testing.assert_array_equal(scores, ranker.predict(frame[["bm25"]]))
        assert [warning.filename for warning in told] == [__file__]
        assert str(told[0].message).endswith("left out: label, brand, colour, day, pair and 1 more.")


@pytest.mark.parametrize(
    ("cell", "what"),
    [
        ("a", "text, features are numbers. Leave it out, or make it a category"),
        (datetime.date(2026, 1, 1), "dates or times, .* make it a number, like an age in days"),
        (datetime.timedelta(1), "dates or times"),
        (b"red", "bytes, .* turn it into numbers"),
        ([1.0, 2.0], "lists or records, .* make a column of each number"),
        ({"a": 1.0}, "lists or records"),
        (uuid.UUID(int=1), "objects, .* turn it into numbers"),
    ],
)
def test_what_columns_hold_is_told_by_their_cells(cell, what):
    cells = [1.0, None, cell]
    for frame in (
        pandas.DataFrame({"a": [1, 2, 3], "odd": pandas.Series(cells, dtype=object)}),
        pl.DataFrame({"a": [1, 2, 3], "odd": pl.Series([None, None, cell])}),
    ):
        with pytest.raises(AlignmentError, match=f"column 'odd' holds {what}"):
            rr.RankingData.from_arrays(frame, [0, 1, 2], group=[3])


@pytest.mark.parametrize("cells", [[1, 2.5, None], [True, 2.5, 1], ["1", "2.5", "3"], [decimal.Decimal(1), 2, 3]])
def test_objects_that_are_numbers_are_features(cells):
    frame = pandas.DataFrame({"a": pandas.Series(cells, dtype=object)})
    data = rr.RankingData.from_arrays(frame, [0, 1, 2], group=[3])
    np.testing.assert_array_equal(data.features[:, 0], np.array(cells, np.float32))


def test_columns_without_names_are_known_by_their_place():
    table, data = category_table(), category_data()
    ranker = rr.LambdaMART(n_trees=4).fit(data)
    unnamed = table[FEATURES].to_pandas().set_axis(range(3), axis="columns")
    np.testing.assert_array_equal(ranker.predict(unnamed), ranker.predict(data))
    dates = unnamed.astype({1: object})
    dates[1] = datetime.date(2026, 1, 1)
    with pytest.raises(AlignmentError, match="column '1' holds dates or times, the model knows it as categories"):
        ranker.predict(dates)


def test_no_names_are_not_those_of_the_table():
    with pytest.raises(AlignmentError, match="1 feature need as many names, got 0"):
        rr.RankingData.from_arrays(pl.DataFrame({"a": [1, 2]}), [0, 1], group=[2], feature_names=[])


def test_features_may_be_lists_numbers_of_any_kind_or_sparse():
    expected = np.array([[1, 0], [0, 2]], np.float32)
    for features in (expected.tolist(), expected.astype(np.int8), expected.astype(np.float64), csr_matrix(expected)):
        matrix = features_of(features)
        assert matrix.dtype == np.float32
        np.testing.assert_array_equal(matrix, expected)


def test_features_that_are_no_matrix_are_refused():
    for features in ([1.0, 2.0], 3.0, np.zeros((2, 2, 2))):
        with pytest.raises(AlignmentError, match="features must be documents × features, got shape"):
            features_of(features)
