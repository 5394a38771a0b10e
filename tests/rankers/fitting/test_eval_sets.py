"""Validation queries in the words of engines' estimators."""

from __future__ import annotations

import numpy as np
import pytest

import riskrank as rr
from riskrank.errors import ParameterError

from ..contract import qid_of


def watched(train, **validation):
    ranker = rr.LambdaMART(n_trees=4, n_leaves=4, n_threads=1, early_stopping=2)
    return ranker.fit(train.features, train.labels, qid=qid_of(train), **validation).history_["watched"]


def test_an_eval_set_is_what_valid_is(train, valid):
    known = watched(train, valid=valid)
    pair = (valid.features, valid.labels)
    for validation in (
        {"eval_set": [pair], "eval_qid": [qid_of(valid)]},
        {"eval_set": [pair], "eval_group": [np.diff(valid.query_offsets)]},
        {"eval_set": pair, "eval_qid": (qid_of(valid),)},
    ):
        np.testing.assert_array_equal(watched(train, **validation), known)


def test_a_selective_ranker_takes_one(train, valid):
    pair, qid = (valid.features, valid.labels), qid_of(valid)
    selective = rr.Selective(rr.LambdaMART(n_trees=3, n_leaves=4, n_threads=1))
    first = selective.fit(train, baseline=rr.Feature(1), valid=valid).predict(valid)
    again = selective.fit(train, baseline=rr.Feature(1), eval_set=[pair], eval_qid=[qid]).predict(valid)
    np.testing.assert_array_equal(first, again)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"valid": 1}, "valid= and eval_set= are the same thing"),
        ({"eval_set": 2}, "eval_set must be a list with one set of validation queries, got 2"),
        ({"eval_set": None}, "belong to eval_set=, which is not given"),
        ({"eval_group": 1}, "pass either eval_qid= or eval_group="),
        ({"eval_qid": None}, "queries are missing"),
    ],
)
def test_what_fits_nowhere_is_refused(change, message, train, valid):
    pair = (valid.features, valid.labels)
    given = {"eval_set": [pair], "eval_qid": [qid_of(valid)]}
    meant = {"valid": {1: valid}, "eval_set": {2: [pair, pair]}, "eval_group": {1: [[len(valid)]]}}
    given |= {name: meant.get(name, {}).get(value) for name, value in change.items()}
    with pytest.raises(ParameterError, match=message):
        watched(train, **given)
