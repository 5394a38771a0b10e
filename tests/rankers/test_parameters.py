"""What LambdaMART refuses before any work is done, and how it says so."""

from __future__ import annotations

import dataclasses
import subprocess
import sys

import numpy as np
import pytest

import riskrank as rr
from riskrank.errors import AlignmentError, MeasureError, ParameterError, RiskrankError, UnknownMeasureError


def refused(error, message, data, *, fit=None, **parameters):
    ranker = rr.LambdaMART(**{"n_trees": 3, "n_leaves": 4, "n_threads": 1, **parameters})
    with pytest.raises(error, match=message) as caught:
        ranker.fit(data, **fit or {})
    assert str(caught.value).count("\n") == 0
    assert not hasattr(ranker, "model_")


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"n_trees": 0}, "n_trees must be a whole number from 1, got 0"),
        ({"n_trees": 2.5}, "n_trees must be a whole number from 1, got 2.5"),
        ({"n_trees": "9"}, "n_trees must be a whole number from 1, got '9'"),
        ({"n_trees": None}, "n_trees must be a whole number from 1, got None"),
        ({"n_leaves": 1}, "n_leaves must be a whole number from 2, got 1"),
        ({"min_docs_in_leaf": -1}, "min_docs_in_leaf must be a whole number from 0 or None, got -1"),
        ({"learning_rate": 0}, "learning_rate must be a number above 0, got 0"),
        ({"learning_rate": -0.1}, "learning_rate must be a number above 0, got -0.1"),
        ({"learning_rate": float("nan")}, "learning_rate must be a number above 0, got nan"),
        ({"learning_rate": float("inf")}, "learning_rate must be a number above 0, got inf"),
        ({"learning_rate": "fast"}, "learning_rate must be a number above 0, got 'fast'"),
        ({"early_stopping": 0}, "early_stopping must be a whole number from 1 or None, got 0"),
        ({"early_stopping": 5}, "early_stopping needs validation data: pass valid="),
        ({"start": "top"}, "start must be one of zero, baseline, got 'top'"),
        ({"start_spread": 0}, "start_spread must be a number above 0, got 0"),
        ({"engine": "lightgmb"}, "unknown engine 'lightgmb'. Did you mean 'lightgbm'. Known: lightgbm, xgboost"),
        ({"engine": None}, "unknown engine 'None'. Known: lightgbm, xgboost"),
        ({"objective": "urisk"}, "objective must be an objective like URisk.'nDCG@10', alpha=5., got 'urisk'"),
        ({"objective": rr.URisk}, "objective must be an objective like URisk"),
        ({"objective": rr.URisk()}, "URisk needs a baseline. Pass baseline=, like Feature.110."),
        ({"start": "baseline"}, "start='baseline' needs exactly one baseline, got 0"),
        ({"random_state": None}, "random_state must be a whole number"),
        ({"random_state": "a"}, "random_state must be a whole number"),
        ({"n_threads": "many"}, "n_threads must be a whole number"),
        ({"n_threads": -1}, "n_threads must be a whole number from 1"),
        ({"engine_params": 5}, "engine_params must be a dict"),
        ({"engine": "xgboost", "fast": True}, "fast training is LightGBM's; leave it out with engine='xgboost'"),
        ({"engine": "xgboost", "min_docs_in_leaf": 5}, "XGBoost has no least number of documents in a leaf"),
    ],
    ids=str,
)  # fmt: skip
def test_a_bad_parameter_is_one_clear_line(parameters, message, train):
    refused(ParameterError, message, train, **parameters)


@pytest.mark.parametrize(
    ("engine", "name", "value"),
    [
        ("lightgbm", "feature_fraction", "abc"),
        ("lightgbm", "feature_fraction", 3),
        ("lightgbm", "max_bin", "x"),
        ("lightgbm", "objective", "lambdarank"),
        ("xgboost", "subsample", "abc"),
        ("xgboost", "subsample", 3),
        ("xgboost", "max_bin", "x"),
        ("xgboost", "objective", "no such"),
        ("xgboost", "booster", "gblinear"),
    ],
)
def test_what_the_engine_refuses_is_one_line_too(engine, name, value, train):
    refused(ParameterError, "refuses the parameters", train, engine=engine, engine_params={name: value})


def test_a_wrong_measure_is_told_before_training(train, valid):
    refused(UnknownMeasureError, "nDGC", train, fit={"valid": valid}, valid_measure="nDGC@10")
    refused(MeasureError, "Bpref cannot be optimised", train, fit={"valid": valid}, valid_measure="Bpref")
    refused(MeasureError, "Bpref cannot be optimised", train, objective=rr.Gain("Bpref"))


