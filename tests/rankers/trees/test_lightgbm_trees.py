"""Trees of LightGBM: what only it has."""

from __future__ import annotations

import subprocess
import sys

import pytest

from riskrank.errors import ParameterError
from riskrank.rankers.trees import lightgbm_trees

from ..assert_refused import assert_refused

LINEAR = """
import riskrank as rr
from riskrank.data.synthetic.synthetic_features import web_search_data
data = web_search_data(20, documents_per_query=12, n_features=20)
try:
    rr.LambdaMART(n_trees=2, n_leaves=4, engine_params={"linear_tree": True}).fit(data).predict(data)
except rr.errors.ParameterError as error:
    print(error)
"""


def test_linear_trees_are_refused():
    """In a process of its own: LightGBM would read the raw features for them, which may be gone, and crash."""
    done = subprocess.run([sys.executable, "-c", LINEAR], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout == "LightGBM refuses the parameters: linear_tree=True cannot be had here.\n"


@pytest.mark.parametrize("own", [{"bagging_fraction": 0.5, "bagging_freq": 1}, {"colsample_bytree": 0.5}], ids=str)
def test_fast_training_and_samples_are_not_had_together(own, train):
    """LightGBM would end the training, now and then: Check failed: (best_split_info.left_count) > (0)."""
    message = r"quantised gradients \(fast\) and \w+_fraction together. Leave one out, or take engine='native'"
    assert_refused(ParameterError, message, train, fast=True, engine_params=own)


def test_bins_go_by_some_documents_unless_more_are_asked_for(train):
    for own, rows in (({}, lightgbm_trees.SEEN_ROWS), ({"bin_construct_sample_cnt": 300_000}, 300_000)):
        assert lightgbm_trees.binned(train, own).params["bin_construct_sample_cnt"] == rows
