"""AdaRank: the published algorithm, and the departures that its docstring states."""

from __future__ import annotations

import math

import numpy as np
import pytest

import riskrank as rr
from riskrank.errors import ParameterError
from riskrank.rankers.linear.adarank import AdaRankLearner
from riskrank.rankers.linear.linear_model import SEED

from ..contract import with_features


@pytest.fixture
def learner():
    return AdaRankLearner


def random_data(seed, *, n_queries=8, n_documents=6, n_features=4, is_tied=False):
    """Documents of a query come best first; if tied, many of them have the same features."""
    rng = np.random.default_rng(seed)
    labels = -np.sort(-rng.choice(3, (n_queries, n_documents), p=[0.6, 0.25, 0.15]), axis=1).ravel()
    features = rng.normal(size=(len(labels), n_features)) + 0.4 * labels[:, None] * rng.choice([-1, 1], n_features)
    features = np.round(features) if is_tied else features
    return rr.RankingData.from_arrays(features, labels, group=[n_documents] * n_queries)


def effectiveness(data, scores, measure, *, random_state=0):
    """Of each query; among documents of the same score, the one with the greater random number comes first."""
    noise = np.random.default_rng((random_state, SEED)).random(data.n_documents)
    places = np.argsort(np.lexsort((noise, np.round(scores, 9))))
    return rr.evaluate(data, {"model": places}, measure)["model"]


def adarank(data, measure, n_rounds, *, signs=(1, -1), random_state=0):
    """Xu and Li 2007, Figure 1: for each round the weak ranker (feature, sign), all weights, and the effectiveness."""
    features = data.features.astype(np.float64)
    features = (features - features.mean(axis=0)) / features.std(axis=0)

    def values_of(scores):
        return effectiveness(data, scores, measure, random_state=random_state)

    weak = {(k, sign): values_of(sign * features[:, k]) for k in range(data.n_features) for sign in signs}
    importance = [1 / data.n_queries] * data.n_queries
    weights, barred, before = np.zeros(data.n_features), None, None
    rounds = []
    while len(rounds) < n_rounds and (before is None or min(before) < 1 - 1e-9):
        strength = {
            ranker: sum(p * e for p, e in zip(importance, values, strict=True))
            for ranker, values in weak.items()
            if ranker != barred
        }
        chosen = max(strength, key=strength.get)
        alpha = 0.5 * math.log((1 + strength[chosen]) / max(1 - strength[chosen], 1e-9))  # importance adds up to 1
        weights[chosen[0]] += chosen[1] * alpha
        values = values_of(features @ weights)
        importance = [math.exp(-e) / sum(math.exp(-other) for other in values) for e in values]
        barred = chosen if before is not None and (values == before).all() else None
        before = values
        rounds.append((chosen, weights.copy(), values))
    return rounds


@pytest.mark.parametrize("measure", ["nDCG@10", "AP", "ERR@10", "RR"])
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("is_tied", [False, True], ids=["without ties", "with ties"])
def test_every_round_is_that_of_the_published_algorithm(is_tied, seed, measure, weights_of_rounds):
    data = random_data(seed, is_tied=is_tied)
    ranker = rr.AdaRank(measure, n_rounds=25, random_state=10 + seed, n_threads=1).fit(data)
    chosen, weights, values = zip(*adarank(data, measure, 25, random_state=10 + seed), strict=True)
    changes = np.diff([np.zeros(data.n_features), *weights_of_rounds], axis=0)
    assert [(int(np.argmax(np.abs(change))), int(np.sign(change.sum()))) for change in changes] == list(chosen)
    np.testing.assert_allclose(weights_of_rounds, weights, rtol=1e-9)
    np.testing.assert_allclose(ranker.history_["train_effectiveness"], np.mean(values, axis=1), rtol=1e-12)
    best = int(np.argmax(np.mean(values, axis=1)))
    np.testing.assert_allclose(ranker.weights_, weights[best], rtol=1e-9)
    assert ranker.best_steps_ == best + 1


