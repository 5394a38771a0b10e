"""What AdaRank, AFS and the linear ranker have in common: ties, endings, checkpoints, the file of weights."""

from __future__ import annotations

import dataclasses
import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import riskrank as rr
from riskrank.errors import AlignmentError, MeasureError, ParameterError
from riskrank.rankers.fitting.plan import plan_fit
from riskrank.rankers.linear import linear_model
from riskrank.rankers.linear.adarank import AdaRankLearner
from riskrank.rankers.linear.afs import AFSLearner
from riskrank.rankers.linear.linear_model import SEED, untied
from riskrank.rankers.linear.linear_ranker import CoordinateAscent

from ..contract import with_features
from ..interrupting import Crash

LEARNERS = {rr.AdaRank: AdaRankLearner, rr.AFS: AFSLearner, rr.LinearRanker: CoordinateAscent}


@pytest.fixture(params=LEARNERS, ids=lambda ranker: ranker.__name__)
def linear(request):
    return request.param


@pytest.fixture(scope="module")
def few(train):
    return with_features(train, train.features[:, :12]).take(slice(0, 15))


@pytest.fixture(scope="module")
def other(valid):
    return with_features(valid, valid.features[:, :12])


@pytest.fixture
def learner(linear):
    return LEARNERS[linear]


def tie_broken(scores, noise):
    """Places of the documents from the lowest score up; where scores are the same, of those with more noise last."""
    return np.argsort(np.lexsort((noise, np.round(scores, 9))))


@given(st.lists(st.integers(-50, 50), min_size=1, max_size=30), st.sampled_from([1e-6, 1.0, 1e6]), st.integers(0, 9))
def test_noise_decides_between_equal_scores_and_no_others(scores, scale, seed):
    noise = np.random.default_rng(seed).permutation(len(scores)) / len(scores)  # far enough apart to be told
    scaled = scale * np.array(scores)
    broken = untied(scaled, noise, 50 * scale)
    np.testing.assert_array_equal(np.argsort(broken), np.lexsort((noise, scores)))
    np.testing.assert_allclose(broken, scaled, rtol=1e-14, atol=1.001e-12 * 50 * scale)


def tied_data(seed, *, n_queries):
    """Features of three values each; the documents of a query come best first, as they do in many files."""
    rng = np.random.default_rng(seed)
    labels = -np.sort(-rng.choice(3, (n_queries, 8), p=[0.6, 0.25, 0.15]), axis=1).ravel()
    features = np.clip(np.round(0.4 * labels[:, None] + rng.normal(size=(len(labels), 4))), 0, 2)
    return rr.RankingData.from_arrays(features, labels, group=[8] * n_queries)


@pytest.mark.parametrize("random_state", [0, 7])
def test_ties_are_broken_by_the_seed_not_by_the_order_of_the_data(linear, random_state, weights_of_rounds):
    sides = {"train": tied_data(1, n_queries=12), "valid": tied_data(2, n_queries=12)}
    ranker = linear(n_rounds=4, random_state=random_state, n_threads=1)
    ranker.fit(sides["train"], valid=sides["valid"])
    assert len(weights_of_rounds) > 1
    rng = np.random.default_rng((random_state, SEED))
    known = sides["train"].features.astype(np.float64)
    for side, data in sides.items():
        noise = rng.random(data.n_documents)
        scores = [(data.features - known.mean(axis=0)) / known.std(axis=0) @ weights for weights in weights_of_rounds]
        systems = {f"{i}": tie_broken(each, noise) for i, each in enumerate(scores)}
        expected = rr.evaluate(data, systems, "nDCG@10").matrix
        in_data = {f"{i}": tie_broken(each, -np.arange(len(each))) for i, each in enumerate(scores)}
        in_order = rr.evaluate(data, in_data, "nDCG@10").matrix
        history = ranker.history_[f"{side}_effectiveness"]
        np.testing.assert_allclose(history, expected.mean(axis=1), rtol=1e-12)
        assert (in_order.mean(axis=1) > history).all()  # what the order of the data would have added
    assert ranker.best_steps_ == np.argmax(expected.mean(axis=1)) + 1
    np.testing.assert_array_equal(ranker.weights_, weights_of_rounds[ranker.best_steps_ - 1])


