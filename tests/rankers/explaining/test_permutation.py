"""Permutation importance in effectiveness and in risk."""

from __future__ import annotations

import dataclasses

import numpy as np
import pandas as pd
import pytest

import riskrank as rr
from riskrank.errors import ParameterError

from ..contract import in_turns, qid_of


@pytest.fixture(scope="module")
def ranker(train):
    return rr.LambdaMART("urisk:alpha=2", n_trees=8, n_leaves=5, n_threads=1).fit(train, baseline=rr.Feature(1))


def slow(ranker, data, column, seed, value):
    """By the definition, with columns put together anew."""
    columns = [data.features[:, i] for i in range(data.n_features)]
    columns[column] = np.random.default_rng(seed).permutation(columns[column])
    changed = rr.RankingData.from_arrays(np.column_stack(columns), data.labels, qid=qid_of(data))
    systems = {"intact": ranker.predict(data), "changed": ranker.predict(changed), "text": data.feature(1)}
    scores = rr.evaluate(data, systems, "nDCG@10")
    return value(scores["intact"], scores["text"]) - value(scores["changed"], scores["text"])


VALUES = {
    "gain": rr.risk.gain,
    "reward": rr.risk.reward,
    "risk": lambda model, text: -rr.risk.risk(model, text),
    "urisk": lambda model, text: rr.risk.urisk(model, text, alpha=2),
}


@pytest.mark.parametrize("target", VALUES)
def test_it_is_how_much_worse_the_model_gets(target, ranker, valid):
    found = ranker.permutation_importance(valid, target=target, repeats=2, random_state=3)
    assert (found.target, found.measure, found.baselines, found.alpha) == (target, "nDCG@10", ("feature:1",), 2)
    for column in range(20):
        expected = [slow(ranker, valid, column, (3, column, i), VALUES[target]) for i in range(2)]
        np.testing.assert_allclose(found.values[column], expected, rtol=0, atol=1e-12)
    assert (np.abs(found.mean) > 0).any()
    np.testing.assert_allclose(found.spread, found.values.std(axis=1, ddof=1))


class Single(rr.AdaRank):
    """Ranks by weights that are given."""

    def __init__(self, weights=(1.0, 0.0)):
        super().__init__(n_rounds=1)
        self.weights = weights

    def score_documents(self, features):
        return features.astype(np.float64) @ np.array(self.weights)

    def importances(self):
        return {}


def test_two_queries_by_hand():
    """The model ranks by x, the baseline by y, in P@1. On query a both find the good document, on b only the baseline
    does: risk = (0 + 1) / 2. Every permutation of x gives a query 1 or 0, so risk is 0, 1/2 or 1: the importance of x
    in risk is −1/2, 0 or 1/2, and never less than what is left to gain.
    """
    x, y, labels = [2.0, 1.0, 2.0, 1.0], [2.0, 1.0, 1.0, 2.0], [1, 0, 0, 1]
    data = rr.RankingData.from_arrays(np.column_stack([x, y]), labels, qid=list("aabb"), feature_names=["x", "y"])
    ranker = Single().fit(data, baseline=rr.Feature("y"))
    found = ranker.permutation_importance(data, measure="P@1", target="risk", repeats=40)
    assert found.intact == 0.5
    expected = []
    for i in range(40):
        p = np.random.default_rng((0, 0, i)).permutation(np.array(x, np.float32))
        values = [0.5 if first == second else float(first > second) for first, second in ((p[0], p[1]), (p[3], p[2]))]
        expected.append((2 - sum(values)) / 2 - 0.5)
    np.testing.assert_allclose(found.values[0], expected)
    assert {-0.5, 0.0, 0.5} == set(np.round(found.values[0], 9).tolist())
    assert found.values[1].tolist() == [0.0] * 40  # the model does not look at y, and the baseline stays as it is


def test_a_feature_that_misleads_causes_the_losses(train):
    """Rank by the baseline's feature plus noise: without the noise there is no loss at all."""
    rng = np.random.default_rng(0)
    features = np.column_stack([train.labels + 0.01 * rng.normal(size=len(train)), 3 * rng.normal(size=len(train))])
    data = rr.RankingData.from_arrays(features, train.labels, qid=qid_of(train), feature_names=["good", "noise"])
    misled = Single(weights=(1.0, 1.0)).fit(data, baseline=rr.Feature("good"))
    risk = misled.permutation_importance(data, target="risk")
    assert risk.mean[0] > 0.01  # what protects
    assert abs(risk.mean[1]) < risk.mean[0]
    harmed = rr.RankingData.from_arrays(
        np.column_stack([features[:, 0], -3 * train.labels]), train.labels, qid=qid_of(train),
        feature_names=["good", "wrong"],
    )  # fmt: skip
    risk = (
        Single(weights=(1.0, 1.0))
        .fit(harmed, baseline=rr.Feature("good"))
        .permutation_importance(harmed, target="risk")
    )
    assert risk.mean[1] < -0.05
    assert risk.frame["feature"].to_list() == ["good", "wrong"]
    assert "wrong" in repr(risk)


