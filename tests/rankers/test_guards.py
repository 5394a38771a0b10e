"""Training stops at objectives that cannot teach anything."""

from __future__ import annotations

import math

import numpy as np
import pytest

import riskrank as rr
from riskrank.errors import TrainingError
from riskrank.objectives import own_target


def upside_down(delta, query, run):
    return -delta


def not_a_number(delta, query, run):
    return delta * math.nan


def infinite(delta, query, run):
    return delta * math.inf


def nothing(delta, query, run):
    return 0.0 * delta


def later_infinite(delta, query, run):
    return delta if run.mean_difference < -0.01 else delta * math.inf


def doubled(delta, query, run):
    return 2.0 * delta


@pytest.mark.parametrize(
    ("target", "message"),
    [
        (upside_down, "upside_down.'nDCG@10'. pushes better documents down: its target must have the sign of delta"),
        (not_a_number, "not_a_number.'nDCG@10'. gave gradients that are not finite after 0 trees"),
        (infinite, "infinite.'nDCG@10'. gave gradients that are not finite after 0 trees"),
        (nothing, "nothing.'nDCG@10'. gives no document a gradient"),
        (later_infinite, "later_infinite.'nDCG@10'. gave gradients that are not finite after [1-9][0-9]* trees"),
    ],
    ids=lambda x: getattr(x, "__name__", ""),
)
def test_a_target_that_cannot_teach_stops_training(target, message, train, engine):
    ranker = rr.LambdaMART(own_target(target)(), n_trees=40, n_leaves=6, learning_rate=0.3, engine=engine, n_threads=1)
    with pytest.raises(TrainingError, match=message):
        ranker.fit(train, baseline=rr.Feature(1))
    assert not hasattr(ranker, "model_")


def test_a_failed_training_leaves_the_earlier_model(train, valid):
    ranker = rr.LambdaMART(n_trees=3, n_leaves=4).fit(train)
    scores = ranker.predict(valid)
    with pytest.raises(TrainingError):
        ranker.set_params(objective=own_target(upside_down)()).fit(train, baseline=rr.Feature(1))
    np.testing.assert_array_equal(ranker.predict(valid), scores)


def test_a_model_of_an_own_objective_predicts_wherever_it_is_loaded(train, valid, tmp_path):
    ranker = rr.LambdaMART(own_target(doubled)(alpha=2.0), n_trees=4, n_leaves=4).fit(train, baseline=rr.Feature(1))
    ranker.save(tmp_path / "model")
    back = rr.load(tmp_path / "model")
    np.testing.assert_array_equal(back.predict(valid), ranker.predict(valid))
    assert back.card_["objective"]["objective"] == "doubled"
    assert back.objective is None
    back.save(tmp_path / "again")
    assert rr.load(tmp_path / "again").card_ == ranker.card_


def test_signals_are_handed_back_after_training(train):
    import signal

    before = signal.getsignal(signal.SIGINT), signal.getsignal(signal.SIGTERM)
    rr.LambdaMART(n_trees=2, n_leaves=4).fit(train)
    with pytest.raises(TrainingError):
        rr.LambdaMART(own_target(nothing)()).fit(train, baseline=rr.Feature(1))
    assert (signal.getsignal(signal.SIGINT), signal.getsignal(signal.SIGTERM)) == before
