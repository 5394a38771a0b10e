"""LambdaNet: every objective, the preset of Burges et al. 2006, validation, starts, parameters, and models on disk."""

from __future__ import annotations

import json
import math
import pickle
import subprocess
import sys

import numpy as np
import pytest
from sklearn.base import clone

import riskrank as rr
from riskrank.errors import AlignmentError, ParameterError, TrainingError
from riskrank.objectives import own_target

torch = pytest.importorskip("torch", reason="nets need PyTorch")
nn = torch.nn


from .small_nets import RANKNET, STILL, Own, column, effectiveness, net_of, own, weights  # noqa: E402 (needs PyTorch)


@pytest.mark.parametrize("name", sorted(rr.objectives.OBJECTIVES))
def test_every_objective_trains_a_net(name, easy):
    objective = rr.objectives.objective_named(name)
    several = [rr.Feature(1), easy.features[:, :2].sum(axis=1).astype(np.float64)]
    baseline = several if name in ("tstar_faro", "georisk", "churn") else rr.Feature(1)
    ranker = net_of(objective, n_epochs=12, learning_rate=0.01, batch_queries=4).fit(easy, baseline=baseline)
    history = ranker.history_["train_effectiveness"]
    assert history[-1] > history[0] + 0.05
    assert ranker.card_["epochs"] == len(history) == 12
    untrained = net_of(objective, n_epochs=1, **STILL).fit(easy, baseline=baseline)
    assert ranker.score(easy) > untrained.score(easy) + 0.05


@pytest.mark.parametrize("measure", ["nDCG", "AP", "ERR@10", "RR", "P(rel=2)@2", "PairAccuracy"])
def test_several_measures_are_learned(measure, easy, unseen):
    ranker = net_of(rr.Gain(measure), n_epochs=12, learning_rate=0.01, batch_queries=4).fit(easy)
    baseline = effectiveness(unseen, rr.Feature(1).scores(unseen), measure)
    assert effectiveness(unseen, ranker.predict(unseen), measure).mean() > baseline.mean()
    assert ranker.history_["train_effectiveness"][-1] > ranker.history_["train_effectiveness"][0]


def test_dropout_changes_training_and_not_prediction(easy):
    with_dropout, without = (net_of(dropout=dropout).fit(easy) for dropout in (0.5, 0.0))
    assert (with_dropout.predict(easy) != without.predict(easy)).any()
    np.testing.assert_array_equal(with_dropout.predict(easy), with_dropout.predict(easy))


def test_a_net_tells_what_permuted_features_cost_but_no_contributions(easy):
    ranker = net_of(n_epochs=3).fit(easy)
    with pytest.raises(ParameterError, match="the scores of a LambdaNet are no sums over features"):
        ranker.contributions(easy)
    assert (ranker.permutation_importance(easy, repeats=1).mean != 0).any()


# The regime of Burges et al. 2006.


def test_the_paper_takes_a_step_per_query_with_plain_gradient_descent():
    ranker = rr.LambdaNet.burges2006(RANKNET)
    parameters = ranker.get_params()
    assert (parameters["net"], parameters["batch_queries"], parameters["optimiser"]) == ("two-layer", 1, "sgd")
    assert (parameters["schedule"], parameters["restart_after"], parameters["weight_decay"]) == ("drop", 50, 0)
    assert parameters["valid_measure"] == "nDCG@10"
    assert rr.LambdaNet.burges2006(layers=1).net == "linear"
    assert rr.LambdaNet.burges2006(n_epochs=7, restart_after=None).get_params()["restart_after"] is None
    for layers in (0, 3, "two", "1"):
        with pytest.raises(ParameterError, match="layers must be one of 1, 2"):
            rr.LambdaNet.burges2006(layers=layers)


def test_the_papers_lambdarank_counts_every_pair_and_is_judged_by_ndcg_at_10(easy):
    """Its Eq. 9 has no truncation; §6.3 has nDCG@10 as the training cost."""
    objective = rr.LambdaNet.burges2006().objective
    assert str(objective.reported_measure) == "nDCG@10"
    scores = np.random.default_rng(2).normal(size=easy.n_documents)
    plain = rr.Gain("nDCG", truncation=None, normalise=False)
    for ours, theirs in zip(objective.gradients(scores, easy), plain.gradients(scores, easy), strict=True):
        np.testing.assert_allclose(ours, theirs, rtol=1e-12)


# Validation.


