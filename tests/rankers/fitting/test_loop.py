"""The loop: history, the best step, stopping early, and going on from a checkpoint."""

from __future__ import annotations

import numpy as np
import pytest

import riskrank as rr
from riskrank.rankers.fitting.loop import make_steps
from riskrank.rankers.fitting.plan import plan_fit

from ..interrupted_trees import BASELINE, interrupted, seventy_trees
from ..interrupting import Crash, crash
from ..outside_ranker import BestFeature
from .small_trees import grown, predicted, values


def test_the_history_agrees_with_the_evaluation_of_every_model_on_the_way(train, valid, engine):
    ranker = grown(train, engine, valid=valid)
    history = ranker.history_
    assert len(history) == 12
    np.testing.assert_array_equal(history["trees"], np.arange(1, 13))
    for side, data in (("train", train), ("valid", valid)):
        baseline = values(data, BASELINE.scores(data))
        for row in range(12):
            model = values(data, predicted(ranker, data, row + 1))
            expected = {
                "effectiveness": model.mean(),
                "reward": rr.risk.reward(model, baseline),
                "risk": rr.risk.risk(model, baseline),
                "urisk": rr.risk.urisk(model, baseline, alpha=3),
            }
            actual = {number: history[f"{side}_{number}"][row] for number in expected}
            assert actual == pytest.approx(expected, abs=1e-12)


def test_validation_alone_changes_nothing(train, valid, engine):
    alone, watched = grown(train, engine), grown(train, engine, valid=valid)
    np.testing.assert_array_equal(alone.predict(valid), watched.predict(valid))
    assert watched.best_trees_ == 12
    assert np.isnan(watched.history_["watched"]).all()


@pytest.mark.parametrize("measure", [None, "nDCG@5", "nDCG@20", "AP", "RR", "ERR@3"])
def test_the_best_number_of_trees_is_the_best_by_the_measure(measure, train, valid, engine):
    ranker = grown(train, engine, valid=valid, valid_measure=measure, early_stopping=50)
    whole = grown(train, engine)
    expected = [values(valid, predicted(whole, valid, n), measure or "nDCG@5").mean() for n in range(1, 13)]
    np.testing.assert_allclose(ranker.history_["watched"], expected, atol=1e-12)
    assert ranker.best_trees_ == 1 + int(np.argmax(ranker.history_["watched"]))
    assert ranker.card_["trees"] == 12
    assert ranker.card_["best_trees"] == ranker.best_trees_
    np.testing.assert_array_equal(ranker.predict(valid), predicted(whole, valid, ranker.best_trees_))


def test_a_measure_alone_chooses_the_best_too(train, valid):
    ranker = grown(train, valid=valid, valid_measure="AP")
    assert ranker.best_trees_ == 1 + int(np.argmax(ranker.history_["watched"]))
    assert ranker.card_["trees"] == 12


def test_training_stops_when_validation_does_not_improve(train, valid, engine):
    ranker = grown(train, engine, valid=valid, n_trees=500, early_stopping=5)
    assert ranker.card_["trees"] < 500
    assert ranker.card_["trees"] == ranker.best_trees_ + 5
    assert ranker.card_["ending"] == "no better on validation queries for 5 trees"
    assert len(ranker.history_) == ranker.card_["trees"]
    assert not np.isnan(ranker.history_["train_effectiveness"]).any()
    assert np.argmax(ranker.history_["watched"]) == ranker.best_trees_ - 1
    full = grown(train, engine, valid=valid, n_trees=ranker.best_trees_)
    np.testing.assert_array_equal(full.predict(valid), ranker.predict(valid))


def test_training_ends_where_nothing_is_left_to_gain():
    features = np.array([[1.0], [0.0]] * 30)
    ranker = rr.LambdaMART(rr.Gain(truncation=None), n_trees=5, n_leaves=2, min_docs_in_leaf=1)
    ranker.fit(features, [1, 0] * 30, group=[2] * 30)
    np.testing.assert_array_equal(ranker.history_["train_effectiveness"], np.ones(ranker.card_["trees"]))
    flat = rr.LambdaMART(n_trees=5).fit(np.ones((60, 1)), [1, 0] * 30, group=[2] * 30)
    assert flat.card_["trees"] == 0
    assert flat.card_["ending"] == "no split was worth another tree after 0 trees"
    assert len(flat.history_) == 0


@pytest.mark.parametrize("measure", [None, "objective", "AP"])
def test_validation_and_early_stopping_go_on_where_they_were(measure, train, valid, tmp_path, engine):
    parameters = {"n_trees": 300, "learning_rate": 0.3, "early_stopping": 12, "valid_measure": measure}
    expected = seventy_trees(engine, **parameters).fit(train, baseline=BASELINE, valid=valid)
    assert 12 < expected.card_["trees"] < 300
    interrupted(seventy_trees(engine, **parameters), tmp_path / "c", train, at=11, valid=valid)
    resumed = seventy_trees(engine, **parameters)
    resumed.fit(train, baseline=BASELINE, valid=valid, checkpoint=tmp_path / "c", resume=True)
    np.testing.assert_array_equal(resumed.predict(valid), expected.predict(valid))
    np.testing.assert_equal(resumed.history_.columns, expected.history_.columns)
    assert resumed.best_trees_ == expected.best_trees_


