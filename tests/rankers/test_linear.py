"""The linear ranker by coordinate ascent; and what it has in common with AdaRank and AFS."""

from __future__ import annotations

import dataclasses
import itertools
import json

import numpy as np
import pytest

import riskrank as rr
from riskrank.errors import MeasureError, ParameterError
from riskrank.rankers.adarank import AdaRankLearner
from riskrank.rankers.afs import AFSLearner
from riskrank.rankers.linear import CoordinateAscent
from riskrank.rankers.linear_model import LinearLearner

from .contract import with_features

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


@pytest.mark.xfail(strict=True, reason="what is left of a sum after its parts were taken away is rounding, not 0")
def test_the_training_measure_never_falls_within_an_ascent_where_scores_are_almost_tied():
    ranker = ranker_of(n_starts=1).fit([[2, 1], [1, 2], [1, 0], [2, 0]], [1, 1, 0, 2], group=[4])
    assert (np.diff(ranker.history_["train_effectiveness"]) >= 0).all()


@pytest.mark.xfail(strict=True, reason="all weights become 0 and, divided by their sum, NaN", raises=RuntimeWarning)
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
def test_a_linear_order_is_found(wanted):
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
    flat = ranker_of().fit(with_features(train, np.ones((train.n_documents, 2))))
    assert flat.card_["ending"] == "every feature is the same for all documents"
    np.testing.assert_array_equal(flat.weights_, [0, 0])


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


def test_the_order_of_documents_in_the_data_does_not_matter():
    rng = np.random.default_rng(0)
    labels = np.tile([2, 1, 0, 0], 5)
    features = labels[:, None] + rng.normal(size=(20, 2))
    best_first = ranker_of().fit(features, labels, group=[4] * 5)
    worst_first = ranker_of().fit(features[::-1], labels[::-1], group=[4] * 5)
    np.testing.assert_allclose(best_first.weights_, worst_first.weights_)


# All linear models.

LEARNERS = {rr.AdaRank: AdaRankLearner, rr.AFS: AFSLearner, rr.LinearRanker: CoordinateAscent}


@pytest.fixture(params=LEARNERS, ids=lambda ranker: ranker.__name__)
def linear(request):
    return request.param


class Crash(BaseException):
    """Nothing catches it: like the end of the process."""


def crashed(monkeypatch, ranker, *, at, **arguments):
    """A training that ends before the round numbered `at` (from 0)."""
    learner = LEARNERS[type(ranker)]
    step = learner.step

    def crashing(self, number):
        if number == at:
            raise Crash
        step(self, number)

    with monkeypatch.context() as patch:
        patch.setattr(learner, "step", crashing)
        with pytest.raises(Crash):
            ranker.fit(**arguments)


@pytest.mark.parametrize(("at", "every", "with_valid"), [(2, 1, False), (3, 1, True), (5, 2, True)])
def test_a_resumed_training_gives_the_very_same_model(
    linear, at, every, with_valid, train, valid, tmp_path, monkeypatch
):
    arguments = {"X": train, **({"valid": valid, "baseline": rr.Feature(1)} if with_valid else {})}
    ranker = linear("AP", n_rounds=6, random_state=5, n_threads=1)
    ranker.fit(**arguments)
    weights, history, card = ranker.weights_, ranker.history_, ranker.card_
    assert card["rounds"] == 6
    arguments["checkpoint"] = tmp_path / "c"
    crashed(monkeypatch, ranker, at=at, checkpoint_every=every, **arguments)
    with np.load(tmp_path / "c" / "checkpoint.npz") as saved:
        assert json.loads(saved["state"].tobytes())["n_steps"] == at // every * every
    ranker.fit(resume=True, **arguments)
    np.testing.assert_array_equal(ranker.weights_, weights)
    np.testing.assert_equal(ranker.history_.columns, history.columns)
    for name in ("rounds", "best_rounds", "ending"):
        assert ranker.card_[name] == card[name]
    assert not (tmp_path / "c").exists()


