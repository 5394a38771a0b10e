"""Sweeps of folds as one sweep."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import riskrank as rr
from riskrank.data.synthetic.synthetic_features import web_search_data
from riskrank.errors import AlignmentError, ParameterError

from ..small_sweeps import same_sweeps
from ..synthetic_sweeps import judged, synthetic_sweep


def test_folds_swept_one_by_one_are_the_sweep_of_all_of_them():
    data = web_search_data(60, documents_per_query=10, n_features=20)
    splits = [(data.take(range(30)), data.take(range(30, 40)), data.take(range(40, 60))),
              (data.take(range(30, 60)), data.take(range(20, 30)), data.take(range(20)))]  # fmt: skip
    ranker = rr.LambdaMART(rr.URisk("nDCG@5"), n_trees=3, n_leaves=4, min_docs_in_leaf=5, n_threads=1)
    options = {
        "baseline": rr.Feature(1), "values": (0, 5), "measures": ["AP"], "predictors": ["max feature:1"], "n_jobs": 1,
    }  # fmt: skip
    whole = rr.sweep(splits, ranker, **options)
    joined = rr.join_sweeps([rr.sweep([split], ranker, **options) for split in splits])
    same_sweeps(joined, replace(whole, models=None, rankers=None))
    assert joined.summary.equals(whole.summary, null_equal=True)


def test_sweeps_of_several_folds_count_by_their_folds():
    one = synthetic_sweep(judged([[0.1]]), thresholds={"x": [0.0]}, train_gain=np.array([0.3]))
    two = synthetic_sweep(
        judged([[0.2, 0.3]], fold=[1, 2]), thresholds={"x": [3.0]}, train_gain=np.array([0.6]), n_folds=2,
        learning=((np.array([0.1]), np.array([0.2])),), learning_baseline=((0.05, 0.06),),
    )  # fmt: skip
    joined = rr.join_sweeps([one, two])
    assert joined.test.fold.tolist() == [1, 2, 3]
    assert (joined.n_folds, joined.train_gain[0], joined.thresholds["x"][0]) == (3, pytest.approx(0.5), 2.0)
    assert [len(curve) for curve in joined.learning[0]] == [2, 1, 1]
    assert joined.learning_baseline == ((0.0, 0.05, 0.06),)


def test_what_some_lack_the_whole_lacks():
    part = judged([[0.1]])
    joined = rr.join_sweeps([synthetic_sweep(part, valid=part), synthetic_sweep(part, learning_baseline=())])
    assert joined.valid is None
    assert joined.learning_baseline == ()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"measure": "AP"}, "the same measure"),
        ({"values": [3]}, "the same settings"),
        ({"baseline": "feature:2"}, "the same baseline"),
        ({"thresholds": {"x": [1.0]}}, "the same predictors"),
    ],
)
def test_other_models_are_not_joined(change, message):
    part = judged([[0.1]])
    with pytest.raises(AlignmentError, match=message):
        rr.join_sweeps([synthetic_sweep(part), synthetic_sweep(part, **change)])


def test_nothing_cannot_be_joined():
    with pytest.raises(ParameterError, match="at least one sweep"):
        rr.join_sweeps([])
