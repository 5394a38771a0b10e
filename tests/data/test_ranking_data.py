from __future__ import annotations

from dataclasses import replace

import numpy as np
import polars as pl
import pytest

from riskrank import RankingData
from riskrank.data.fingerprints import sampled_fingerprint, whole_fingerprint
from riskrank.data.synthetic.synthetic_features import web_search_data
from riskrank.errors import AlignmentError, ParameterError


def make(**changes):
    content = {
        "features": np.ones((3, 2)),
        "labels": [0, 1, 2],
        "query_offsets": [0, 2, 3],
        "query_ids": ["a", "b"],
    }
    return RankingData(**{**content, **changes})


def test_it_prints_what_it_holds():
    assert repr(make()) == (
        "RankingData: 2 queries, 3 documents, 2 features, labels 0 to 2, 0 queries without a relevant document"
    )


def test_it_cannot_be_changed_and_leaves_the_callers_arrays_alone():
    features = np.ones((3, 2), np.float32)
    data = make(features=features)
    with pytest.raises(ValueError, match="read-only"):
        data.features[0, 0] = 5
    features[0, 0] = 5
    with pytest.raises(AttributeError):
        data.labels = []


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"features": np.ones((2, 2))}, "3 documents × features"),
        ({"query_offsets": [0, 3]}, "from 0 to 3 in 3 steps"),
        ({"query_offsets": [0, 0, 3]}, "at least one document"),
        ({"labels": [0, np.nan, 1]}, "finite"),
        ({"document_ids": ["x"]}, "need as many ids"),
        ({"is_clicked": [True]}, "need as many clicks"),
    ],
)
def test_what_does_not_fit_is_refused(changes, message):
    with pytest.raises(AlignmentError, match=message):
        make(**changes)


def test_arrays_come_with_ids_or_group_sizes():
    by_id = RankingData.from_arrays([[1.0], [2.0], [3.0]], [0, 1, 2], qid=[7, 8, 7])
    assert by_id.query_ids == ("7", "8")
    assert by_id.features[:, 0].tolist() == [1, 3, 2]
    by_group = RankingData.from_arrays([[1.0], [2.0], [3.0]], [0, 1, 2], group=[2, 1])
    assert by_group.query_offsets.tolist() == [0, 2, 3]
    with pytest.raises(AlignmentError, match="add up to the 3 documents, got 4"):
        RankingData.from_arrays([[1.0], [2.0], [3.0]], [0, 1, 2], group=[2, 2])
    with pytest.raises(ParameterError, match="either qid= .* or group="):
        RankingData.from_arrays([[1.0]], [0])


def test_features_go_by_their_number():
    with pytest.raises(ParameterError, match="from 1 to 2, got 3"):
        make().feature(3)


@pytest.fixture(scope="module")
def web():
    return web_search_data(300, documents_per_query=40, n_features=30)


def query(data, position):
    rows = slice(data.query_offsets[position], data.query_offsets[position + 1])
    return data.features[rows], data.labels[rows]


def assert_taken(taken, data, positions):
    assert taken.query_ids == tuple(data.query_ids[position] for position in positions)
    for i, position in enumerate(positions):
        for own, expected in zip(query(taken, i), query(data, position), strict=True):
            np.testing.assert_array_equal(own, expected)


def test_queries_are_taken_by_slice_positions_or_mask(web):
    mask = np.zeros(web.n_queries, bool)
    mask[[2, 5, 299]] = True
    for queries, positions in (
        (slice(3, 7), [3, 4, 5, 6]),
        (slice(None, None, 100), [0, 100, 200]),
        (slice(-2, None), [298, 299]),
        ([4], [4]),
        ([4, 5, 6], [4, 5, 6]),
        ([7, 1, 299], [7, 1, 299]),
        (np.array([3, 2]), [3, 2]),
        ([-1, 0], [299, 0]),
        (mask, [2, 5, 299]),
        (mask.tolist(), [2, 5, 299]),
    ):
        assert_taken(web.take(queries), web, positions)


def test_a_slice_shares_the_features(web):
    assert np.shares_memory(web.take(slice(10, 20)).features, web.features)
    assert not np.shares_memory(web.take([3, 1]).features, web.features)


def test_taking_nothing_or_what_is_not_there_is_refused(web):
    for nothing in (slice(5, 5), [], np.zeros(web.n_queries, bool)):
        with pytest.raises(ParameterError, match="at least one query must be taken"):
            web.take(nothing)
    with pytest.raises(ParameterError, match="positions from 0 to 299"):
        web.take([300])


def test_ids_and_numbers_of_features_go_along():
    ids = np.array(["a", "b", "c", "d"], dtype=object)
    clicks = [True, True, False, True]
    data = RankingData(np.zeros((4, 2)), [0, 1, 0, 1], [0, 2, 4], ["x", "y"], ids, first_feature=0, is_clicked=clicks)
    taken = data.take([1])
    assert taken.is_clicked.tolist() == [False, True]
    assert taken.ids.tolist() == ["c", "d"]
    assert taken.first_feature == 0
    assert data.take([1, 0]).ids.tolist() == ["c", "d", "a", "b"]


