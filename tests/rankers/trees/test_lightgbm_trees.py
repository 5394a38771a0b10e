"""Trees of LightGBM: its parameters, and what it refuses."""

from __future__ import annotations

import dataclasses
import subprocess
import sys

import numpy as np
import pytest

import riskrank as rr
from riskrank.errors import ParameterError
from riskrank.rankers.trees.lightgbm_trees import binned

from ..assert_refused import assert_refused


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("feature_fraction", "abc"),
        ("feature_fraction", 3),
        ("max_bin", "x"),
        ("objective", "lambdarank"),
    ],
)
def test_what_it_refuses_is_one_line(name, value, train):
    assert_refused(ParameterError, "refuses the parameters", train, engine="lightgbm", engine_params={name: value})


@pytest.mark.parametrize(
    ("short", "full"),
    [
        ({"eta": 0.5}, {"learning_rate": 0.5}),
        ({"max_leaves": 3}, {"num_leaves": 3}),
        ({"max_bins": 3}, {"max_bin": 3}),
    ],
    ids=str,
)
def test_its_own_parameters_go_by_all_their_names_and_win(short, full, train, valid):
    def scores(engine_params):
        ranker = rr.LambdaMART(n_trees=4, n_leaves=8, engine="lightgbm", engine_params=engine_params, n_threads=1)
        return ranker.fit(train).predict(valid)

    np.testing.assert_array_equal(scores(short), scores(full))
    assert (scores(full) != scores(None)).any()


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


def test_models_on_the_same_data_share_its_bins(train):
    """And other bins take their place: only the last ones are kept."""
    data = dataclasses.replace(train)
    first = binned(data, {"max_bin": 63})
    assert binned(data, {"max_bin": 63}) is first
    assert binned(data, {"max_bin": 31}) is not first
    assert binned(data, {"max_bin": 63}) is not first
