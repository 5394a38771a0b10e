"""Trees of XGBoost: its parameters, and what it refuses."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

import riskrank as rr
from riskrank.errors import ParameterError
from riskrank.rankers.trees.xgboost_trees import binned

from ..assert_refused import assert_refused


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("subsample", "abc"),
        ("subsample", 3),
        ("max_bin", "x"),
        ("objective", "no such"),
        ("booster", "gblinear"),
    ],
)
def test_what_it_refuses_is_one_line(name, value, train):
    assert_refused(ParameterError, "refuses the parameters", train, engine="xgboost", engine_params={name: value})


@pytest.mark.parametrize(
    ("short", "full"),
    [
        ({"eta": 0.5}, {"learning_rate": 0.5}),
        ({"lambda": 50.0}, {"reg_lambda": 50.0}),
    ],
    ids=str,
)
def test_its_own_parameters_go_by_all_their_names_and_win(short, full, train, valid):
    def scores(engine_params):
        ranker = rr.LambdaMART(n_trees=4, n_leaves=8, engine="xgboost", engine_params=engine_params, n_threads=1)
        return ranker.fit(train).predict(valid)

    np.testing.assert_array_equal(scores(short), scores(full))
    assert (scores(full) != scores(None)).any()


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"fast": True}, "fast training is LightGBM's; leave it out with engine='xgboost'"),
        ({"min_docs_in_leaf": 5}, "XGBoost has no least number of documents in a leaf"),
    ],
    ids=str,
)
def test_what_only_lightgbm_has_is_refused(parameters, message, train):
    assert_refused(ParameterError, message, train, engine="xgboost", **parameters)


def test_models_on_the_same_data_share_its_bins(train):
    """And other bins take their place: only the last ones are kept."""
    data = dataclasses.replace(train)
    first = binned(data, 63, 1)
    assert binned(data, 63, 1) is first
    assert binned(data, 31, 1) is not first
    assert binned(data, 63, 1) is not first
