"""AFS: one feature after the other, each time the one that helps most."""

from __future__ import annotations

import numpy as np
import pytest

import riskrank as rr
from riskrank.rankers.linear.afs import AFSLearner
from riskrank.rankers.linear.linear_model import SEED, untied

from ..contract import with_features


@pytest.fixture
def learner():
    return AFSLearner


def tiny_data(seed):
    """Without ties; and at least one feature is better than a random order of these few documents."""
    rng = np.random.default_rng(seed)
    labels = rng.integers(0, 3, 28)
    features = rng.normal(size=(28, 3)) + 0.7 * labels[:, None] * rng.choice([-1, 1], 3)
    return rr.RankingData.from_arrays(features, labels, group=[4] * 7)


def standardised(data):
    features = data.features.astype(np.float64)
    return (features - features.mean(axis=0)) / features.std(axis=0)


def mean_value(data, scores, measure="nDCG@10"):
    return float(rr.evaluate(data, {"model": scores}, measure)["model"].mean())


def all_weights(rest, column, data):
    """A weight for every ranking that rest + weight × column can give: one between any two at which documents swap."""
    swaps = []
    for a, b in zip(data.query_offsets[:-1], data.query_offsets[1:], strict=True):
        upper, lower = np.triu_indices(b - a, 1)
        swaps += (-(rest[a + upper] - rest[a + lower]) / (column[a + upper] - column[a + lower])).tolist()
    swaps.sort()
    return [swaps[0] - 1, *np.add(swaps[1:], swaps[:-1]) / 2, swaps[-1] + 1]


@pytest.mark.parametrize("measure", ["nDCG@10", "AP", "ERR@10", "RR"])
def test_the_training_measure_never_falls(measure, train):
    data = with_features(train, train.features[:, :12])
    history = rr.AFS(measure, tolerance=0, n_threads=1).fit(data).history_["train_effectiveness"]
    assert len(history) > 1
    assert (np.diff(history) > 0).all()


@pytest.mark.parametrize("seed", range(20))
def test_the_training_measure_never_falls_where_scores_tie(seed, weights_of_rounds):
    rng = np.random.default_rng(seed)
    labels = np.tile([2, 0, 1, 0, 0], 3)
    features = np.clip(np.round(0.5 * labels[:, None] + rng.normal(size=(15, 3))), 0, 2)
    history = rr.AFS(tolerance=0, n_threads=1).fit(features, labels, group=[5] * 3).history_["train_effectiveness"]
    assert (np.diff(history) > 0).all()
    assert all(weights.any() for weights in weights_of_rounds)


def test_the_training_measure_never_falls_where_the_others_cancel_out():
    ranker = rr.AFS(n_threads=1).fit([[0, 2], [1, 1], [1, 2], [2, 2]], [0, 0, 2, 1], group=[4])
    assert (np.diff(ranker.history_["train_effectiveness"]) > 0).all()


def test_the_only_feature_is_taken_in_whatever_the_seed():
    for seed in range(10):
        ranker = rr.AFS(random_state=seed, n_threads=1).fit([[1], [0]], [1, 0], group=[2])
        assert ranker.weights_.tolist() == [1]


@pytest.mark.parametrize("measure", ["nDCG@10", "AP", "ERR@10", "RR"])
def test_the_first_feature_is_the_best_one_in_either_direction(measure, train):
    features = np.array(train.features)
    features[:, ::2] *= -1
    data = with_features(train, features)
    columns, noise = standardised(data), np.random.default_rng((0, SEED)).random(data.n_documents)
    alone = {
        (f, sign): mean_value(data, untied(sign * columns[:, f], noise, 1.0), measure)
        for f in range(20)
        for sign in (1, -1)
    }
    (best, sign), value = max(alone.items(), key=lambda pair: pair[1])
    ranker = rr.AFS(measure, n_rounds=1, n_threads=1).fit(data)
    np.testing.assert_array_equal(ranker.weights_, sign * np.eye(20)[best])
    assert ranker.history_["train_effectiveness"] == pytest.approx([value])


@pytest.mark.parametrize("seed", range(20))
def test_two_rounds_against_all_rankings_that_can_be_had(seed, weights_of_rounds):
    data = tiny_data(seed)
    columns = standardised(data)
    alone = {(f, sign): mean_value(data, sign * columns[:, f]) for f in range(3) for sign in (1, -1)}
    (first, sign), value = max(alone.items(), key=lambda pair: pair[1])
    rest = sign * columns[:, first]

    def best(f, weights):
        systems = {str(i): rest + weight * columns[:, f] for i, weight in enumerate(weights)}
        return rr.evaluate(data, systems, "nDCG@10").matrix.mean(axis=1).max()

    others = sorted({0, 1, 2} - {first})
    sizes = 2.0 ** np.arange(-6, 4)
    tried = max(best(f, [*sizes, *-sizes]) for f in others)
    possible = {f: best(f, all_weights(rest, columns[:, f], data)) for f in others}

    ranker = rr.AFS(n_rounds=2, tolerance=0, adjust=False, n_threads=1).fit(data)
    history = ranker.history_["train_effectiveness"]
    np.testing.assert_array_equal(weights_of_rounds[0], sign * np.eye(3)[first])
    assert history[0] == pytest.approx(value, abs=1e-12)
    if ranker.card_["rounds"] == 1:
        assert tried <= value + 1e-12
        return
    second = int(np.flatnonzero(weights_of_rounds[1] - weights_of_rounds[0])[0])
    assert tried - 1e-12 <= history[1] <= possible[second] + 1e-12


