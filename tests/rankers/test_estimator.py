"""scikit-learn's conventions without scikit-learn."""

from __future__ import annotations

import subprocess
import sys

import pytest
import sklearn.base

import riskrank as rr
from riskrank.rankers.estimator import _Parameters

WITHOUT = """
import sys

class Blocked:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] == "sklearn":
            raise ImportError(name)

sys.meta_path.insert(0, Blocked())
import riskrank as rr
from riskrank.data.synthetic.synthetic_features import web_search_data

data = web_search_data(20, documents_per_query=12, n_features=20)
ranker = rr.LambdaMART(rr.URisk(alpha=2), n_trees=3, n_leaves=4, engine=sys.argv[1])
assert ranker.set_params(n_trees=4) is ranker
assert ranker.get_params()["n_trees"] == 4
try:
    ranker.set_params(rate=1)
except ValueError as error:
    assert "rate" in str(error)
else:
    raise AssertionError("an unknown parameter was taken")
ranker.fit(data, baseline=rr.Feature(1)).save(sys.argv[2])
assert (rr.load(sys.argv[2]).predict(data) == ranker.predict(data)).all()
assert rr.load(sys.argv[2]).get_params()["n_leaves"] == 4
assert "LambdaMART" in repr(ranker)
assert "sklearn" not in sys.modules
"""


def test_it_works_without_scikit_learn(tmp_path, engine):
    command = [sys.executable, "-W", "error", "-c", WITHOUT, engine, str(tmp_path / "model")]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


class Plain(_Parameters):
    def __init__(self, measure="AP", *, n_rounds=3, alpha=1.0):
        self.measure = measure
        self.n_rounds = n_rounds
        self.alpha = alpha
        self.learned_ = None


def test_parameters_are_those_of_the_constructor():
    assert Plain(n_rounds=5).get_params() == {"alpha": 1.0, "measure": "AP", "n_rounds": 5}


def test_parameters_are_set_by_name():
    ranker = Plain()
    assert ranker.set_params(n_rounds=7, measure="RR") is ranker
    assert ranker.get_params() == {"alpha": 1.0, "measure": "RR", "n_rounds": 7}
    with pytest.raises(ValueError, match="Plain has no parameter 'learned_'."):
        ranker.set_params(learned_=1)


def test_with_scikit_learn_rankers_are_its_estimators():
    assert issubclass(rr.LambdaMART, sklearn.base.BaseEstimator)
