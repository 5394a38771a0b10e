"""Validation queries: the history, the best number of trees, and stopping early."""

from __future__ import annotations

import json

import numpy as np
import pytest

import riskrank as rr
from riskrank.rankers.fitting.history import History

OBJECTIVE = rr.URisk("nDCG@5", alpha=3)
BASELINE = rr.Feature(1)


def grown(train, engine="lightgbm", *, objective=OBJECTIVE, baseline=BASELINE, valid=None, **parameters):
    parameters = {"n_trees": 12, "n_leaves": 6, "learning_rate": 0.3, "n_threads": 1, **parameters}
    return rr.LambdaMART(objective, engine=engine, **parameters).fit(train, baseline=baseline, valid=valid)


def values(data, scores, measure="nDCG@5"):
    return rr.evaluate(data, {"x": scores}, measure)["x"]


def predicted(ranker, data, n_trees):
    return ranker.model_.predict(data.features, n_trees=n_trees, n_threads=1)


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
            found = {number: history[f"{side}_{number}"][row] for number in expected}
            assert found == pytest.approx(expected, abs=1e-12)


def test_without_a_baseline_only_the_effectiveness_is_known(train, valid):
    ranker = grown(train, objective=rr.Gain("nDCG@5"), baseline=None, valid=valid)
    assert ranker.history_.frame.columns == ["trees", "train_effectiveness", "valid_effectiveness"]
    alone = grown(train, objective=rr.Gain("nDCG@5"), baseline=None)
    assert alone.history_.frame.columns == ["trees", "train_effectiveness"]
    assert alone.card_["validation_data"] is None


def test_the_history_is_a_table_and_survives_saving(train, valid, tmp_path):
    ranker = grown(train, valid=valid, early_stopping=50)
    frame = ranker.history_.frame
    assert frame["trees"].to_list() == list(range(1, 13))
    assert frame.columns[-1] == "target"
    ranker.save(tmp_path / "model")
    assert rr.load(tmp_path / "model").history_.frame.equals(frame)
    partial = History()
    partial.add({"trees": 1.0, "train_risk": 0.5})
    back = History.from_json(json.loads(json.dumps(partial.to_json())))
    np.testing.assert_equal(back.columns, partial.columns)


def test_validation_alone_changes_nothing(train, valid, engine):
    alone, watched = grown(train, engine), grown(train, engine, valid=valid)
    np.testing.assert_array_equal(alone.predict(valid), watched.predict(valid))
    assert watched.best_trees_ == 12
    assert np.isnan(watched.history_["target"]).all()


@pytest.mark.parametrize("measure", [None, "nDCG@5", "nDCG@20", "AP", "RR", "ERR@3"])
def test_the_best_number_of_trees_is_the_best_by_the_measure(measure, train, valid, engine):
    ranker = grown(train, engine, valid=valid, valid_measure=measure, early_stopping=50)
    expected = [values(valid, predicted(ranker, valid, n), measure or "nDCG@5").mean() for n in range(1, 13)]
    np.testing.assert_allclose(ranker.history_["target"], expected, atol=1e-12)
    assert ranker.best_trees_ == 1 + int(np.argmax(ranker.history_["target"]))
    assert ranker.card_["trees"] == 12
    assert ranker.card_["best_trees"] == ranker.best_trees_
    np.testing.assert_array_equal(ranker.predict(valid), predicted(ranker, valid, ranker.best_trees_))


def test_a_measure_alone_chooses_the_best_too(train, valid):
    ranker = grown(train, valid=valid, valid_measure="AP")
    assert ranker.best_trees_ == 1 + int(np.argmax(ranker.history_["target"]))
    assert ranker.card_["trees"] == 12


@pytest.mark.parametrize(
    ("objective", "worth"),
    [
        (OBJECTIVE, lambda model, baseline: rr.risk.urisk(model, baseline, alpha=3)),
        (rr.SARO("nDCG@5", alpha=2), lambda model, baseline: rr.risk.urisk(model, baseline, alpha=2)),
        (rr.Gain("nDCG@5"), lambda model, baseline: model.mean()),
        (
            rr.GeoRisk("nDCG@5", alpha=2),
            lambda model, baseline: rr.risk.georisk(np.array([model, baseline]), alpha=2)[0],
        ),
        (
            rr.CVaR("nDCG@5", alpha=2, share=0.25),
            lambda model, baseline: rr.risk.gain(model, baseline) - 2 * rr.risk.cvar(model, baseline, share=0.25),
        ),
    ],
    ids=lambda x: getattr(x, "name", ""),
)
def test_the_target_is_what_the_objective_itself_gives_the_model(objective, worth, train, valid):
    ranker = grown(train, objective=objective, valid=valid, valid_measure="target")
    baseline = values(valid, BASELINE.scores(valid))
    expected = [worth(values(valid, predicted(ranker, valid, n)), baseline) for n in range(1, 13)]
    np.testing.assert_allclose(ranker.history_["target"], expected, atol=1e-9)
    assert ranker.best_trees_ == 1 + int(np.argmax(expected))


def test_training_stops_when_validation_does_not_improve(train, valid, engine):
    ranker = grown(train, engine, valid=valid, n_trees=500, early_stopping=5)
    assert ranker.card_["trees"] < 500
    assert ranker.card_["trees"] == ranker.best_trees_ + 5
    assert ranker.card_["ending"] == "no better on validation queries for 5 trees"
    assert len(ranker.history_) == ranker.card_["trees"]
    assert not np.isnan(ranker.history_["train_effectiveness"]).any()
    assert np.argmax(ranker.history_["target"]) == ranker.best_trees_ - 1
    full = grown(train, engine, valid=valid, n_trees=ranker.best_trees_)
    np.testing.assert_array_equal(full.predict(valid), ranker.predict(valid))


def test_training_ends_where_nothing_is_left_to_gain():
    features = np.array([[1.0], [0.0]] * 30)
    ranker = rr.LambdaMART(rr.Gain(truncation=None), n_trees=5, n_leaves=2, min_docs_in_leaf=1)
    ranker.fit(features, [1, 0] * 30, group=[2] * 30)
    np.testing.assert_array_equal(ranker.history_["train_effectiveness"], np.ones(ranker.card_["trees"]))
    flat = rr.LambdaMART(n_trees=5).fit(np.ones((60, 1)), [1, 0] * 30, group=[2] * 30)
    assert flat.card_["trees"] == 0
    assert flat.card_["ending"] == "no split was worth a tree after 0"
    assert len(flat.history_) == 0


def test_validation_data_come_as_data_file_or_arrays(train, valid, letor, tmp_path):
    (tmp_path / "valid.txt").write_text(letor(valid))
    qid = np.repeat(valid.query_ids, np.diff(valid.query_offsets))
    expected = grown(train, valid=valid).history_.columns
    for same in (tmp_path / "valid.txt", str(tmp_path / "valid.txt"), (valid.features, valid.labels, qid)):
        np.testing.assert_equal(grown(train, valid=same).history_.columns, expected)