def test_unsigned_rounds_are_those_of_the_published_algorithm(weights_of_rounds):
    data = random_data(0)
    rr.AdaRank(n_rounds=15, signed=False, n_threads=1).fit(data)
    expected = [weights for _, weights, _ in adarank(data, "nDCG@10", 15, signs=(1,))]
    np.testing.assert_allclose(weights_of_rounds, expected, rtol=1e-9)


# Reciprocal ranks of two queries, whose relevant documents are the first of each:
#   feature 1: 1 and 1/2, on average 3/4; feature 2: 1/3 and 1, on average 2/3.
BY_HAND = {
    "X": [[4, 0], [1, 1], [0, 2], [2, 5], [3, 0], [0, 1]],
    "y": [1, 0, 0, 1, 0, 0],
    "group": [3, 3],
}


def test_one_round_by_hand():
    ranker = rr.AdaRank("RR", n_rounds=1, n_threads=1).fit(**BY_HAND)
    # ½ ln((1 + 3/4) / (1 − 3/4)) = ½ ln 7
    np.testing.assert_allclose(ranker.weights_, [0.5 * math.log(7), 0], rtol=1e-12)
    assert ranker.history_["train_effectiveness"].tolist() == [0.75]


def test_the_query_that_is_ranked_badly_gets_more_weight_by_hand():
    ranker = rr.AdaRank("RR", n_rounds=2, n_threads=1).fit(**BY_HAND)
    # After round 1 the queries weigh e^−1 and e^−½, that is 0.377541 and 0.622459 of the whole.
    # Feature 1 is now worth 0.377541 + 0.622459 / 2 = 0.688770, feature 2 is worth 0.377541 / 3 + 0.622459 = 0.748306.
    # ½ ln(1.748306 / 0.251694) = 0.969095
    np.testing.assert_allclose(ranker.weights_, [0.5 * math.log(7), 0.969095], atol=1e-6)
    assert ranker.history_["train_effectiveness"].tolist() == [0.75, 1.0]


def test_a_feature_may_count_downwards_unless_told_otherwise(train):
    down = with_features(train, -train.features)
    signed, unsigned = (rr.AdaRank(n_rounds=20, signed=signed, n_threads=1).fit(down) for signed in (True, False))
    assert signed.weights_.min() < 0
    assert unsigned.weights_.min() == 0
    assert signed.score(down) > unsigned.score(down)


def test_turning_all_features_round_turns_all_weights_round(train):
    there, back = (
        rr.AdaRank(n_rounds=20, n_threads=1).fit(with_features(train, sign * train.features)) for sign in (1, -1)
    )
    np.testing.assert_allclose(back.weights_, -there.weights_, rtol=1e-6)


def test_a_feature_that_changed_nothing_makes_way_for_another(train, weights_of_rounds):
    rr.AdaRank(n_rounds=3, n_threads=1).fit(train)
    first, second, third = np.diff([np.zeros(20), *weights_of_rounds], axis=0)
    assert np.argmax(np.abs(first)) == np.argmax(np.abs(second)) != np.argmax(np.abs(third))


def test_the_only_feature_is_chosen_again_and_again():
    data = random_data(1, n_features=1)
    ranker = rr.AdaRank(n_rounds=5, signed=False, n_threads=1).fit(data)
    assert ranker.card_["ending"] == "all 5 rounds done"
    assert ranker.best_steps_ == 1
    assert len(set(ranker.history_["train_effectiveness"])) == 1


def test_training_ends_when_every_query_is_ranked_perfectly():
    ranker = rr.AdaRank("RR", n_threads=1).fit(**BY_HAND)
    assert ranker.card_["ending"] == "every training query is ranked perfectly after 2 rounds"
    assert ranker.card_["rounds"] == ranker.best_steps_ == 2


WEIGHT_OF_PERFECTION = 0.5 * math.log(2e9)  # ½ ln((1 + 1) / 1e-9), where 1 − 1 would be infinite


