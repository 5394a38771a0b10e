"""All rankers keep the contract."""

from __future__ import annotations

import riskrank as rr

from .contract import RankerContract


class TestLambdaMARTOnLightGBM(RankerContract):
    def make(self, **parameters):
        return rr.LambdaMART(n_trees=5, n_leaves=4, engine="lightgbm", **{"n_threads": 1, **parameters})


class TestLambdaMARTOnXGBoost(RankerContract):
    def make(self, **parameters):
        return rr.LambdaMART(n_trees=5, n_leaves=4, engine="xgboost", **{"n_threads": 1, **parameters})


class TestRegressionTrees(RankerContract):
    def make(self, **parameters):
        return rr.RegressionTrees(n_trees=8, n_leaves=4, **{"n_threads": 1, **parameters})