def test_documents_without_ids_are_numbered_in_the_order_of_the_source():
    grouped = RankingData.from_arrays(np.zeros((3, 1)), [0, 1, 2], group=[2, 1])
    assert grouped.ids.tolist() == ["1", "2", "3"]
    mixed = RankingData.from_arrays(np.zeros((4, 1)), [0, 1, 2, 3], qid=["x", "y", "x", "y"])
    assert mixed.ids.tolist() == ["1", "3", "2", "4"]
    named = RankingData.from_arrays(np.zeros((2, 1)), [0, 1], qid=["x", "x"], document_ids=["d7", "d3"])
    assert named.ids.tolist() == ["d7", "d3"]


def test_numbered_documents_keep_their_numbers_when_queries_are_taken():
    data = RankingData.from_arrays(np.zeros((4, 1)), [0, 1, 2, 3], qid=["x", "y", "x", "y"])
    assert data.take([1]).ids.tolist() == ["2", "4"]
    assert data.take(slice(1, 2)).ids.tolist() == ["2", "4"]


def weighted_data():
    data = RankingData.from_arrays(
        [[1.0], [2.0], [3.0], [4.0]], [0, 1, 2, 1], qid=["a", "b", "a", "c"], weights=[5, 1, 5, 2]
    )
    assert data.query_ids == ("a", "b", "c")
    return data


def test_weights_of_rows_that_agree_within_queries_are_those_of_queries():
    data = weighted_data()
    assert data.query_weights.tolist() == [5, 1, 2]
    assert data.document_weights is None
    assert data.weighted({"c": 1, "b": 2, "a": 3, "other": 9}).query_weights.tolist() == [3, 2, 1]
    assert data.weighted([7, 8, 9]).query_weights.tolist() == [7, 8, 9]


def test_other_weights_of_rows_are_those_of_documents_in_their_order_here():
    data = RankingData.from_arrays([[1.0], [2.0], [3.0]], [0, 1, 2], qid=[7, 8, 7], weights=[1, 2, 3])
    assert data.query_weights is None
    assert data.document_weights.tolist() == [1, 3, 2]


def test_weights_go_with_their_queries():
    data = weighted_data()
    assert data.take([2, 0]).query_weights.tolist() == [2, 5]
    documents = data.weighted([1, 2, 3, 4])
    assert documents.document_weights.tolist() == [1, 3, 2, 4]
    assert documents.take([0, 2]).document_weights.tolist() == [1, 3, 4]
    assert documents.take(slice(1, 3)).document_weights.tolist() == [2, 4]
    with pytest.raises(ValueError, match="read-only"):
        data.query_weights[0] = 1


def test_bad_weights_are_refused_by_name():
    data = weighted_data()
    with pytest.raises(ParameterError, match="got -1 for query 'b'"):
        data.weighted([1, -1, 1])
    with pytest.raises(ParameterError, match="must not all be 0"):
        data.weighted([0, 0, 0, 0])
    with pytest.raises(ParameterError, match="4 documents need as many weights, got 2"):
        data.weighted([1, 2])
    with pytest.raises(AlignmentError, match="1 of 3 queries have no weight: b"):
        data.weighted({"a": 1, "c": 1})


def test_fingerprints_tell_weights_apart():
    data = weighted_data()
    plain = replace(data, query_weights=None)
    digests = {
        whole_fingerprint(each) for each in (plain, data, data.weighted([1, 1, 2]), plain.weighted([1, 2, 3, 4]))
    }
    assert len(digests) == 4
    assert sampled_fingerprint(plain) != sampled_fingerprint(data)


FRAME = pl.DataFrame({"bm25": [1.0, 2.0, 3.0], "brand": pl.Series(["b", "a", None], dtype=pl.Categorical)})


@pytest.mark.parametrize("form", [pl.DataFrame.clone, pl.DataFrame.lazy, pl.DataFrame.to_pandas, pl.DataFrame.to_arrow])
@pytest.mark.parametrize(
    "queries", [{"qid": ["x", "y", "x"]}, {"group": [1, 2]}], ids=lambda queries: next(iter(queries))
)
def test_columns_of_a_table_keep_their_names_and_categories(form, queries):
    data = RankingData.from_arrays(form(FRAME), [0, 1, 2], **queries)
    assert (data.feature_names, data.categories) == (("bm25", "brand"), {1: ("a", "b")})
    assert data.to_source_order(data.feature("bm25")).tolist() == [1, 2, 3]
    np.testing.assert_array_equal(data.to_source_order(data.feature("brand")), [1, 0, np.nan])


def test_names_that_are_given_go_before_those_of_a_table():
    numbered = FRAME[["bm25"]].to_pandas().set_axis([7], axis=1)
    assert RankingData.from_arrays(numbered, [0, 1, 2], group=[3], feature_names=["a"]).feature_names == ("a",)
    with pytest.raises(AlignmentError, match="columns must have texts as names, got 7"):
        RankingData.from_arrays(numbered, [0, 1, 2], group=[3])
