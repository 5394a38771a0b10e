"""The linear ranker by coordinate ascent."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

import riskrank as rr
from riskrank.errors import ParameterError
from riskrank.rankers.linear.linear_model import LinearLearner

from ..contract import with_features

MEASURES = ["nDCG@10", "AP", "ERR@10", "RR"]


@pytest.fixture(scope="module")
def small(train):
    return with_features(train, train.features[:, 5:13]).take(slice(0, 25))


def ranker_of(measure="nDCG@10", **parameters):
    return rr.LinearRanker(measure, **{"n_threads": 1, **parameters})


@pytest.mark.parametrize("measure", MEASURES)
def test_the_training_measure_never_falls_within_an_ascent(measure, small):
    one = ranker_of(measure, n_starts=1, tolerance=0).fit(small)
    assert (np.diff(one.history_["train_effectiveness"]) >= 0).all()
    three = ranker_of(measure, n_starts=3).fit(small)
    assert (np.diff(three.history_["train_effectiveness"]) < 0).sum() <= 2


@pytest.mark.parametrize("seed", range(20))
def test_the_training_measure_never_falls_within_an_ascent_where_scores_tie(seed):
    rng = np.random.default_rng(seed)
    labels = np.tile([2, 0, 1, 0, 0], 3)
    features = np.clip(np.round(0.5 * labels[:, None] + rng.normal(size=(15, 3))), 0, 2)
    ranker = ranker_of(n_starts=1, tolerance=0).fit(features, labels, group=[5] * 3)
    assert (np.diff(ranker.history_["train_effectiveness"]) >= 0).all()
    assert np.abs(ranker.weights_).sum() == pytest.approx(1)


def test_the_training_measure_never_falls_within_an_ascent_where_the_others_cancel_out():
    ranker = ranker_of(n_starts=1).fit([[2, 1], [1, 2], [1, 0], [2, 0]], [1, 1, 0, 2], group=[4])
    assert (np.diff(ranker.history_["train_effectiveness"]) >= 0).all()


def test_the_training_measure_never_falls_within_an_ascent_where_one_feature_is_twice_another():
    ranker = ranker_of(n_starts=1, tolerance=0).fit([[3, 6], [1, 2], [0, 0], [2, 4]], [0, 1, 1, 2], group=[4])
    assert (np.diff(ranker.history_["train_effectiveness"]) >= 0).all()


def test_weights_are_never_all_0():
    features = [[2, 2], [0, 0], [0, 2], [1, 2], [0, 1], [2, 2], [1, 2]]
    ranker = ranker_of().fit(features, [1, 0, 0, 2, 1, 0, 0], group=[3, 4])
    assert np.abs(ranker.weights_).sum() == pytest.approx(1)


def linear_data(weights, *, seed=0, n_queries=20):
    rng = np.random.default_rng(seed)
    features = rng.normal(size=(10 * n_queries, len(weights))) * [1, 10, 0.01, 1][: len(weights)]
    scores = features / features.std(axis=0) @ weights
    labels = np.digitize(scores, np.quantile(scores, [0.5, 0.7, 0.85, 0.95]))
    return rr.RankingData.from_arrays(features, labels, group=[10] * n_queries)


@pytest.mark.parametrize("wanted", [[0.5, -0.3, 0.2], [0.1, 0.1, 0.7, -0.1], [0.0, 1.0, 0.0]])
def test_a_linear_order_is_learned(wanted):
    ranker = ranker_of().fit(linear_data(wanted))
    assert ranker.history_["train_effectiveness"].max() > 0.99
    assert ranker.score(linear_data(wanted, seed=1)) > 0.98
    assert ranker.weights_ @ wanted / np.linalg.norm(ranker.weights_) / np.linalg.norm(wanted) > 0.98


def test_sizes_of_weights_add_up_to_1(small):
    for n_rounds in (1, 5):
        assert np.abs(ranker_of(n_rounds=n_rounds).fit(small).weights_).sum() == pytest.approx(1, abs=1e-12)


def test_the_same_seed_gives_the_same_weights_and_another_gives_others(small):
    first, again, other = (ranker_of(random_state=seed).fit(small) for seed in (3, 3, 4))
    np.testing.assert_array_equal(first.weights_, again.weights_)
    assert first.history_.columns["train_effectiveness"] == again.history_.columns["train_effectiveness"]
    assert np.abs(first.weights_ - other.weights_).max() > 0.01


def test_more_starts_go_on_where_fewer_end(small):
    histories = [ranker_of(n_starts=n).fit(small).history_["train_effectiveness"] for n in (1, 2, 4)]
    for fewer, more in itertools.pairwise(histories):
        assert len(more) > len(fewer)
        np.testing.assert_array_equal(more[: len(fewer)], fewer)


def test_a_start_that_gains_too_little_ends_after_its_first_round(small):
    ranker = ranker_of(n_starts=4, tolerance=1.0).fit(small)
    assert ranker.card_["rounds"] == 4
    assert ranker.card_["ending"] == "nothing is left to gain after 4 rounds"


def test_the_first_start_is_from_equal_weights_and_the_others_are_not(small, monkeypatch):
    taken, change = [], LinearLearner.change
    monkeypatch.setattr(LinearLearner, "change", lambda self, weights: taken.append(weights) or change(self, weights))
    ranker_of(n_starts=3, tolerance=1.0).fit(small)
    first, second, third = taken[::2]  # before the ascent of each round; then what it gave
    np.testing.assert_allclose(first, np.full(8, 1 / 8))
    assert len(np.unique(second)) == len(np.unique(third)) == 8
    assert not np.array_equal(second, third)


def test_constant_features_get_no_weight(train):
    features = np.array(train.features[:, :4])
    features[:, [0, 2]] = 5
    ranker = ranker_of().fit(with_features(train, features))
    assert ranker.weights_[[0, 2]].tolist() == [0, 0]
    assert (ranker.weights_[[1, 3]] != 0).all()


def test_the_best_round_is_used(train, valid):
    train, valid = (with_features(data, data.features[:, :8]) for data in (train, valid))
    ranker = ranker_of().fit(train)
    history = ranker.history_["train_effectiveness"]
    assert ranker.best_steps_ == np.argmax(history) + 1 < len(history)
    assert ranker.score(train) == pytest.approx(history.max(), abs=1e-12)
    ranker = ranker_of().fit(train, valid=valid)
    history = ranker.history_["valid_effectiveness"]
    assert ranker.best_steps_ == np.argmax(history) + 1 < len(history)
    assert ranker.score(valid) == pytest.approx(history.max(), abs=1e-12)


@pytest.mark.parametrize("value", [0, -1, 1.5, None])
def test_the_number_of_starts_must_be_a_whole_number_from_1(value, train):
    with pytest.raises(ParameterError, match=f"n_starts must be a whole number from 1, got {value!r}"):
        ranker_of(n_starts=value).fit(train)
