"""Regression trees: least squares on the labels."""

from __future__ import annotations

import numpy as np
import pytest

import riskrank as rr


def test_one_tree_predicts_the_mean_label_of_each_leaf(engine):
    features = np.repeat([[0.0], [1.0], [2.0]], 40, axis=0)
    labels = np.repeat([0.0, 1.0, 4.0], 40)
    ranker = rr.RegressionTrees(n_trees=1, n_leaves=3, learning_rate=1.0, engine=engine, n_threads=1)
    ranker.fit(features, labels, group=[60, 60])
    np.testing.assert_allclose(ranker.predict([[0.0], [1.0], [2.0]]), [0.0, 1.0, 4.0], atol=1e-6)


def test_the_trees_are_those_of_lightgbms_own_least_squares(train, valid):
    lightgbm = pytest.importorskip("lightgbm")
    ranker = rr.RegressionTrees(n_trees=30, n_leaves=7, min_docs_in_leaf=10, n_threads=1).fit(train)
    own = lightgbm.train(
        {"objective": "regression", "num_leaves": 7, "min_data_in_leaf": 10, "num_threads": 1, "verbosity": -1},
        lightgbm.Dataset(train.features, train.labels),
        30,
    )
    np.testing.assert_allclose(ranker.predict(valid), own.predict(valid.features), atol=2e-3)


def test_the_squared_error_falls_with_every_tree(train):
    ranker = rr.RegressionTrees(n_trees=40, n_leaves=7, n_threads=1).fit(train)
    wanted = train.labels - train.labels.mean()
    errors = [
        np.square(ranker.model_.predict(train.features, n_trees=n, n_threads=1) - wanted).sum() for n in range(1, 41)
    ]
    assert (np.diff(errors) < 0).all()


def test_history_and_early_stopping_go_by_the_measure(train, valid):
    ranker = rr.RegressionTrees("AP", n_trees=200, n_leaves=15, early_stopping=5, n_threads=1)
    ranker.fit(train, valid=valid, baseline=rr.Feature(1))
    history = ranker.history_
    assert ranker.card_["trees"] < 200
    assert ranker.best_trees_ == int(np.argmax(history["valid_effectiveness"])) + 1
    assert not np.isnan(history["train_risk"]).any()
    expected = rr.evaluate(valid, {"model": ranker.predict(valid)}, "AP").matrix.mean()
    assert history["valid_effectiveness"][ranker.best_trees_ - 1] == pytest.approx(expected, abs=1e-12)
