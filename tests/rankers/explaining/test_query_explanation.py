"""Why one document stands above another."""

from __future__ import annotations

import numpy as np
import pytest

import riskrank as rr
from riskrank.errors import ParameterError
from riskrank.rankers.explaining.query_explanation import explain_query


@pytest.fixture(scope="module")
def ranker(train):
    return rr.LambdaMART("urisk", n_trees=8, n_leaves=5, n_threads=1).fit(train, baseline=rr.Feature(1))


def test_contributions_add_up_to_the_difference_of_any_two(ranker, valid):
    query = valid.query_ids[3]
    rows = slice(valid.query_offsets[3], valid.query_offsets[4])
    ids, scores, parts = valid.ids[rows], ranker.predict(valid)[rows], ranker.contributions(valid)[rows]
    explained = explain_query(ranker, valid, query, (ids[4], ids[1]))
    assert [each.document for each in explained.documents] == ids[np.argsort(-scores, kind="stable")].tolist()
    assert (explained.first.document, explained.second.document) == (ids[4], ids[1])
    np.testing.assert_allclose(explained.contributions, parts[4] - parts[1], rtol=0, atol=1e-12)
    assert explained.contributions.sum() == pytest.approx(scores[4] - scores[1], abs=1e-6)
    np.testing.assert_array_equal(explained.values, valid.features[rows][[4, 1]])


def test_a_linear_model_by_hand():
    """x has mean 1 and spread 1: a weight of w on it adds w · ((2 − 1) − (0 − 1)) = 2 w to the first document."""
    data = rr.RankingData.from_arrays([[2.0, 1.0], [0.0, 1.0]], [1, 0], qid=["a", "a"], feature_names=["x", "y"])
    ranker = rr.LinearRanker(n_rounds=1, n_starts=1).fit(data)
    explained = explain_query(ranker, data, "a")
    weight = float(ranker.weights_[0])
    assert weight > 0
    assert explained.contributions.tolist() == pytest.approx([2 * weight, 0.0, 0.0])
    assert (explained.first.document, explained.first.rank, explained.first.label) == ("1", 1, 1.0)


def test_the_start_counts_where_it_is_no_feature(train, valid):
    ranker = rr.LambdaMART(n_trees=2, n_leaves=4, start="baseline").fit(train, baseline=train.feature(1))
    text = valid.feature(1).astype(np.float64)
    explained = explain_query(ranker, valid, valid.query_ids[2], baseline=text)
    places = [valid.ids.tolist().index(each.document) for each in (explained.first, explained.second)]
    expected = ranker.start_scale_ * (text[places[0]] - text[places[1]])
    assert explained.contributions[-1] == pytest.approx(expected)
    assert explained.contributions.sum() == pytest.approx(explained.first.score - explained.second.score, abs=1e-6)


def test_what_is_not_there_is_told_with_the_nearest_name(ranker):
    features = np.zeros((3, 20), np.float32)
    data = rr.RankingData.from_arrays(features, [0, 1, 0], qid=["rain", "rain", "sun"], document_ids=["d1", "d2", "e"])
    for arguments, message in (
        (("rian",), "there is no query 'rian' in the data. Did you mean 'rain'?"),
        (("rain", ("d1", "dd2")), "query 'rain' has no document 'dd2'. Did you mean 'd2'?"),
        (("rain", ("d1", "d1")), "two documents of query 'rain' are compared, but 'd1' is given twice."),
        (("sun",), "two documents of query 'sun' are compared, but it has one document."),
    ):
        with pytest.raises(ParameterError) as refused:
            explain_query(ranker, data, *arguments)
        assert str(refused.value) == message