@pytest.mark.parametrize("seed", range(20))
def test_adjusting_the_weights_of_two_features_does_no_harm(seed):
    plain, adjusted = (
        rr.AFS(n_rounds=2, adjust=adjust, n_threads=1).fit(tiny_data(seed)).history_["train_effectiveness"]
        for adjust in (False, True)
    )
    assert len(plain) == len(adjusted)
    assert (adjusted >= plain).all()


def test_unless_adjusted_a_weight_stays_as_it_was_first_chosen(train, weights_of_rounds):
    rr.AFS(adjust=False, n_threads=1).fit(train)
    changes = np.diff([np.zeros(20), *weights_of_rounds], axis=0)
    assert (np.count_nonzero(changes, axis=1) == 1).all()
    assert np.count_nonzero(weights_of_rounds[-1]) == len(changes) > 2


def test_adjusting_changes_weights_of_features_that_are_in(train, weights_of_rounds):
    rr.AFS(n_threads=1).fit(train)
    changes = np.diff(weights_of_rounds, axis=0)
    assert (np.count_nonzero(changes, axis=1) > 1).any()


@pytest.mark.parametrize("adjust", [True, False])
def test_every_round_gains_more_than_the_tolerance(adjust, train, weights_of_rounds):
    rr.AFS(tolerance=0, adjust=adjust, n_threads=1).fit(train)
    all_rounds = list(weights_of_rounds)
    ranker = rr.AFS(tolerance=0.01, adjust=adjust, n_threads=1).fit(train)
    assert (np.diff(ranker.history_["train_effectiveness"]) > 0.01).all()
    assert 1 < len(weights_of_rounds) < len(all_rounds)
    np.testing.assert_array_equal(weights_of_rounds, all_rounds[: len(weights_of_rounds)])


def test_features_that_are_useless_are_not_taken_in():
    rng = np.random.default_rng(0)
    labels = rng.integers(0, 3, 40)
    useful = labels + rng.normal(size=40)
    constant, missing, of_query = np.ones(40), np.full(40, np.nan), np.repeat(rng.normal(size=8), 5)
    features = np.column_stack([constant, of_query, useful, missing, useful, -2 * useful])
    ranker = rr.AFS(tolerance=0, n_threads=1).fit(features, labels, group=[5] * 8)
    assert ranker.card_["ending"] == "no other feature helps after 1 rounds"
    np.testing.assert_array_equal(ranker.weights_, [0, 0, 1, 0, 0, 0])
    np.testing.assert_array_equal(ranker.feature_importances_, [0, 0, 1, 0, 0, 0])


def test_training_ends_when_all_features_are_in():
    rng = np.random.default_rng(0)
    features = rng.normal(size=(60, 2))
    labels = np.digitize(features @ [1.0, -1.0], [-1, 0, 1])
    ranker = rr.AFS(n_threads=1).fit(features, labels, group=[10] * 6)
    assert ranker.card_["ending"] == "all usable features are in after 2 rounds"
    assert ranker.weights_[0] > 0 > ranker.weights_[1]


def test_training_ends_after_the_rounds_asked_for(train):
    ranker = rr.AFS(n_rounds=2, n_threads=1).fit(train)
    assert ranker.card_["ending"] == "all 2 rounds done"
    assert np.count_nonzero(ranker.weights_) == 2


def test_training_ends_when_validation_is_no_better(train, valid, weights_of_rounds):
    ranker = rr.AFS(tolerance=0, early_stopping=1, n_threads=1).fit(train, valid=valid)
    assert ranker.card_["ending"] == "no better on validation queries for 1 rounds"
    assert ranker.card_["rounds"] == ranker.best_steps_ + 1
    np.testing.assert_array_equal(ranker.weights_, weights_of_rounds[-2])


def test_the_best_round_by_the_validation_queries_is_used(train, valid, weights_of_rounds):
    ranker = rr.AFS(tolerance=0, n_threads=1).fit(train, valid=valid)
    best = int(np.argmax(ranker.history_["valid_effectiveness"]))
    assert best < len(weights_of_rounds) - 1
    assert ranker.best_steps_ == best + 1
    np.testing.assert_array_equal(ranker.weights_, weights_of_rounds[best])
    assert ranker.score(valid) == pytest.approx(ranker.history_["valid_effectiveness"][best], abs=1e-12)
