"""Synthetic data for learning to rank."""

from __future__ import annotations

import numpy as np
import pytest

import riskrank as rr
from riskrank.data.synthetic.synthetic_features import LABEL_SHARES, cubic_data, web_search_data
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
    text = web.feature(1)
    chance = np.random.default_rng(0).random(web.n_documents)
    scores = rr.evaluate(web, {"text": text, "chance": chance}, "nDCG@10")
    assert scores["text"].mean() > scores["chance"].mean() + 0.2
    others = {str(i): web.feature(i) for i in range(2, 31)}
    assert scores["text"].mean() > rr.evaluate(web, others, "nDCG@10").matrix.mean(axis=1).max()


def test_a_model_gains_on_most_queries_and_loses_on_some():
    data = web_search_data(900, documents_per_query=30, n_features=30)
    seen, unseen = data.take(slice(0, 600)), data.take(slice(600, 900))
    ranker = rr.LambdaMART(n_trees=60, n_leaves=8, n_threads=1).fit(seen)
    scores = rr.evaluate(unseen, {"m": ranker.predict(unseen), "b": unseen.feature(1)}, "nDCG@10")
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