@pytest.mark.parametrize("restart_after", [None, 2])
def test_the_best_epoch_by_validation_is_used(restart_after, easy, unseen, epochs):
    ranker = rr.LambdaNet.burges2006(
        RANKNET, learning_rate=5.0, restart_after=restart_after, n_epochs=15, n_threads=1, random_state=3
    )
    ranker.fit(easy, valid=unseen)
    history = ranker.history_["watched"]
    assert ranker.best_steps_ == ranker.card_["best_epochs"] == np.argmax(history) + 1 < len(history) == 15
    assert effectiveness(unseen, ranker.predict(unseen), "nDCG@10").mean() == pytest.approx(history.max(), abs=1e-12)
    best = epochs[0][ranker.best_steps_ - 1]["weights"]
    for name, value in weights(ranker.net_).items():
        np.testing.assert_array_equal(value, best[name])


def test_the_history_is_that_of_the_model_after_each_epoch(easy, unseen):
    options = {"schedule": "constant", "learning_rate": 0.01}
    objective = rr.URisk(alpha=2)
    ranker = net_of(objective, **options, n_epochs=3).fit(easy, valid=unseen, baseline=rr.Feature(1))
    baseline = effectiveness(unseen, rr.Feature(1).scores(unseen), "nDCG@10")
    for n in (1, 2, 3):
        scores = net_of(objective, **options, n_epochs=n).fit(easy, baseline=rr.Feature(1)).predict(unseen)
        values = effectiveness(unseen, scores, "nDCG@10")
        assert ranker.history_["valid_effectiveness"][n - 1] == pytest.approx(values.mean(), abs=1e-12)
        assert ranker.history_["valid_risk"][n - 1] == pytest.approx(rr.risk.risk(values, baseline))
    assert len(ranker.history_["train_effectiveness"]) == 3


@pytest.mark.parametrize("measure", [None, "objective", "AP"])
def test_early_stopping_waits_for_the_measure_asked_for(measure, easy, unseen):
    options = {"early_stopping": 4, "valid_measure": measure, "n_epochs": 60, "learning_rate": 0.03}
    ranker = net_of(rr.URisk(alpha=2), **options).fit(easy, valid=unseen, baseline=rr.Feature(1))
    watched = ranker.history_["watched"]
    assert ranker.best_steps_ == np.argmax(watched) + 1
    assert len(watched) == ranker.best_steps_ + 4 < 60
    assert "no better on validation queries for 4 epochs" in ranker.card_["ending"]
    if measure == "AP":
        assert effectiveness(unseen, ranker.predict(unseen), "AP").mean() == pytest.approx(watched.max(), abs=1e-12)


def until_good(delta, query, training):
    return delta if training.mean_difference < 0.1 else 0.0 * delta


def test_a_training_that_ends_for_lack_of_gradients_uses_its_best_epoch_too(easy):
    ranker = net_of(own_target(until_good)(), n_epochs=99, learning_rate=0.01, batch_queries=12, dropout=0.0)
    ranker.fit(easy, baseline=rr.Feature(1), valid=easy)
    assert "nothing is left to gain" in ranker.card_["ending"]
    history = ranker.history_["valid_effectiveness"]
    assert ranker.best_steps_ == np.argmax(history) + 1
    assert ranker.score(easy) == pytest.approx(history.max(), abs=1e-12)


# A start from the baseline.


@pytest.mark.parametrize("net", ["linear", "two-layer", "mlp"])
def test_before_learning_a_model_that_starts_from_the_baseline_ranks_as_it_does(net, easy, unseen):
    ranker = net_of(rr.URisk(alpha=5), net=net, start="baseline", n_epochs=1, **STILL)
    ranker.fit(easy, baseline=rr.Feature(1), valid=unseen)
    for data in (easy, unseen):
        np.testing.assert_allclose(ranker.predict(data), ranker.card_["start_scale"] * column(data), rtol=1e-9)
    for side in ("train", "valid"):
        assert ranker.history_[f"{side}_risk"][0] == ranker.history_[f"{side}_reward"][0] == 0


def test_learning_starts_from_the_baseline(easy):
    ranker = net_of(rr.URisk(alpha=5), start="baseline", n_epochs=12, learning_rate=0.01, batch_queries=4)
    history = ranker.fit(easy, baseline=rr.Feature(1)).history_
    assert history["train_risk"][0] < 0.05
    assert history["train_urisk"][-1] > history["train_urisk"][0]
    values = rr.evaluate(easy, {"m": ranker.predict(easy), "b": column(easy)}, "nDCG@10")
    assert values["m"].mean() > values["b"].mean() + 0.05