def test_a_resumed_training_makes_no_start_twice(small, tmp_path, monkeypatch):
    ranker = ranker_of(n_starts=4, tolerance=1.0)  # a round for each start
    weights = ranker.fit(small).weights_
    crashed(monkeypatch, ranker, at=3, X=small, checkpoint=tmp_path / "c", checkpoint_every=1)
    ranker.fit(small, checkpoint=tmp_path / "c", resume=True)
    assert ranker.card_["rounds"] == 4
    np.testing.assert_array_equal(ranker.weights_, weights)


def test_a_training_of_another_measure_is_not_resumed(linear, small, tmp_path, monkeypatch):
    ranker = linear("AP", n_threads=1)
    crashed(monkeypatch, ranker, at=1, X=small, checkpoint=tmp_path / "c", checkpoint_every=1)
    with pytest.raises(ParameterError, match="is of another training: .*AP"):
        ranker.set_params(measure="RR").fit(small, checkpoint=tmp_path / "c", resume=True)


@pytest.mark.parametrize("measure", MEASURES)
def test_history_and_model_go_by_the_measure(linear, measure, train):
    ranker = linear(measure, n_rounds=5, n_threads=1).fit(train)
    expected = rr.evaluate(train, {"model": ranker.predict(train)}, measure).matrix.mean()
    assert ranker.history_["train_effectiveness"][ranker.best_steps_ - 1] == pytest.approx(expected, abs=1e-12)
    assert ranker.history_["train_effectiveness"].max() == pytest.approx(expected, abs=1e-12)


def test_a_baseline_adds_risk_and_reward_to_the_history_and_changes_nothing(linear, train, valid):
    ranker = linear(n_rounds=4, n_threads=1).fit(train, baseline=rr.Feature(2), valid=valid)
    best = ranker.best_steps_ - 1
    for side, data in (("train", train), ("valid", valid)):
        values = rr.evaluate(data, {"model": ranker.predict(data), "baseline": data.feature(2)}, "nDCG@10")
        change = values["model"] - values["baseline"]
        assert ranker.history_[f"{side}_reward"][best] == pytest.approx(np.maximum(change, 0).mean(), abs=1e-12)
        assert ranker.history_[f"{side}_risk"][best] == pytest.approx(np.maximum(-change, 0).mean(), abs=1e-12)
        assert not np.isnan(ranker.history_[f"{side}_urisk"]).any()
    without = linear(n_rounds=4, n_threads=1).fit(train, valid=valid)
    assert np.isnan(without.history_["train_risk"]).all()
    np.testing.assert_array_equal(without.weights_, ranker.weights_)


def by_hand(folder, data):
    """Scores from the numbers in the file."""
    scores = np.zeros(data.n_documents)
    for row in json.loads((folder / "weights.json").read_text(encoding="utf-8"))["weights"]:
        values = data.feature(row["feature"]).astype(np.float64)
        values = np.where(np.isnan(values), row["mean"], values)
        scores += row["weight"] * (values - row["mean"]) / row["spread"]
    return scores


@pytest.mark.parametrize("first_feature", [0, 1])
def test_the_file_of_weights_is_all_that_scores_need(linear, first_feature, train, valid, tmp_path):
    holes = np.where(np.random.default_rng(0).random(valid.features.shape) < 0.1, np.nan, valid.features)
    train, valid, missing = (
        dataclasses.replace(data, first_feature=first_feature) for data in (train, valid, with_features(valid, holes))
    )
    ranker = linear(n_rounds=4, n_threads=1).fit(train)
    ranker.save(tmp_path / "model")
    back = rr.load(tmp_path / "model")
    for data in (train, valid, missing):
        np.testing.assert_allclose(ranker.predict(data), by_hand(tmp_path / "model", data), rtol=1e-9, atol=1e-12)
        np.testing.assert_array_equal(back.predict(data), ranker.predict(data))
    np.testing.assert_array_equal(back.weights_, ranker.weights_)


