"""Compiled trees score as LightGBM does, to the last bit, also its own models."""

from __future__ import annotations

import re

import lightgbm
import numpy as np
import pytest

from riskrank.rankers.trees import lightgbm_trees
from riskrank.rankers.trees.lightgbm_text import checked_text
from riskrank.rankers.trees.model_texts import BadModelError
from riskrank.rankers.trees.native.compiled_forest import ZERO, CompiledForest
from riskrank.rankers.trees.native.forest_text import TreeColumns

N_TREES = 12
KINDS = {
    "missing values go their own way": {},
    "missing values count as 0": {"use_missing": False},
    "trees of two leaves": {"num_leaves": 2},
    "deep trees": {"num_leaves": 120, "min_data_in_leaf": 1, "min_sum_hessian_in_leaf": 0},
    "quantised gradients": {"use_quantized_grad": True},
}


def odd_features(n=3000, *, seed=0):
    """Small numbers of both signs, counts, holes, a constant, and what is nearly 0."""
    rng = np.random.default_rng(seed)
    features = rng.normal(size=(n, 6)).astype(np.float32)
    features[:, 1] = rng.integers(-3, 4, n)
    features[:, 2] = 1.0
    features[:, 3] *= np.float32(1e-35)
    features[rng.random(n) < 0.3, 4] = np.nan
    features[rng.random(n) < 0.5, 5] = 0.0
    return features


def trained(features, **parameters):
    target = np.nan_to_num(features[:, :2].sum(axis=1) + np.isnan(features[:, 4]) + np.sign(features[:, 3]))
    options = {"verbosity": -1, "num_threads": 1, "min_data_in_leaf": 5, **parameters}
    categories = options.pop("categorical_feature", "auto")
    data = lightgbm.Dataset(features, target, categorical_feature=categories)
    return lightgbm.train(options, data, N_TREES)


def compiled_forest(text):
    return CompiledForest(TreeColumns(checked_text(text.encode(), {1: tuple("abcdefg")})[0], {}))


def rows_to_score(text, features):
    """Others than those of training: at thresholds and beside them, nearly 0, infinite, missing."""
    single = np.float32
    lists = re.findall(r"^threshold=(.+)$", text, re.MULTILINE)
    values = [float(each) for line in lists for each in line.split()]
    thresholds = np.clip(values, -3e38, 3e38).astype(single)
    sides = [np.nextafter(thresholds, single(side)) for side in (-np.inf, np.inf)]
    others = single([0.0, -0.0, ZERO, -ZERO, 1e-45, -1e-45, 2e-35, -2e-35, np.inf, -np.inf, np.nan, 3.4e38])
    values = np.concatenate([thresholds, *sides, others])
    return np.vstack([odd_features(500, seed=1), np.repeat(values[:, None], features.shape[1], axis=1)])


def assert_scored_alike(text, features):
    rows, forest = rows_to_score(text, features), compiled_forest(text)
    for n_trees in (1, N_TREES):
        theirs = lightgbm.Booster(model_str=text).predict(rows, raw_score=True, num_iteration=n_trees)
        np.testing.assert_array_equal(forest.predict(rows, n_trees=n_trees, n_threads=2), theirs)


@pytest.mark.parametrize("kind", KINDS)
def test_models_of_lightgbm_are_scored_as_it_does(kind):
    features = odd_features()
    assert_scored_alike(trained(features, **KINDS[kind]).model_to_string(), features)


@pytest.mark.parametrize("threshold", [0.0, -0.0, ZERO, -ZERO, ZERO / 2, -ZERO / 2, 1e-300, -1e-300, 1e300, -1e300])
def test_thresholds_among_what_counts_as_zero_and_beyond_all_values(threshold):
    """LightGBM writes few of these itself; it takes values for 0 that are not farther from it than 1e-35."""
    features = odd_features()
    text = trained(features, num_leaves=2).model_to_string()
    changed = re.sub(r"(?m)^threshold=.+$", f"threshold={threshold!r}", text)
    assert_scored_alike(re.sub(r"(?m)^tree_sizes=.*\n", "", changed), features)


@pytest.mark.parametrize("own", [{"zero_as_missing": True}, {"categorical_feature": [1]}], ids=str)
def test_splits_that_only_lightgbm_knows_are_left_to_it(own, monkeypatch):
    monkeypatch.setattr(lightgbm_trees, "MANY_STEPS", 0)
    features = np.abs(odd_features())
    booster = trained(features, **own)
    text = booster.model_to_string()
    with pytest.raises(BadModelError):
        compiled_forest(text)
    model = lightgbm_trees.read_model(text.encode(), "model", {1: tuple("abcdefg")} if "zero" not in str(own) else {})
    scores = model.predict(features, n_trees=N_TREES, n_threads=1)
    np.testing.assert_array_equal(scores, booster.predict(features, raw_score=True))


def test_averaged_trees_are_left_to_lightgbm(monkeypatch):
    monkeypatch.setattr(lightgbm_trees, "MANY_STEPS", 0)
    features = odd_features()
    booster = trained(features, boosting="rf", bagging_fraction=0.5, bagging_freq=1)
    model = lightgbm_trees.read_model(booster.model_to_string().encode(), "model")
    scores = model.predict(features, n_trees=N_TREES, n_threads=1)
    np.testing.assert_array_equal(scores, booster.predict(features, raw_score=True))


def test_many_documents_are_scored_without_lightgbm(monkeypatch):
    features = odd_features()
    booster = trained(features)
    model = lightgbm_trees.read_model(booster.model_to_string().encode(), "model")
    few = model.predict(features, n_trees=N_TREES, n_threads=1)
    assert "_forest" not in vars(model)
    monkeypatch.setattr(lightgbm_trees, "MANY_STEPS", len(features) * N_TREES)
    monkeypatch.setattr(model, "booster", None)
    np.testing.assert_array_equal(model.predict(features, n_trees=N_TREES, n_threads=1), few)
