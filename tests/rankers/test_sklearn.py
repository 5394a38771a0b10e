"""LambdaMART is an estimator as scikit-learn knows them."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
import sklearn
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV, GroupKFold, cross_validate

import riskrank as rr

from .contract import qid_of


def small(**parameters):
    return rr.LambdaMART(**{"n_trees": 5, "n_leaves": 4, "n_threads": 1, **parameters})


def routed(ranker):
    return ranker.set_fit_request(qid=True).set_score_request(qid=True)


@pytest.fixture
def routing():
    with sklearn.config_context(enable_metadata_routing=True):
        yield


def test_a_clone_has_the_parameters_and_nothing_else(train):
    ranker = small(objective=rr.URisk("AP", alpha=3), engine_params={"max_bin": 63}).fit(train, baseline=rr.Feature(1))
    copy = clone(ranker)
    assert copy.get_params() == ranker.get_params()
    assert copy.objective == rr.URisk("AP", alpha=3)
    assert not hasattr(copy, "model_")
    np.testing.assert_array_equal(copy.fit(train, baseline=rr.Feature(1)).predict(train), ranker.predict(train))


def test_parameters_are_set_by_name(train):
    ranker = small().set_params(n_trees=2, learning_rate=0.5)
    assert ranker.get_params()["n_trees"] == 2
    assert ranker.fit(train).card_["trees"] == 2
    with pytest.raises(ValueError, match="rate"):
        ranker.set_params(rate=1)


def test_cross_validation_scores_each_fold_by_its_queries(train, routing, engine):
    qid = qid_of(train)
    ranker = routed(small(engine=engine))
    validated = cross_validate(
        ranker,
        train.features,
        train.labels,
        cv=GroupKFold(4),
        params={"qid": qid, "groups": qid},
        error_score="raise",
        return_estimator=True,
    )
    assert validated["test_score"].shape == (4,)
    folds = GroupKFold(4).split(train.features, train.labels, qid)
    for score, fold, (_, rows) in zip(validated["test_score"], validated["estimator"], folds, strict=True):
        held_out = rr.RankingData.from_arrays(train.features[rows], train.labels[rows], qid=qid[rows])
        values = rr.evaluate(held_out, {"x": fold.predict(held_out)}, "nDCG@10")["x"]
        assert score == pytest.approx(values.mean())


def test_a_grid_search_finds_the_better_learning_rate(train, routing):
    qid = qid_of(train)
    search = GridSearchCV(routed(small(n_trees=10)), {"learning_rate": [1e-7, 0.2]}, cv=GroupKFold(4))
    search.fit(train.features, train.labels, qid=qid, groups=qid)
    scores = search.cv_results_["mean_test_score"]
    assert search.best_params_["learning_rate"] == [1e-7, 0.2][int(np.argmax(scores))]
    assert search.best_estimator_.learning_rate == search.best_params_["learning_rate"]
    np.testing.assert_array_equal(search.predict(train.features), search.best_estimator_.predict(train))


def test_a_search_over_objectives_hands_on_the_baseline(train, routing):
    qid, baseline = qid_of(train), train.feature(1).astype(np.float64)
    ranker = routed(small()).set_fit_request(baseline=True)
    objectives = [rr.Gain(), rr.URisk(alpha=9)]
    search = GridSearchCV(ranker, {"objective": objectives}, cv=GroupKFold(3), error_score="raise")
    search.fit(train.features, train.labels, qid=qid, groups=qid, baseline=baseline)
    gain, urisk = search.cv_results_["mean_test_score"]
    assert gain != urisk
    assert search.best_params_["objective"] == objectives[int(urisk > gain)]
    assert search.best_estimator_.card_["baselines"] == ["scores"]


def test_a_fitted_ranker_can_be_sent_to_other_processes(train, valid, engine):
    ranker = small(objective=rr.URisk(alpha=2), engine=engine).fit(train, baseline=rr.Feature(1))
    copy = pickle.loads(pickle.dumps(ranker))
    np.testing.assert_array_equal(copy.predict(valid), ranker.predict(valid))
    assert copy.get_params() == ranker.get_params()
