"""What makes no sweep is refused, before any training."""

from __future__ import annotations

import math

import numpy as np
import pytest

import riskrank as rr
from riskrank.errors import RiskrankError

from .small_sweeps import TEXT, quick, ranker

pytestmark = pytest.mark.usefixtures("two_cores")


def numbers(n=96):
    return np.arange(n, dtype=np.float64)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"baseline": None}, "a sweep needs a baseline: pass baseline="),
        ({"baseline": []}, "a sweep needs a baseline: pass baseline="),
        ({"baseline": {}}, "a sweep needs a baseline: pass baseline="),
        ({"baseline": numbers()}, "baseline that is known on all its queries: a Feature, a run or a ranker"),
        ({"baseline": numbers().tolist()}, "baseline that is known on all its queries"),
        ({"baseline": [TEXT, numbers()]}, "baseline that is known on all its queries"),
        ({"baseline": {"a": TEXT, "b": numbers()}}, "baseline that is known on all its queries"),
        ({"baseline": np.stack([numbers(), numbers()])}, "baseline that is known on all its queries"),
        ({"baseline": rr.Feature(21)}, "feature must be from 1 to 20, got 21"),
        ({"baseline": ranker()}, "is not fitted yet"),
        ({"n_jobs": 0}, "n_jobs must be a whole number from 1, got 0"),
        ({"random_state": -1}, "random_state must be a whole number from 0, got -1"),
        ({"values": ()}, "a sweep needs at least one value of alpha"),
        ({"values": ("5",)}, "values of alpha must be numbers, got '5'"),
        ({"values": (math.nan,)}, "values of alpha must be numbers, got nan"),
        ({"values": (True,)}, "values of alpha must be numbers, got True"),
        ({"values": (-2,)}, "alpha must be a number above −1"),
        ({"parameter": "colour"}, "URisk has no parameter 'colour'; it has alpha, early_stopping, .*truncation"),
        ({"parameter": "n_leaves", "values": (2.5,)}, "n_leaves must be a whole number"),
        ({"rankers": []}, "a sweep needs at least one ranker"),
        ({"rankers": {}}, "a sweep needs at least one ranker"),
        ({"rankers": [ranker(), ranker()]}, "two rankers would be called URisk: pass them as a dict"),
        ({"rankers": {"A b": ranker(), "a-B": ranker()}}, "names of the series are too much alike for folders"),
        ({"rankers": rr.LambdaMART}, "must be a ranker like LambdaMART"),
        pytest.param(
            {"rankers": {"m": rr.Mixed(ranker())}}, "m must be a ranker like LambdaMART"
        ),
        ({"rankers": ranker(rr.Gain("nDCG@10"))}, "Gain has no parameter 'alpha'"),
        ({"measure": "nDGC@10"}, "nDGC"),
        ({"measures": ["nDGC@10"]}, "nDGC"),
        ({"test": None}, "a sweep needs queries to test on"),
        ({"predictors": ["maximum feature:1"]}, "unknown predictor 'maximum feature:1'"),
        ({"predictors": {"mine": 110}}, "mine must be a predictor like Aggregate"),
    ],
)  # fmt: skip
def test_what_makes_no_sweep_is_refused(small, options, message, folder):
    with pytest.raises(RiskrankError, match=message) as told:
        quick(small, **{"folder": folder, **options})
    assert "\n" not in str(told.value)
