"""Trees of XGBoost: what it lacks."""

from __future__ import annotations

import pytest

from riskrank.errors import ParameterError

from ..assert_refused import assert_refused


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
