"""Frames the scikit-learn way: categories are coded, texts and dates refused by name."""

from __future__ import annotations

import datetime

import numpy as np
import polars as pl
import pytest
from scipy.sparse import csr_matrix

import riskrank as rr
from riskrank.data.feature_tables.frame_columns import features_of
from riskrank.errors import AlignmentError

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
    for name, what in (("brand", "text"), ("day", "dates or times"), ("pair", "lists or records|text")):
        with pytest.raises(AlignmentError, match=f"column '{name}' holds ({what}), features are numbers. Leave it out"):
            rr.LambdaMART(n_trees=1).fit(frame[["bm25", name]], frame["label"], qid=frame["qid"])
        renamed = frame[["bm25", name]].rename(**columns({"bm25": "other", name: "bm25"}))
        with pytest.raises(AlignmentError, match=f"column 'bm25' holds ({what}), the model knows it as numbers"):
            ranker.predict(renamed)


@pytest.mark.parametrize("form", ["polars", "pandas"])
def test_columns_that_a_model_does_not_know_may_hold_anything(form):
    table = odd_table()
    frame = table if form == "polars" else table.to_pandas()
    ranker = rr.LambdaMART(n_trees=2).fit(frame[["bm25"]], frame["label"], qid=frame["qid"])
    mixed = rr.Mixed.of(ranker, baseline=rr.Feature("label"), probability=1)
    for each in (ranker, mixed):
        with pytest.warns(UserWarning, match="columns that the model does not know are left out: ") as told:
            scores = each.predict(frame)
        np.testing.assert_array_equal(scores, ranker.predict(frame[["bm25"]]))
        assert {warning.filename for warning in told} == {__file__}
        assert str(told[0].message).endswith("left out: brand, colour, day, pair.")


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