def test_another_seed_breaks_ties_in_another_way(linear):
    data = tied_data(1, n_queries=12)
    histories = [
        linear(n_rounds=2, random_state=seed, n_threads=1).fit(data).history_["train_effectiveness"][0]
        for seed in (0, 0, 1, 2)
    ]
    assert histories[0] == histories[1]
    assert len(set(histories)) == 3


def test_the_order_of_documents_in_the_data_does_not_matter(linear):
    rng = np.random.default_rng(0)
    labels = np.tile([2, 1, 0, 0], 5)
    features = labels[:, None] + rng.normal(size=(20, 2))
    best_first = linear(n_threads=1).fit(features, labels, group=[4] * 5)
    worst_first = linear(n_threads=1).fit(features[::-1], labels[::-1], group=[4] * 5)
    assert np.count_nonzero(worst_first.weights_) > 0
    np.testing.assert_allclose(best_first.weights_, worst_first.weights_)


@pytest.mark.parametrize("ranker", [rr.AdaRank, rr.LinearRanker])
def test_labels_drawn_with_the_same_seed_do_not_break_ties(ranker):
    labels = np.random.default_rng(0).random(200) > 0.7
    of_query = np.repeat(np.arange(20.0), 10)
    ranker = ranker(n_rounds=1, random_state=0, n_threads=1).fit(of_query[:, None], labels, group=[10] * 20)
    assert ranker.history_["train_effectiveness"][0] < 0.9


def test_one_great_value_does_not_hide_the_order_of_the_others(linear):
    rng = np.random.default_rng(0)
    labels = np.tile([0, 1, 2, 1, 0], 8)
    perfect, dim = labels.astype(np.float64), labels + 2 * rng.normal(size=40)
    perfect[2] = 1e10  # of a document with the highest label
    ranker = linear(n_threads=1).fit(np.column_stack([perfect, dim]), labels, group=[5] * 8)
    assert ranker.history_["train_effectiveness"].max() == pytest.approx(1)


@pytest.mark.parametrize(
    ("proposed", "before", "after"),
    [
        (-1.0, [1.0, 0.5], [1.0, 0.5]),  # the best order already
        (-1.0, [0.5, 1.0], [0.5, -1.0]),  # the worst order, which only the second feature turns round
        (0.0, [-1.0, 0.0], [-1.0, 0.0]),  # the worst order, but without it there is none
    ],
)
def test_a_weight_is_taken_over_only_if_the_scores_made_anew_are_better(proposed, before, after, monkeypatch):
    labels = np.tile([2, 1, 0], 4)
    data = rr.RankingData.from_arrays(np.column_stack([labels, -labels]), labels, group=[3] * 4)
    ranker = rr.LinearRanker(n_threads=1)
    learner = CoordinateAscent(plan_fit(ranker, data), ranker, None)
    monkeypatch.setattr(linear_model, "best_weight", lambda rest, column, value_of, now: (proposed, 1.0))
    assert learner.adjusted(np.array(before), np.array([0, 1])).tolist() == after


def test_constant_features_end_training_before_it_begins(linear, few):
    ranker = linear(n_threads=1).fit(with_features(few, np.full((few.n_documents, 2), 3.0)))
    assert ranker.card_["ending"] == "every feature is the same for all documents"
    assert ranker.card_["rounds"] == ranker.best_steps_ == len(ranker.history_) == 0
    np.testing.assert_array_equal(ranker.weights_, [0, 0])
    np.testing.assert_array_equal(ranker.feature_importances_, [0, 0])
    np.testing.assert_array_equal(ranker.predict([[1, 2], [3, 4]]), [0, 0])