def test_a_model_that_starts_from_a_baseline_needs_it_to_predict(easy, unseen, tmp_path):
    by_feature = net_of(start="baseline").fit(easy, baseline=rr.Feature(1))
    by_scores = net_of(start="baseline").fit(easy, baseline=column(easy))
    scores = by_feature.predict(unseen)
    np.testing.assert_array_equal(by_feature.predict(unseen.features), scores)
    np.testing.assert_array_equal(by_scores.predict(unseen, baseline=column(unseen)), scores)
    by_scores.save(tmp_path / "model")
    for model in (by_scores, rr.load(tmp_path / "model")):
        np.testing.assert_array_equal(model.predict(unseen.features, baseline=column(unseen)), scores)
        with pytest.raises(ParameterError, match="this model starts from its baseline .scores.: pass baseline="):
            model.predict(unseen)
        with pytest.raises(AlignmentError, match="needs a score for each of the .* documents"):
            model.predict(unseen, baseline=np.ones(2))


# Parameters.


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"net": "cnn"}, "net must be one of linear, two-layer, mlp, or a torch.nn.Module .an instance., got 'cnn'"),
        ({"net": None}, "net must be one of linear, two-layer, mlp, or a torch.nn.Module .an instance., got None"),
        ({"hidden": 0}, "hidden must be a whole number from 1, got 0"),
        ({"hidden": (8, 2.5)}, "hidden must be a whole number from 1, got 2.5"),
        ({"hidden": "8"}, "hidden must be a whole number from 1, got '8'"),
        ({"net": "linear", "hidden": 3}, "a linear net has no hidden units: leave hidden= out, or choose another net"),
        ({"net": "two-layer", "hidden": (3, 4)}, r"a two-layer net has one hidden layer, got hidden=\(3, 4\)"),
        ({"dropout": 1}, "dropout must be a number from 0, below 1, got 1"),
        ({"dropout": -0.1}, "dropout must be a number from 0, below 1, got -0.1"),
        ({"batch_queries": 0}, "batch_queries must be a whole number from 1, got 0"),
        ({"schedule": "x"}, "schedule must be one of cosine, constant, drop, got 'x'"),
        ({"optimiser": "x"}, "optimiser must be one of adamw, sgd, got 'x'"),
        ({"n_epochs": 0}, "n_epochs must be a whole number from 1, got 0"),
        ({"n_epochs": 2.0}, "n_epochs must be a whole number from 1, got 2.0"),
        ({"learning_rate": 0}, "learning_rate must be a number above 0, got 0"),
        ({"learning_rate": math.inf}, "learning_rate must be a number above 0, got inf"),
        ({"weight_decay": -1}, "weight_decay must be a number from 0, got -1"),
        ({"restart_after": 0}, "restart_after must be a whole number from 1, got 0"),
        ({"early_stopping": 3}, "early_stopping needs validation data: pass valid="),
        ({"start": "baseline"}, "start='baseline' needs exactly one baseline, got 0"),
        ({"random_state": -1}, "random_state must be a whole number from 0, got -1"),
    ],
    ids=str,
)
def test_wrong_parameters_are_refused_before_any_work(parameters, message, easy):
    ranker = rr.LambdaNet(**parameters)
    with pytest.raises(ParameterError, match=message) as caught:
        ranker.fit(easy)
    assert "\n" not in str(caught.value)
    assert not hasattr(ranker, "net_")


def test_numbers_of_numpy_are_as_good_as_pythons(easy, tmp_path):
    ranker = net_of(hidden=(np.int64(4), np.int32(3)), n_epochs=np.int64(2), dropout=np.float32(0.25)).fit(easy)
    ranker.save(tmp_path)
    back = rr.load(tmp_path)
    assert list(back.hidden) == [4, 3]
    np.testing.assert_array_equal(back.predict(easy), ranker.predict(easy))
    np.testing.assert_array_equal(back.set_params(n_threads=1).fit(easy).predict(easy), ranker.predict(easy))


def test_a_failed_training_leaves_the_model_as_it_was(easy):
    ranker = net_of().fit(easy)
    scores = ranker.predict(easy)
    with pytest.raises(TrainingError):
        ranker.set_params(optimiser="sgd", learning_rate=1e30).fit(easy)
    np.testing.assert_array_equal(ranker.predict(easy), scores)