def test_gain_needs_no_baseline_and_is_the_mean_of_the_measure(train, valid):
    ranker = rr.LambdaMART(n_trees=5, n_leaves=5, n_threads=1).fit(train)
    found = ranker.permutation_importance(valid, measure="AP", repeats=1)
    assert (found.baselines, found.measure) == ((), "AP")
    assert found.intact == pytest.approx(rr.evaluate(valid, {"m": ranker.predict(valid)}, "AP").matrix.mean())
    assert (found.spread == 0).all()
    with pytest.raises(ParameterError, match="risk compares with a baseline: pass baseline="):
        ranker.permutation_importance(valid, target="risk")
    against = ranker.permutation_importance(valid, measure="AP", repeats=1, baseline=rr.Feature(1))
    np.testing.assert_allclose(against.values, found.values, rtol=0, atol=1e-12)


def test_rows_may_be_mixed_and_columns_in_another_order(train, valid):
    names = [f"f{i}" for i in range(20)]
    frame = pd.DataFrame(train.features, columns=names).assign(qid=qid_of(train))
    ranker = rr.LambdaMART("urisk", n_trees=4, n_leaves=5).fit(frame, train.labels, baseline="column:f0")
    rows = in_turns(valid)
    test = pd.DataFrame(valid.features, columns=names)[names[::-1]].assign(qid=qid_of(valid))
    text = valid.feature(1).astype(np.float64)
    known = ranker.permutation_importance((test, valid.labels), target="urisk", repeats=1)
    given = ranker.permutation_importance((test, valid.labels), target="urisk", repeats=1, baseline=text)
    np.testing.assert_array_equal(known.values, given.values)
    mixed = ranker.permutation_importance(
        (test.iloc[rows], valid.labels[rows]), target="urisk", repeats=1, baseline=text[rows]
    )
    np.testing.assert_array_equal(known.values, mixed.values)


def test_queries_count_by_their_weights(ranker, valid):
    once = dataclasses.replace(valid.take([0, 1, 1, 1]), query_ids=("a", "b", "c", "d"))
    weighted = valid.take([0, 1]).weighted([1, 3])
    value = ranker.permutation_importance(weighted, target="urisk", repeats=1).intact
    assert value == pytest.approx(ranker.permutation_importance(once, target="urisk", repeats=1).intact)


def test_a_start_that_is_a_feature_is_permuted_with_it(train, valid):
    ranker = rr.LambdaMART(n_trees=1, n_leaves=2, start="baseline").fit(train, baseline=rr.Feature(1))
    assert ranker.permutation_importance(valid, repeats=1).mean[0] > 0
    given = rr.LambdaMART(n_trees=1, n_leaves=2, start="baseline").fit(train, baseline=train.feature(1))
    text = valid.feature(1).astype(np.float64)
    found = given.permutation_importance(valid, repeats=1, baseline=text, random_state=2)
    assert found.mean[0] == 0  # its trees do not look there, and what it starts from stays
    scores = rr.evaluate(valid, {"model": given.predict(valid, baseline=text), "text": text}, "nDCG@10")
    assert found.intact == pytest.approx((scores["model"] - scores["text"]).mean())
    with pytest.raises(ParameterError, match="this model starts from its baseline .scores.: pass baseline="):
        given.permutation_importance(valid)


def test_of_a_mixed_ranker_the_queries_count_that_the_model_ranks(ranker, valid):
    mixed = rr.Mixed.of(ranker, baseline=rr.Feature(1), probability=0.4)
    chosen = mixed.uses_model(valid)
    assert 0 < chosen.sum() < len(chosen)
    found = mixed.permutation_importance(valid, target="risk", repeats=1)
    expected = ranker.permutation_importance(valid.take(chosen), target="risk", repeats=1)
    np.testing.assert_array_equal(found.values, expected.values)
    with pytest.raises(ParameterError, match="the model ranks none of these queries"):
        rr.Mixed.of(ranker, baseline=rr.Feature(1), probability=0.0).permutation_importance(valid)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"target": "trisk"}, "target must be one of gain, reward, risk, urisk"),
        ({"repeats": 0}, "repeats must be a whole number from 1"),
        ({"random_state": -1}, "random_state"),
        ({"alpha": -1}, "alpha"),
    ],
)
def test_wrong_options_are_refused(options, message, ranker, valid):
    with pytest.raises(ParameterError, match=message):
        ranker.permutation_importance(valid, **options)