def test_features_without_any_value_end_training_too(linear, few):
    ranker = linear(n_threads=1).fit(with_features(few, np.full((few.n_documents, 2), np.nan)))
    assert ranker.card_["ending"] == "every feature is the same for all documents"


def crashed(monkeypatch, ranker, *, at, **arguments):
    """A training that ends before the round numbered `at` (from 0)."""
    learner = LEARNERS[type(ranker)]
    step = learner.step

    def crashing(self, number):
        if number == at:
            raise Crash
        return step(self, number)

    with monkeypatch.context() as patch:
        patch.setattr(learner, "step", crashing)
        with pytest.raises(Crash):
            ranker.fit(**arguments)


def resumed_as_if_nothing_happened(monkeypatch, ranker, folder, *, at, every, **arguments):
    ranker.fit(**arguments)
    weights, history, card = ranker.weights_, ranker.history_, ranker.card_
    arguments["checkpoint"] = folder
    crashed(monkeypatch, ranker, at=at, checkpoint_every=every, **arguments)
    with np.load(folder / "checkpoint.npz") as saved:
        assert json.loads(saved["state"].tobytes())["n_steps"] == at // every * every
    ranker.fit(resume=True, **arguments)
    np.testing.assert_array_equal(ranker.weights_, weights)
    np.testing.assert_equal(ranker.history_.columns, history.columns)
    for name in ("rounds", "best_rounds", "ending"):
        assert ranker.card_[name] == card[name]
    assert not folder.exists()


@pytest.mark.parametrize(("at", "every", "with_valid"), [(2, 1, False), (3, 1, True), (3, 2, True)])
def test_a_resumed_training_gives_the_very_same_model(linear, at, every, with_valid, few, other, tmp_path, monkeypatch):
    ranker = linear("AP", n_rounds=4, random_state=5, n_threads=1)
    arguments = {"X": few, **({"valid": other, "baseline": rr.Feature(1)} if with_valid else {})}
    resumed_as_if_nothing_happened(monkeypatch, ranker, tmp_path / "c", at=at, every=every, **arguments)
    assert ranker.card_["rounds"] == 4


def test_a_resumed_training_breaks_ties_as_before(linear, tmp_path, monkeypatch):
    sides = {"X": tied_data(1, n_queries=12), "valid": tied_data(2, n_queries=12)}
    ranker = linear(n_rounds=4, random_state=3, n_threads=1)
    resumed_as_if_nothing_happened(monkeypatch, ranker, tmp_path / "c", at=1, every=1, **sides)


def test_a_resumed_training_makes_no_start_twice(few, tmp_path, monkeypatch):
    ranker = rr.LinearRanker(n_starts=4, tolerance=1.0, n_threads=1)  # a round for each start
    resumed_as_if_nothing_happened(monkeypatch, ranker, tmp_path / "c", at=3, every=1, X=few)
    assert ranker.card_["rounds"] == 4


def test_a_resumed_training_knows_which_feature_changed_nothing(train, tmp_path, monkeypatch):
    ranker = rr.AdaRank(n_rounds=6, n_threads=1)  # the first two rounds choose the same feature
    resumed_as_if_nothing_happened(monkeypatch, ranker, tmp_path / "c", at=2, every=1, X=train)


def test_a_training_of_another_measure_is_not_resumed(linear, few, tmp_path, monkeypatch):
    ranker = linear("AP", n_threads=1)
    crashed(monkeypatch, ranker, at=1, X=few, checkpoint=tmp_path / "c", checkpoint_every=1)
    with pytest.raises(ParameterError, match="is of another training: .*AP"):
        ranker.set_params(measure="RR").fit(few, checkpoint=tmp_path / "c", resume=True)