def test_the_file_of_weights_names_features_as_the_data_do(linear, train, tmp_path):
    features = np.zeros((train.n_documents, 3))
    features[:, 2] = train.labels
    for first in (0, 1):
        data = dataclasses.replace(train, features=features, first_feature=first)
        linear(n_rounds=1, n_threads=1).fit(data).save(tmp_path / "model")
        (row,) = json.loads((tmp_path / "model" / "weights.json").read_text(encoding="utf-8"))["weights"]
        assert row["feature"] == first + 2
        assert row["weight"] > 0
        assert row["mean"] == pytest.approx(train.labels.mean())
        assert row["spread"] == pytest.approx(train.labels.std())


def test_a_missing_value_counts_as_the_mean_of_those_that_are_known(linear, train, valid, tmp_path):
    rng = np.random.default_rng(0)
    holes = np.where(rng.random(train.features.shape) < 0.3, np.nan, train.features)
    ranker = linear(n_rounds=4, n_threads=1).fit(with_features(train, holes))
    ranker.save(tmp_path / "model")
    for row in json.loads((tmp_path / "model" / "weights.json").read_text(encoding="utf-8"))["weights"]:
        known = holes[:, row["feature"] - 1]
        assert row["mean"] == pytest.approx(np.nanmean(known), rel=1e-6, abs=1e-6)
        assert row["spread"] == pytest.approx(np.nanstd(known), rel=1e-6)
    missing = np.where(rng.random(valid.features.shape) < 0.3, np.nan, valid.features)
    filled = np.where(np.isnan(missing), np.nanmean(holes, axis=0), missing)
    np.testing.assert_allclose(ranker.predict(missing), ranker.predict(filled), atol=1e-5)
    nothing_known = ranker.predict(np.full((2, train.n_features), np.nan))
    np.testing.assert_array_equal(nothing_known, [0, 0])


def test_the_scale_of_a_feature_does_not_matter(linear, train):
    scales = 2.0 ** np.arange(-10, 10)
    ranker, other = (
        linear(n_rounds=4, n_threads=1).fit(with_features(train, features))
        for features in (train.features, train.features * scales)
    )
    np.testing.assert_allclose(other.weights_, ranker.weights_, rtol=1e-12)
    np.testing.assert_allclose(other.predict(train.features * scales), ranker.predict(train), rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("value", [0, -3, 2.5, True, None, "many"])
def test_the_number_of_rounds_must_be_a_whole_number_from_1(linear, value, train):
    with pytest.raises(ParameterError, match=f"n_rounds must be a whole number from 1, got {value!r}"):
        linear(n_rounds=value).fit(train)


@pytest.mark.parametrize("value", [-1, -1e-9, np.nan, np.inf, True, None])
@pytest.mark.parametrize("ranker", [rr.AFS, rr.LinearRanker])
def test_the_tolerance_must_be_a_number_from_0(ranker, value, train):
    with pytest.raises(ParameterError, match=f"tolerance must be a number from 0, got {value!r}"):
        ranker(tolerance=value).fit(train)


@pytest.mark.parametrize("value", [0, -1, 1.5, None])
def test_the_number_of_starts_must_be_a_whole_number_from_1(value, train):
    with pytest.raises(ParameterError, match=f"n_starts must be a whole number from 1, got {value!r}"):
        ranker_of(n_starts=value).fit(train)


@pytest.mark.parametrize(
    ("measure", "message"),
    [
        ("nope", "unknown measure 'nope'"),
        ("nDGC@10", "unknown measure 'nDGC@10'. Did you mean 'nDCG'"),
        ("Bpref", "Bpref cannot be optimised; choose one of AP"),
    ],
)
def test_the_measure_must_be_known_and_one_to_optimise(linear, measure, message, train):
    with pytest.raises(MeasureError, match=message):
        linear(measure).fit(train)