def test_validation_data_must_fit(train, valid, engine):
    narrow = dataclasses.replace(valid, features=valid.features[:, :5])
    infinite = np.array(valid.features)
    infinite[0, 0] = -np.inf
    for other, message in (
        (narrow, "validation data have 5 features, training data have 20"),
        (dataclasses.replace(valid, features=infinite), "feature 1 of document 1 is infinite"),
        ((valid.features[:0], [], []), "there are no documents"),
    ):
        refused(AlignmentError, message, train, fit={"valid": other}, engine=engine)
    refused(RiskrankError, "quer|document", train, fit={"valid": rr.RankingData(np.zeros((0, 20)), [], [0], ())})
    refused(ParameterError, "labels are missing", train, fit={"valid": valid.features})


def test_labels_beside_ranking_data_are_too_much(train):
    refused(ParameterError, "RankingData already holds labels and queries; pass it alone", train, fit={"y": [1]})


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"resume": True}, "resume needs the checkpoint folder: pass checkpoint="),
        ({"checkpoint_every": 0}, "checkpoint_every must be a whole number from 1, got 0"),
        ({"checkpoint_every": -1}, "checkpoint_every must be a whole number from 1, got -1"),
    ],
)
def test_checkpoints_need_a_place_and_an_interval(arguments, message, train):
    refused(ParameterError, message, train, fit=arguments)


def test_an_output_that_is_in_the_way_is_refused(train, tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(RiskrankError, match="file"):
        rr.LambdaMART(n_trees=3, n_leaves=4).fit(train, checkpoint=tmp_path / "file", checkpoint_every=1)


@pytest.mark.parametrize(
    ("engine", "short", "full"),
    [
        ("lightgbm", {"eta": 0.5}, {"learning_rate": 0.5}),
        ("lightgbm", {"max_leaves": 3}, {"num_leaves": 3}),
        ("lightgbm", {"max_bins": 3}, {"max_bin": 3}),
        ("xgboost", {"eta": 0.5}, {"learning_rate": 0.5}),
        ("xgboost", {"lambda": 50.0}, {"reg_lambda": 50.0}),
    ],
    ids=str,
)
def test_the_engines_parameters_go_by_all_their_names_and_win(engine, short, full, train, valid):
    def scores(engine_params):
        ranker = rr.LambdaMART(n_trees=4, n_leaves=8, engine=engine, engine_params=engine_params, n_threads=1)
        return ranker.fit(train).predict(valid)

    np.testing.assert_array_equal(scores(short), scores(full))
    assert (scores(full) != scores(None)).any()


def test_numbers_of_numpy_are_numbers(train, valid, tmp_path, engine):
    plain = rr.LambdaMART(rr.URisk(alpha=2), n_trees=4, n_leaves=4, learning_rate=0.2, engine=engine)
    odd = rr.LambdaMART(
        rr.URisk(alpha=np.float64(2)),
        n_trees=np.int64(4),
        n_leaves=np.int32(4),
        learning_rate=np.float64(0.2),
        random_state=np.int64(0),
        engine_params={"max_bin": np.int64(255 if engine == "lightgbm" else 256)},
        engine=engine,
    )
    scores = [ranker.fit(train, baseline=rr.Feature(1)).predict(valid) for ranker in (plain, odd)]
    np.testing.assert_array_equal(*scores)
    odd.save(tmp_path / "model")
    np.testing.assert_array_equal(rr.load(tmp_path / "model").predict(valid), scores[0])


def test_a_changed_parameter_does_not_change_what_was_fitted(train, valid, tmp_path):
    ranker = rr.LambdaMART(n_trees=4, n_leaves=4).fit(train)
    scores = ranker.predict(valid)
    ranker.set_params(engine="xgboost", n_trees=99).save(tmp_path / "model")
    np.testing.assert_array_equal(rr.load(tmp_path / "model").predict(valid), scores)


def test_a_model_of_another_engine_is_replaced_whole(train, tmp_path):
    for engine in ("lightgbm", "xgboost"):
        rr.LambdaMART(n_trees=2, n_leaves=4, engine=engine).fit(train).save(tmp_path / "model")
    assert sorted(path.name for path in (tmp_path / "model").iterdir()) == ["card.json", "history.json", "model.json"]


LINEAR = """
import riskrank as rr
from riskrank.data.synthetic.synthetic_features import web_search_data
data = web_search_data(20, documents_per_query=12, n_features=20)
try:
    rr.LambdaMART(n_trees=2, n_leaves=4, engine_params={"linear_tree": True}).fit(data).predict(data)
except rr.errors.ParameterError as error:
    print(error)
"""


def test_linear_trees_are_grown_or_refused():
    """In a process of its own: LightGBM reads the raw features for them, which may be gone."""
    done = subprocess.run([sys.executable, "-c", LINEAR], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