@pytest.mark.parametrize("measure", ["nDCG@10", "AP", "ERR@10", "RR"])
def test_history_and_model_go_by_the_measure(linear, measure, few):
    ranker = linear(measure, n_rounds=2, n_threads=1).fit(few)
    expected = rr.evaluate(few, {"model": ranker.predict(few)}, measure).matrix.mean()
    assert ranker.history_["train_effectiveness"][ranker.best_steps_ - 1] == pytest.approx(expected, abs=1e-12)
    assert ranker.history_["train_effectiveness"].max() == pytest.approx(expected, abs=1e-12)


def test_a_baseline_adds_risk_and_reward_to_the_history_and_changes_nothing(linear, few, other):
    ranker = linear(n_rounds=3, n_threads=1).fit(few, baseline=rr.Feature(2), valid=other)
    best = ranker.best_steps_ - 1
    for side, data in (("train", few), ("valid", other)):
        values = rr.evaluate(data, {"model": ranker.predict(data), "baseline": data.feature(2)}, "nDCG@10")
        change = values["model"] - values["baseline"]
        assert ranker.history_[f"{side}_reward"][best] == pytest.approx(np.maximum(change, 0).mean(), abs=1e-12)
        assert ranker.history_[f"{side}_risk"][best] == pytest.approx(np.maximum(-change, 0).mean(), abs=1e-12)
        assert not np.isnan(ranker.history_[f"{side}_urisk"]).any()
    without = linear(n_rounds=3, n_threads=1).fit(few, valid=other)
    assert np.isnan(without.history_["train_risk"]).all()
    np.testing.assert_array_equal(without.weights_, ranker.weights_)


def rows_of(folder):
    return json.loads((folder / "weights.json").read_text(encoding="utf-8"))["weights"]


def by_hand(folder, data):
    """Scores from the numbers in the file."""
    scores = np.zeros(data.n_documents)
    for row in rows_of(folder):
        values = data.feature(row["feature"]).astype(np.float64)
        values = np.where(np.isnan(values), row["mean"], values)
        scores += row["weight"] * (values - row["mean"]) / row["spread"]
    return scores


@pytest.mark.parametrize("first_feature", [0, 1])
def test_the_file_of_weights_is_all_that_scores_need(linear, first_feature, few, other, tmp_path):
    holes = np.where(np.random.default_rng(0).random(other.features.shape) < 0.1, np.nan, other.features)
    few, other, missing = (
        dataclasses.replace(data, first_feature=first_feature) for data in (few, other, with_features(other, holes))
    )
    ranker = linear(n_rounds=3, n_threads=1).fit(few)
    ranker.save(tmp_path / "model")
    back = rr.load(tmp_path / "model")
    for data in (few, other, missing):
        np.testing.assert_allclose(ranker.predict(data), by_hand(tmp_path / "model", data), rtol=1e-9, atol=1e-12)
        np.testing.assert_array_equal(back.predict(data), ranker.predict(data))
    np.testing.assert_array_equal(back.weights_, ranker.weights_)


def test_the_file_of_weights_names_features_as_the_data_do(linear, train, tmp_path):
    features = np.zeros((train.n_documents, 3))
    features[:, 2] = train.labels
    for first in (0, 1):
        data = dataclasses.replace(train, features=features, first_feature=first)
        linear(n_rounds=1, n_threads=1).fit(data).save(tmp_path / "model")
        (row,) = rows_of(tmp_path / "model")
        assert row["feature"] == first + 2
        assert row["weight"] > 0
        assert row["mean"] == pytest.approx(train.labels.mean())
        assert row["spread"] == pytest.approx(train.labels.std())


