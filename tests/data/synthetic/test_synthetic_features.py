"""Synthetic data for learning to rank, and some of the queries of any data."""

from __future__ import annotations

import numpy as np
import pytest

import riskrank as rr
from riskrank.data.synthetic.synthetic_features import BASELINE_FEATURE, LABEL_SHARES, cubic_data, web_search_data
from riskrank.errors import ParameterError

MAKERS = [cubic_data, web_search_data]


@pytest.fixture(scope="module")
def web():
    return web_search_data(300, documents_per_query=40, n_features=30)


def assert_same(first, second):
    np.testing.assert_array_equal(first.features, second.features)
    np.testing.assert_array_equal(first.labels, second.labels)
    np.testing.assert_array_equal(first.query_offsets, second.query_offsets)
    assert first.query_ids == second.query_ids


@pytest.mark.parametrize("make", MAKERS)
def test_the_same_seed_gives_the_same_data(make):
    size = {"documents_per_query": 8, "n_features": 20}
    assert_same(make(5, **size), make(5, **size))
    assert_same(make(5, **size), make(5, **size, random_state=0))
    other = make(5, **size, random_state=1)
    assert other.features.shape[1] == 20
    assert not np.array_equal(other.features[:10], make(5, **size).features[:10])


@pytest.mark.parametrize("make", MAKERS)
def test_labels_have_the_shares_of_web_search(make):
    data = make(200, documents_per_query=50, n_features=20)
    shares = np.bincount(data.labels.astype(int), minlength=5) / data.n_documents
    assert sum(LABEL_SHARES) == pytest.approx(1)
    np.testing.assert_allclose(shares, LABEL_SHARES, atol=0.002)


def test_cubic_queries_are_all_of_one_size():
    data = cubic_data(7, documents_per_query=6, n_features=4)
    assert data.features.shape == (42, 4)
    assert np.diff(data.query_offsets).tolist() == [6] * 7
    assert data.query_ids == ("1", "2", "3", "4", "5", "6", "7")
    assert np.abs(data.features).max() <= 1
    assert data.features.dtype == np.float32


def test_cubic_labels_have_no_noise():
    """Enough boosted trees fit the queries they see nearly perfectly."""
    data = cubic_data(30, documents_per_query=20, n_features=5)
    ranker = rr.LambdaMART(n_trees=80, n_leaves=16, min_docs_in_leaf=2, n_threads=1).fit(data)
    assert ranker.score(data) > 0.98


def test_web_search_queries_are_of_different_sizes(web):
    sizes = np.diff(web.query_offsets)
    assert web.n_queries == 300
    assert sizes.mean() == pytest.approx(40, rel=0.02)
    assert sizes.min() >= 2
    assert sizes.std() > 10
    assert web.n_features == 30
    assert np.isfinite(web.features).all()


def test_the_text_score_ranks_better_than_chance(web):
    text = web.feature(BASELINE_FEATURE)
    chance = np.random.default_rng(0).random(web.n_documents)
    scores = rr.evaluate(web, {"text": text, "chance": chance}, "nDCG@10")
    assert scores["text"].mean() > scores["chance"].mean() + 0.2
    others = {str(i): web.feature(i) for i in range(2, 31)}
    assert scores["text"].mean() > rr.evaluate(web, others, "nDCG@10").matrix.mean(axis=1).max()


def test_a_model_gains_on_most_queries_and_loses_on_some():
    data = web_search_data(900, documents_per_query=30, n_features=30)
    seen, unseen = data.take(slice(0, 600)), data.take(slice(600, 900))
    ranker = rr.LambdaMART(n_trees=60, n_leaves=8, n_threads=1).fit(seen)
    scores = rr.evaluate(unseen, {"m": ranker.predict(unseen), "b": unseen.feature(BASELINE_FEATURE)}, "nDCG@10")
    change = scores["m"] - scores["b"]
    assert change.mean() > 0.005
    assert 0.1 < (change < 0).mean() < 0.5


@pytest.mark.parametrize(
    ("make", "sizes"),
    [
        (cubic_data, {"n_queries": 0}),
        (cubic_data, {"documents_per_query": 0}),
        (cubic_data, {"n_features": 0}),
        (web_search_data, {"n_queries": 0}),
        (web_search_data, {"documents_per_query": 1}),
        (web_search_data, {"n_features": 19}),
    ],
)
def test_too_little_data_is_refused(make, sizes):
    with pytest.raises(ParameterError, match="are needed"):
        make(**{"n_queries": 2, **sizes})


def query(data, position):
    rows = slice(data.query_offsets[position], data.query_offsets[position + 1])
    return data.features[rows], data.labels[rows]


def assert_taken(taken, data, positions):
    assert taken.query_ids == tuple(data.query_ids[position] for position in positions)
    for i, position in enumerate(positions):
        for found, expected in zip(query(taken, i), query(data, position), strict=True):
            np.testing.assert_array_equal(found, expected)


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
    data = rr.RankingData(np.zeros((4, 2)), [0, 1, 0, 1], [0, 2, 4], ["x", "y"], ids, first_feature=0)
    taken = data.take([1])
    assert taken.ids.tolist() == ["c", "d"]
    assert taken.first_feature == 0
    assert data.take([1, 0]).ids.tolist() == ["c", "d", "a", "b"]


def test_documents_without_ids_are_numbered_in_the_order_of_the_source():
    grouped = rr.RankingData.from_arrays(np.zeros((3, 1)), [0, 1, 2], group=[2, 1])
    assert grouped.ids.tolist() == ["1", "2", "3"]
    mixed = rr.RankingData.from_arrays(np.zeros((4, 1)), [0, 1, 2, 3], qid=["x", "y", "x", "y"])
    assert mixed.ids.tolist() == ["1", "3", "2", "4"]
    named = rr.RankingData.from_arrays(np.zeros((2, 1)), [0, 1], qid=["x", "x"], document_ids=["d7", "d3"])
    assert named.ids.tolist() == ["d7", "d3"]


def test_numbered_documents_keep_their_numbers_when_queries_are_taken():
    data = rr.RankingData.from_arrays(np.zeros((4, 1)), [0, 1, 2, 3], qid=["x", "y", "x", "y"])
    assert data.take([1]).ids.tolist() == ["2", "4"]
    assert data.take(slice(1, 2)).ids.tolist() == ["2", "4"]
