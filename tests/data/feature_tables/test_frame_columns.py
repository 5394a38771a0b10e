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
    table = category_table(5).with_columns(day=pl.lit(datetime.datetime(2026, 1, 1)))
    frame = table if form == "polars" else table.to_pandas()
    for name, reason in (("brand", "holds text, features are numbers. Leave"), ("day", "holds dates or times. Leave")):
        with pytest.raises(AlignmentError, match=f"column '{name}' {reason} it out"):
            rr.LambdaMART(n_trees=1).fit(frame[["bm25", name]], frame["label"], qid=frame["qid"])


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