def test_a_missing_value_counts_as_the_mean_of_those_that_are_known(linear, few, other, tmp_path):
    rng = np.random.default_rng(0)
    holes = np.where(rng.random(few.features.shape) < 0.3, np.nan, few.features)
    ranker = linear(n_rounds=3, n_threads=1).fit(with_features(few, holes))
    ranker.save(tmp_path / "model")
    for row in rows_of(tmp_path / "model"):
        known = holes[:, row["feature"] - 1]
        assert row["mean"] == pytest.approx(np.nanmean(known), rel=1e-6, abs=1e-6)
        assert row["spread"] == pytest.approx(np.nanstd(known), rel=1e-6)
    missing = np.where(rng.random(other.features.shape) < 0.3, np.nan, other.features)
    filled = np.where(np.isnan(missing), np.nanmean(holes, axis=0), missing)
    np.testing.assert_allclose(ranker.predict(missing), ranker.predict(filled), atol=1e-5)
    imputation = json.loads((tmp_path / "model" / "card.json").read_text())["imputation"]
    assert imputation == {str(row["feature"]): row["mean"] for row in rows_of(tmp_path / "model")}
    nothing_known = ranker.predict(np.full((2, few.n_features), np.nan))
    np.testing.assert_array_equal(nothing_known, [0, 0])


def test_the_scale_of_a_feature_does_not_matter(linear, few):
    scales = 2.0 ** np.arange(-10, 14, 2)
    ranker, other = (
        linear(n_rounds=3, n_threads=1).fit(with_features(few, features))
        for features in (few.features, few.features * scales)
    )
    np.testing.assert_allclose(other.weights_, ranker.weights_, rtol=1e-12)
    np.testing.assert_allclose(other.predict(few.features * scales), ranker.predict(few), rtol=1e-9, atol=1e-12)


def test_it_does_not_matter_whether_standardised_features_are_kept(linear, few, monkeypatch):
    kept = linear(n_rounds=2, n_threads=1).fit(few).weights_
    monkeypatch.setattr(linear_model, "KEPT_BYTES", 0)
    np.testing.assert_array_equal(linear(n_rounds=2, n_threads=1).fit(few).weights_, kept)


@pytest.mark.parametrize("value", [np.inf, -np.inf])
def test_infinite_features_get_no_score(linear, value, few):
    ranker = linear(n_rounds=1, n_threads=1).fit(few)
    features = np.array(few.features)
    features[7, 2] = value
    with pytest.raises(AlignmentError, match="feature 3 of document 8 is infinite. Use a number, or NaN"):
        ranker.predict(features)
    with pytest.raises(AlignmentError, match="feature 2 of document 8 is infinite"):
        ranker.predict(dataclasses.replace(few, features=features, first_feature=0))
    features[7, 2] = np.nan
    assert np.isfinite(ranker.predict(features)).all()


@pytest.mark.parametrize("value", [0, -3, 2.5, True, None, "many"])
def test_the_number_of_rounds_must_be_a_whole_number_from_1(linear, value, train):
    with pytest.raises(ParameterError, match=f"n_rounds must be a whole number from 1, got {value!r}"):
        linear(n_rounds=value).fit(train)


@pytest.mark.parametrize("value", [-1, -1e-9, np.nan, np.inf, True, None])
@pytest.mark.parametrize("ranker", [rr.AFS, rr.LinearRanker])
def test_the_tolerance_must_be_a_number_from_0(ranker, value, train):
    with pytest.raises(ParameterError, match=f"tolerance must be a number from 0, got {value!r}"):
        ranker(tolerance=value).fit(train)


SWITCHES = [(rr.AdaRank, "signed"), (rr.AFS, "adjust")]


@pytest.mark.parametrize("value", [0, 1, 1.0, None, "no"])
@pytest.mark.parametrize(("ranker", "name"), SWITCHES)
def test_a_switch_must_be_true_or_false(ranker, name, value, train):
    with pytest.raises(ParameterError, match=f"{name} must be True or False, got {value!r}"):
        ranker(**{name: value}).fit(train)


@pytest.mark.parametrize(("ranker", "name"), SWITCHES)
def test_a_switch_may_be_one_of_numpy(ranker, name, few, tmp_path):
    of_numpy, plain = (ranker(n_rounds=2, n_threads=1, **{name: no}).fit(few) for no in (np.False_, False))
    np.testing.assert_array_equal(of_numpy.weights_, plain.weights_)
    of_numpy.save(tmp_path / "model")
    assert rr.load(tmp_path / "model").get_params()[name] is False


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