def test_a_feature_that_ranks_all_perfectly_is_enough():
    ranker = rr.AdaRank("RR", n_threads=1).fit([[3, 0], [1, 5], [2, 9], [7, 4]], [1, 0, 0, 2], group=[2, 2])
    np.testing.assert_allclose(ranker.weights_, [WEIGHT_OF_PERFECTION, 0], rtol=1e-12)
    assert ranker.history_["train_effectiveness"].tolist() == [1]
    assert ranker.card_["ending"] == "every training query is ranked perfectly after 1 rounds"


def test_rounding_does_not_change_the_weight_of_a_perfect_feature():
    for seed in range(30):
        labels = np.random.default_rng(seed).integers(0, 4, 24)
        ranker = rr.AdaRank(n_threads=1).fit(labels[:, None], labels, group=[8, 8, 8])
        assert ranker.history_["train_effectiveness"] == pytest.approx([1])
        assert ranker.weights_[0] == pytest.approx(WEIGHT_OF_PERFECTION, rel=1e-12)


@pytest.mark.parametrize("random_state", range(5))
def test_a_feature_that_tells_no_documents_apart_is_not_chosen(random_state):
    """Documents come best first, as they do in many files."""
    rng = np.random.default_rng(0)
    labels = np.tile([2, 1, 0, 0], 5)
    of_query = np.repeat(rng.normal(size=5), 4)
    ranker = rr.AdaRank(n_rounds=1, random_state=random_state, n_threads=1)
    ranker.fit(np.column_stack([of_query, labels + rng.normal(size=20)]), labels, group=[4] * 5)
    assert np.flatnonzero(ranker.weights_).tolist() == [1]


def test_the_best_round_by_the_training_queries_is_used(train):
    ranker = rr.AdaRank(n_rounds=30, n_threads=1).fit(train)
    history = ranker.history_["train_effectiveness"]
    assert 1 < ranker.best_steps_ == int(np.argmax(history)) + 1 < 30
    assert ranker.score(train) == pytest.approx(history.max(), abs=1e-12)


@pytest.mark.parametrize("valid_measure", [None, "AP"])
def test_the_best_round_by_the_validation_queries_is_used(valid_measure, train, valid, weights_of_rounds):
    ranker = rr.AdaRank(n_rounds=30, valid_measure=valid_measure, n_threads=1).fit(train, valid=valid)
    best = ranker.best_steps_ - 1
    np.testing.assert_array_equal(ranker.weights_, weights_of_rounds[best])
    watched = ranker.history_["watched"]
    assert best == np.argmax(watched)
    assert best != np.argmax(ranker.history_["train_effectiveness"])
    values = effectiveness(valid, ranker.predict(valid), valid_measure or "nDCG@10")
    assert watched[best] == pytest.approx(values.mean(), abs=1e-12)


def test_early_stopping_ends_training(train, valid):
    ranker = rr.AdaRank(early_stopping=4, n_threads=1).fit(train, valid=valid)
    assert ranker.card_["ending"] == "no better on validation queries for 4 rounds"
    assert ranker.card_["rounds"] == ranker.best_steps_ + 4


def test_a_measure_beyond_1_is_refused(train):
    ranker = rr.AdaRank("DCG@10", n_rounds=3, n_threads=1)
    with pytest.raises(ParameterError, match=r"AdaRank needs a measure from 0 to 1, DCG@10 goes up to [1-9]"):
        ranker.fit(train)
    assert not hasattr(ranker, "card_")


def test_a_measure_beyond_1_is_refused_even_where_no_single_feature_gets_there():
    # Either way the relevant documents have ranks 3 and 4: 1 / log2(4) + 1 / log2(5) = 0.93; the best is 1.63.
    with pytest.raises(ParameterError, match="AdaRank needs a measure from 0 to 1"):
        rr.AdaRank("DCG@10", n_threads=1).fit([[6], [5], [4], [3], [2], [1]], [0, 0, 1, 1, 0, 0], group=[6])
