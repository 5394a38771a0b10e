"""Validation queries: in any form, with baselines of their own, and the measure that they are judged by."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

import riskrank as rr
from riskrank.data.baseline_scores import baseline_scores
from riskrank.errors import AlignmentError, ParameterError, RiskrankError
from riskrank.objectives.on_data.bound_objective import BoundObjective
from riskrank.rankers.fitting.validation import ValidMeasure

from ..assert_refused import assert_refused
from ..contract import in_turns, qid_of
from .small_trees import BASELINE, OBJECTIVE, fitted, grown, predicted, run_of, scores_of, values


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
def test_what_the_objective_itself_gives_the_model_may_be_watched(objective, worth, train, valid):
    ranker = grown(train, objective=objective, valid=valid, valid_measure="objective")
    whole, baseline = grown(train, objective=objective), values(valid, BASELINE.scores(valid))
    expected = [worth(values(valid, predicted(whole, valid, n)), baseline) for n in range(1, 13)]
    np.testing.assert_allclose(ranker.history_["watched"], expected, atol=1e-9)
    assert ranker.best_trees_ == 1 + int(np.argmax(expected))


def test_validation_data_come_as_data_file_or_arrays(train, valid, letor, tmp_path):
    (tmp_path / "valid.txt").write_text(letor(valid))
    qid = np.repeat(valid.query_ids, np.diff(valid.query_offsets))
    expected = grown(train, valid=valid).history_.columns
    for same in (tmp_path / "valid.txt", str(tmp_path / "valid.txt"), (valid.features, valid.labels, qid)):
        np.testing.assert_equal(grown(train, valid=same).history_.columns, expected)


@pytest.mark.parametrize("valid_measure", [None, "AP", "ERR@3", "objective"])
def test_the_order_of_documents_in_the_validation_data_changes_nothing(valid_measure, train, valid):
    """One tree of three leaves, of which each gives the same score to many documents; sorted by label either way."""
    qid, tied = qid_of(valid), np.round(scores_of(valid) / 8)
    histories = []
    for key in (valid.labels, -valid.labels):
        order = np.lexsort((key, valid.query_numbers))
        data = (valid.features[order], valid.labels[order], qid[order])
        ranker = rr.LambdaMART(OBJECTIVE, n_trees=2, n_leaves=3, valid_measure=valid_measure, n_threads=1)
        ranker.fit(train, baseline=BASELINE, valid=data, valid_baseline=tied[order])
        histories.append(ranker.history_)
    for name in ("valid_effectiveness", "valid_risk", "valid_urisk", "watched"):
        np.testing.assert_allclose(histories[0][name], histories[1][name], atol=1e-12)


def test_validation_data_must_fit(train, valid, engine):
    narrow = dataclasses.replace(valid, features=valid.features[:, :5])
    infinite = np.array(valid.features)
    infinite[0, 0] = -np.inf
    for other, message in (
        (narrow, "the model has 20 features, validation data have 5"),
        (dataclasses.replace(valid, features=infinite), "feature 1 of document 1 is infinite"),
        ((valid.features[:0], [], []), "there are no documents"),
    ):
        assert_refused(AlignmentError, message, train, fit={"valid": other}, engine=engine)
    assert_refused(RiskrankError, "quer|document", train, fit={"valid": rr.RankingData(np.zeros((0, 20)), [], [0], ())})
    assert_refused(ParameterError, "labels are missing", train, fit={"valid": valid.features})


def test_scores_of_mixed_validation_arrays_follow_their_rows(train, valid):
    order = in_turns(valid)
    mixed = (valid.features[order], valid.labels[order], qid_of(valid)[order])
    expected = fitted(train, baseline=rr.Feature(1), valid=valid).history_
    history = fitted(train, baseline=rr.Feature(1), valid=mixed, valid_baseline=scores_of(valid)[order]).history_
    np.testing.assert_array_equal(history["valid_risk"], expected["valid_risk"])


def test_queries_that_a_run_lacks_have_effectiveness_zero(named):
    train, valid = named
    half = {**run_of(train), **run_of(valid, queries=range(10))}
    ranker = fitted(train, baseline=half, valid=valid)
    model = rr.evaluate(valid, {"m": ranker.predict(valid)}, "nDCG@10")["m"]
    baseline = rr.evaluate(valid, {"b": scores_of(valid)}, "nDCG@10")["b"].copy()
    baseline[10:] = 0
    assert ranker.history_["valid_reward"][-1] == pytest.approx(rr.risk.reward(model, baseline))
    assert ranker.history_["valid_risk"][-1] == pytest.approx(rr.risk.risk(model, baseline))
    with pytest.raises(AlignmentError, match="validation data: run .* no document in common.*Pass valid_baseline="):
        fitted(train, baseline=run_of(train), valid=valid)
    both = fitted(train, baseline=run_of(train), valid=valid, valid_baseline=run_of(valid))
    direct = fitted(train, baseline=rr.Feature(1), valid=valid)
    np.testing.assert_array_equal(both.history_["valid_risk"], direct.history_["valid_risk"])


def test_scores_of_training_documents_say_nothing_of_validation_documents(train, valid):
    with pytest.raises(AlignmentError, match="says nothing of validation data: pass valid_baseline="):
        fitted(train, baseline=scores_of(train), valid=valid)
    same_size = dataclasses.replace(train, query_ids=[f"other {query}" for query in train.query_ids])
    with pytest.raises((AlignmentError, ParameterError), match="valid_baseline="):
        fitted(train, baseline=scores_of(train), valid=same_size)
    ranker = fitted(train, baseline=scores_of(train), valid=valid, valid_baseline=scores_of(valid))
    assert not np.isnan(ranker.history_["valid_risk"]).any()


@pytest.mark.parametrize("watched", [None, "AP", "objective"])
def test_the_valid_measure_is_the_mean_of_a_measure_or_the_objectives_value(watched, valid):
    objective = rr.URisk("nDCG@5", alpha=2)
    bound = BoundObjective(objective, valid, baseline_scores(rr.Feature(1), valid))
    scores = scores_of(valid, 3)
    own, baseline = values(valid, scores), values(valid, scores_of(valid))
    expected = {
        None: own.mean(),
        "AP": values(valid, scores, "AP").mean(),
        "objective": rr.risk.urisk(own, baseline, alpha=2),
    }[watched]
    assert ValidMeasure(watched, bound).value(scores, bound.values(scores)) == pytest.approx(expected, abs=1e-12)


def test_the_former_word_for_the_objectives_value_still_works(train, valid, tmp_path):
    with pytest.warns(DeprecationWarning, match='valid_measure="target" is written "objective" now'):
        former = grown(train, valid=valid, valid_measure="target")
    now = grown(train, valid=valid, valid_measure="objective")
    np.testing.assert_array_equal(former.history_["watched"], now.history_["watched"])
    former.save(tmp_path / "model")
    assert rr.load(tmp_path / "model").valid_measure == "target"  # a saved file needs no warning