def test_standardise_is_true_or_false(train):
    with pytest.raises(ParameterError, match="standardise must be True or False, got 'no'"):
        net_of(standardise="no").fit(train)


@pytest.mark.parametrize("net", ["mlp", "own"])
def test_a_clone_has_the_parameters_and_nothing_else(net, train, valid):
    module = own() if net == "own" else net
    ranker = net_of(rr.URisk(alpha=2), net=module).fit(train, baseline=rr.Feature(1))
    copy = clone(ranker)
    assert not hasattr(copy, "net_")
    ours, theirs = ranker.get_params(), copy.get_params()
    if net == "own":
        assert ours.pop("net") is module
        assert theirs.pop("net") is not module
    assert ours == theirs
    np.testing.assert_array_equal(copy.fit(train, baseline=rr.Feature(1)).predict(valid), ranker.predict(valid))
    assert "LambdaNet" in repr(copy)
    sent = pickle.loads(pickle.dumps(ranker))
    np.testing.assert_array_equal(sent.predict(valid), ranker.predict(valid))


WITHOUT = """
import sys

class Blocked:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] == "torch":
            raise ImportError(name)

sys.meta_path.insert(0, Blocked())
import riskrank as rr
assert rr.LambdaNet.burges2006(layers=1).get_params()["net"] == "linear"
try:
    rr.LambdaNet(n_epochs=1).fit([[1.0], [2.0]], [0, 1], group=[2])
except rr.errors.ParameterError as error:
    print(error)
"""


def test_without_pytorch_the_error_says_what_to_install():
    done = subprocess.run([sys.executable, "-W", "error", "-c", WITHOUT], capture_output=True, text=True)
    assert done.stdout == "nets need PyTorch and safetensors: pip install 'riskrank[nets]'.\n", done.stderr


@pytest.mark.parametrize("wrong", [{"hidden": 999_999_999}, {"hidden": (65_536, 65_536)}, {"net": "x"}, {"dropout": 2}])
def test_parameters_are_refused_without_pytorch(wrong):
    program = f"""
import sys
import riskrank as rr
try:
    rr.LambdaNet(**{wrong}).check_parameters()
except rr.errors.ParameterError:
    print("torch" in sys.modules)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.stdout == "False\n", done.stderr


# Saved models with a module of a user's own.


def test_a_saved_module_needs_its_class_to_predict(train, valid, tmp_path):
    ranker = net_of(net=own()).fit(train)
    ranker.save(tmp_path / "model")
    card = json.loads((tmp_path / "model" / "card.json").read_text(encoding="utf-8"))
    assert card["parameters"]["net"].endswith("small_nets.Own")
    bare = rr.load(tmp_path / "model")
    assert bare.card_ == ranker.card_
    with pytest.raises(
        ParameterError, match=r"module of your own, .*Own: load it with LambdaNet.load.folder, net=...."
    ):
        bare.predict(valid)
    fresh = Own()
    before = weights(fresh)
    back = rr.LambdaNet.load(tmp_path / "model", net=fresh)
    np.testing.assert_array_equal(back.predict(valid), ranker.predict(valid))
    for name, value in weights(fresh).items():
        np.testing.assert_array_equal(value, before[name])
    back.save(tmp_path / "again")
    np.testing.assert_array_equal(
        rr.LambdaNet.load(tmp_path / "again", net=Own()).predict(valid), ranker.predict(valid)
    )
    np.testing.assert_array_equal(back.set_params(net=own()).fit(train).predict(valid), ranker.predict(valid))


@pytest.mark.parametrize(
    "net",
    [Own(hidden=7), nn.Linear(20, 1), nn.Sequential(Own()), "mlp", Own],
    ids=["wider", "other", "in", "ours", "class"],
)
def test_a_module_that_does_not_fit_the_saved_weights_is_refused(net, train, tmp_path):
    net_of(net=own()).fit(train).save(tmp_path)
    with pytest.raises(ParameterError, match="the saved weights do not fit this net: ") as caught:
        rr.LambdaNet.load(tmp_path, net=net)
    assert "\n" not in str(caught.value)


def test_a_model_loaded_without_its_module_can_be_copied(train, valid, tmp_path):
    ranker = net_of(net=own()).fit(train)
    ranker.save(tmp_path / "model")
    rr.load(tmp_path / "model").save(tmp_path / "copy")
    copy = rr.LambdaNet.load(tmp_path / "copy", net=Own())
    np.testing.assert_array_equal(copy.predict(valid), ranker.predict(valid))
