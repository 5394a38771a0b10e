"""What all rankers have in common, beyond their contract."""

from __future__ import annotations

import numpy as np
import pytest

import riskrank as rr
from riskrank.errors import MeasureError, ParameterError, TrainingError, UnknownMeasureError
from riskrank.objectives import own_target

from .assert_refused import assert_refused
from .outside_ranker import BestFeature


def upside_down(delta, query, training):
    return -delta


def doubled(delta, query, training):
    return 2.0 * delta


def test_a_failed_training_leaves_the_model_as_it_was(train, valid):
    ranker = rr.LambdaMART(n_trees=3, n_leaves=4).fit(train)
    scores = ranker.predict(valid)
    with pytest.raises(TrainingError):
        ranker.set_params(objective=own_target(upside_down)()).fit(train, baseline=rr.Feature(1))
    np.testing.assert_array_equal(ranker.predict(valid), scores)


def test_a_model_of_an_objective_of_ones_own_predicts_wherever_it_is_loaded(train, valid, tmp_path):
    ranker = rr.LambdaMART(own_target(doubled)(alpha=2.0), n_trees=4, n_leaves=4).fit(train, baseline=rr.Feature(1))
    ranker.save(tmp_path / "model")
    back = rr.load(tmp_path / "model")
    np.testing.assert_array_equal(back.predict(valid), ranker.predict(valid))
    assert back.card_["objective"]["objective"] == "doubled"
    assert back.objective is None
    back.save(tmp_path / "again")
    assert rr.load(tmp_path / "again").card_ == ranker.card_


def test_a_measure_that_cannot_be_optimised_is_refused_before_training(train, valid):
    assert_refused(UnknownMeasureError, "nDGC", train, fit={"valid": valid}, valid_measure="nDGC@10")
    for measure in ("Bpref", rr.parse_measure("Bpref")):
        message = "valid_measure cannot be Bpref: choose one of AP, DCG.*, Success, or objective"
        assert_refused(MeasureError, message, train, fit={"valid": valid}, valid_measure=measure)
    assert_refused(MeasureError, "Bpref cannot be optimised", train, objective=rr.Gain("Bpref"))


def test_numbers_of_numpy_are_numbers(train, valid, tmp_path, engine):
    plain = rr.LambdaMART(rr.URisk(alpha=2), n_trees=4, n_leaves=4, learning_rate=0.2, engine=engine)
    of_numpy = rr.LambdaMART(
        rr.URisk(alpha=np.float64(2)),
        n_trees=np.int64(4),
        n_leaves=np.int32(4),
        learning_rate=np.float64(0.2),
        random_state=np.int64(0),
        engine_params={"max_bin": np.int64(256 if engine == "xgboost" else 255)},
        engine=engine,
    )
    scores = [ranker.fit(train, baseline=rr.Feature(1)).predict(valid) for ranker in (plain, of_numpy)]
    np.testing.assert_array_equal(*scores)
    of_numpy.save(tmp_path / "model")
    np.testing.assert_array_equal(rr.load(tmp_path / "model").predict(valid), scores[0])


# What a ranker of another package need not define.


def test_the_contract_has_defaults_for_all_but_the_learning():
    ranker = BestFeature("AP", n_tries=3)
    assert ranker.training_objective == rr.Gain("AP")
    assert ranker.label == "Gain('AP')"
    assert ranker.checkpoint_every == 50
    assert ranker.engine_versions() == {}
    assert ranker.importances() == {}
    assert ranker.plain_parameters()["n_tries"] == 3
    assert ranker.runs_in_threads
    assert not ranker.uses_best_step(has_valid=True)
    assert ranker.set_params(early_stopping=2).uses_best_step(has_valid=True)
    assert not ranker.uses_best_step(has_valid=False)


def test_a_minimal_ranker_is_fitted_saved_and_scored_like_any_other(train, valid, tmp_path):
    ranker = BestFeature("AP", n_tries=4, valid_measure="AP").fit(train, baseline=rr.Feature(1), valid=valid)
    assert ranker.card_["tries"] == 4
    best = rr.evaluate(valid, {n: valid.feature(n) for n in range(1, 5)}, "AP").matrix.mean(axis=1).argmax()
    np.testing.assert_array_equal(ranker.predict(valid), valid.features[:, best])
    assert ranker.score(valid) == pytest.approx(rr.evaluate(valid, {"x": valid.features[:, best]}, "AP").matrix.mean())
    ranker.save(tmp_path / "model")
    np.testing.assert_array_equal(BestFeature.load(tmp_path / "model").predict(valid), ranker.predict(valid))
    assert (tmp_path / "model" / "feature.txt").read_text() == str(best)


def test_a_kind_loads_its_own_models_only(train, tmp_path):
    BestFeature(n_tries=1).fit(train).save(tmp_path / "model")
    with pytest.raises(ParameterError, match="is a BestFeature, not a LambdaMART. Load it with riskrank.load"):
        rr.LambdaMART.load(tmp_path / "model")


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"early_stopping": 0}, "early_stopping must be a whole number from 1, got 0"),
        ({"n_threads": 0}, "n_threads must be a whole number from 1, got 0"),
        ({"random_state": -1}, "random_state must be a whole number from 0, got -1"),
    ],
)
def test_what_all_rankers_take_is_checked_for_all(parameters, message, train):
    with pytest.raises(ParameterError, match=message):
        BestFeature(**parameters).fit(train)
