"""All rankers keep the contract."""

from __future__ import annotations

import numpy as np
import pytest

import riskrank as rr
from riskrank.errors import TrainingError

from .contract import RankerContract, with_labels
from .wrapped_contract import WrappedContract


class TestLambdaMARTOnLightGBM(RankerContract):
    def make(self, **parameters):
        return rr.LambdaMART(n_trees=5, n_leaves=4, engine="lightgbm", **{"n_threads": 1, **parameters})


class TestLambdaMARTOnNativeTrees(RankerContract):
    def make(self, **parameters):
        return rr.LambdaMART(n_trees=5, n_leaves=4, engine="native", **{"n_threads": 1, **parameters})


class TestLambdaMARTOnXGBoost(RankerContract):
    def make(self, **parameters):
        return rr.LambdaMART(n_trees=5, n_leaves=4, engine="xgboost", **{"n_threads": 1, **parameters})


class TestPreferenceLambdaMART(RankerContract):
    def make(self, **parameters):
        given = {"beta": 0.01, "n_trees": 5, "n_leaves": 4, "n_threads": 1, **parameters}
        return rr.PreferenceLambdaMART(**given)

    @pytest.mark.parametrize("label", [0, 2])
    def test_labels_that_are_all_equal_teach_nothing(self, train, label):
        """But the order in which documents are shown: only without it, nothing is left."""
        alike = with_labels(train, np.full(train.n_documents, label))
        assert len(np.unique(self.make().fit(alike).predict(alike))) > 5
        with pytest.raises(TrainingError, match="no query has documents whose order matters"):
            self.make(beta=0).fit(alike)


class TestRegressionTrees(RankerContract):
    def make(self, **parameters):
        return rr.RegressionTrees(n_trees=8, n_leaves=4, **{"n_threads": 1, **parameters})


class TestAdaRank(RankerContract):
    def make(self, **parameters):
        return rr.AdaRank(n_rounds=10, **{"n_threads": 1, **parameters})


class TestAFS(RankerContract):
    def make(self, **parameters):
        return rr.AFS(n_rounds=3, **{"n_threads": 1, **parameters})


class TestLinearRanker(RankerContract):
    def make(self, **parameters):
        return rr.LinearRanker(n_rounds=2, **{"n_threads": 1, **parameters})


class TestLambdaNet(RankerContract):
    has_cycles = True

    def make(self, **parameters):
        pytest.importorskip("torch", reason="nets need PyTorch")
        return rr.LambdaNet(hidden=(16,), **{"n_epochs": 3, "n_threads": 1, **parameters})

    def make_patient(self):
        return self.make(n_epochs=40, learning_rate=0.02)


class TestLambdaNetOfThePaper(RankerContract):
    has_cycles = True

    def make(self, **parameters):
        pytest.importorskip("torch", reason="nets need PyTorch")
        objective = rr.Gain(truncation=None, normalise=False)
        return rr.LambdaNet.burges2006(
            objective, **{"n_epochs": 2, "n_threads": 1, "valid_measure": None, **parameters}
        )

    def make_patient(self):
        objective = rr.RankNet(truncation=None, normalise=False)
        return rr.LambdaNet.burges2006(objective, n_epochs=20, learning_rate=1e-6, n_threads=1, valid_measure=None)


class TestMixed(WrappedContract):
    def wrap(self, ranker):
        return rr.Mixed(ranker, probability=1.0)


class TestSelective(WrappedContract):
    def wrap(self, ranker):
        return rr.Selective(ranker, predictor="agreement", threshold=-2.0)
