"""A column of query ids, without metadata routing."""

from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pytest

import riskrank as rr
from riskrank.data.feature_tables.query_column import query_column, without_query_column
from riskrank.errors import AlignmentError, ParameterError

from ..contract import in_turns, qid_of


def small(**parameters):
    return rr.LambdaMART(**{"n_trees": 3, "n_leaves": 4, "n_threads": 1, **parameters})


def frame_of(data, make=pd.DataFrame, name="qid", rows=slice(None)):
    columns = {f"f{i}": data.features[rows, i] for i in range(data.n_features)}
    return make({name: qid_of(data)[rows], **columns})


@pytest.mark.parametrize("make", [pd.DataFrame, pl.DataFrame])
@pytest.mark.parametrize("name", ["qid", "query_id", "topic"])
def test_the_column_tells_queries_and_is_no_feature(make, name, train, valid):
    rows = in_turns(train)
    ranker = small().fit(frame_of(train, make, name, rows), train.labels[rows])
    by_argument = small().fit(train)
    assert ranker.n_features_in_ == 20
    assert ranker.feature_names_in_.tolist() == [f"f{i}" for i in range(20)]
    for table in (frame_of(valid, make, name), frame_of(valid, make, name).drop(name, **axis(make))):
        np.testing.assert_array_equal(ranker.predict(table), by_argument.predict(valid))
    assert ranker.score(frame_of(valid, make, name), valid.labels) == by_argument.score(valid)


def axis(make):
    return {"axis": 1} if make is pd.DataFrame else {}


def test_validation_queries_may_have_one_too(train, valid):
    ranker = small(early_stopping=2)
    known = ranker.fit(train, valid=valid).history_["watched"]
    again = ranker.fit(frame_of(train), train.labels, valid=(frame_of(valid), valid.labels)).history_["watched"]
    np.testing.assert_array_equal(again, known)


def test_a_selective_ranker_goes_by_it(train, valid):
    mixed = rr.Mixed(small()).fit(frame_of(train), train.labels, baseline="column:f0")
    expected = mixed.predict(valid.features, qid=qid_of(valid), baseline=valid.feature(1))
    np.testing.assert_array_equal(mixed.predict(frame_of(valid)), expected)


def test_queries_that_are_told_twice_are_refused(train):
    with pytest.raises(ParameterError, match="queries are told twice, by the column 'qid' and by group=: leave one"):
        small().fit(frame_of(train), train.labels, group=[len(train)])


def test_a_missing_id_is_told(train):
    table = frame_of(train)
    table.loc[4, "qid"] = None
    with pytest.raises(AlignmentError, match="the query id of document 5 is missing in column 'qid'"):
        small().fit(table, train.labels)


def test_a_feature_of_a_model_is_no_query_id():
    table = pd.DataFrame({"topic": [0.1, 0.2], "f": [1.0, 2.0]})
    assert query_column(table) == "topic"
    assert query_column(table, ("topic", "f")) is None
    assert query_column(np.zeros((2, 2))) is None
    rest, ids = without_query_column(table)
    assert (list(rest.columns), ids.tolist()) == (["f"], [0.1, 0.2])