def test_a_training_may_be_interrupted_again_and_again(train, valid, tmp_path, engine):
    expected = seventy_trees(engine).fit(train, baseline=BASELINE)
    for at in (7, 4, 6):  # grown since the last interruption
        interrupted(seventy_trees(engine), tmp_path / "c", train, at=at, checkpoint_every=3, resume=True)
    resumed = seventy_trees(engine).fit(train, baseline=BASELINE, checkpoint=tmp_path / "c", resume=True)
    np.testing.assert_array_equal(resumed.predict(valid), expected.predict(valid))


# With a learner whose every step is known: it tries one feature after the other.


def trained(train, valid=None, *, n_tries=6, resumed=None, early_stopping=None, valid_measure=None, **arguments):
    ranker = BestFeature(n_tries=n_tries, early_stopping=early_stopping, valid_measure=valid_measure, n_threads=1)
    plan = plan_fit(ranker, train, valid=valid, **arguments)
    learner = ranker.learner(plan, resumed)
    return make_steps(plan, learner, resumed), learner


def feature_values(data, n_features=6):
    columns = {number: data.feature(number) for number in range(1, n_features + 1)}
    return rr.evaluate(data, columns, "nDCG@10").matrix.mean(axis=1)


def test_every_step_is_a_row_of_the_history(train, valid):
    result, learner = trained(train, valid)
    assert (result.n_steps, result.best_steps, result.is_interrupted) == (6, 6, False)
    assert result.ending == "all 6 tries done"
    np.testing.assert_array_equal(result.history["tries"], np.arange(1, 7))
    for side, data in (("train", train), ("valid", valid)):
        np.testing.assert_allclose(result.history[f"{side}_effectiveness"], feature_values(data), atol=1e-12)
    assert learner.kept == []


@pytest.mark.parametrize("stops", [None, 2])
def test_changes_of_validation_queries_are_those_of_the_steps_to_use(train, valid, stops):
    result, _ = trained(train, valid, early_stopping=stops, baseline=rr.Feature(7))
    values = rr.evaluate(valid, {"used": valid.feature(result.best_steps), "old": valid.feature(7)}, "nDCG@10")
    np.testing.assert_allclose(result.valid_changes, values["used"] - values["old"], atol=1e-12)
    assert trained(train, valid, early_stopping=stops)[0].valid_changes is None


def test_the_learner_keeps_what_is_better_than_all_before(train, valid):
    result, learner = trained(train, valid, valid_measure="nDCG@10")
    expected = feature_values(valid)
    assert learner.kept == [k for k in range(6) if expected[k] > max(expected[:k], default=-np.inf)]
    assert result.best_steps == 1 + int(np.argmax(expected))


def test_training_stops_after_so_many_steps_without_a_better_one(train, valid):
    expected = feature_values(valid, 20)
    best = next(k for k in range(20) if expected[k] == max(expected[: k + 3]))
    result, _ = trained(train, valid, n_tries=20, early_stopping=2)
    assert (result.best_steps, result.n_steps) == (best + 1, best + 3)
    assert result.ending == "no better on validation queries for 2 tries"


def test_a_learner_says_when_there_is_nothing_left_to_learn(train):
    result, _ = trained(train, n_tries=99)
    assert (result.n_steps, result.ending) == (20, "all 20 features were tried")


@pytest.mark.parametrize("every", [1, 2, 4])
def test_a_training_that_is_resumed_makes_only_the_steps_that_are_missing(every, train, valid, tmp_path):
    arguments = {"valid_measure": "AP", "checkpoint": tmp_path / "c", "checkpoint_every": every}
    expected, _ = trained(train, valid, valid_measure="AP")
    ranker = BestFeature(n_tries=6, valid_measure="AP", n_threads=1)
    plan = plan_fit(ranker, train, valid=valid, checkpoint=tmp_path / "c", checkpoint_every=every)
    learner = ranker.learner(plan, None)
    step = learner.step
    learner.step = lambda number: step(number) if number < 5 else crash()
    with pytest.raises(Crash):
        make_steps(plan, learner, None)
    checkpoint = plan.checkpoints.read()
    assert checkpoint.n_steps == 5 // every * every
    result, learner = trained(train, valid, resumed=checkpoint, **arguments)
    np.testing.assert_equal(result.history.columns, expected.history.columns)
    assert result.best_steps == expected.best_steps
    assert set(learner.kept) <= set(range(checkpoint.n_steps, 6))
    assert not (tmp_path / "c").exists()
