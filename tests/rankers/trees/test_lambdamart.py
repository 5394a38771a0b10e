"""LambdaMART learns: more than the baseline on unseen queries, and less risk where an objective asks for it."""

from __future__ import annotations

import numpy as np
import pytest

import riskrank as rr
from riskrank.data.synthetic.synthetic_features import web_search_data

BASELINE = rr.Feature(1)


@pytest.fixture(scope="module")
def many():
    return web_search_data(1000, documents_per_query=25, n_features=30)


@pytest.fixture(scope="module")
def seen(many):
    return many.take(slice(0, 700))


@pytest.fixture(scope="module")
def unseen(many):
    return many.take(slice(700, 1000))


def effectiveness(data, scores, measure="nDCG@10"):
    return rr.evaluate(data, {"x": scores}, measure)["x"]


def learned(seen, objective, engine, *, n_trees=80, **parameters):
    ranker = rr.LambdaMART(objective, n_trees=n_trees, n_leaves=8, n_threads=1, engine=engine, **parameters)
    return ranker.fit(seen, baseline=BASELINE)


def test_gain_beats_the_baseline_on_unseen_queries(seen, unseen, engine):
    ranker = learned(seen, rr.Gain(), engine)
    model, baseline = (effectiveness(unseen, s) for s in (ranker.predict(unseen), BASELINE.scores(unseen)))
    assert model.mean() > baseline.mean() + 0.01
    assert ranker.score(unseen) == pytest.approx(model.mean())
    assert ranker.feature_importances_.sum() == pytest.approx(1)
    assert ranker.feature_importances_.argmax() == 0  # the text score


def test_urisk_takes_less_risk_than_gain_on_the_queries_it_learns_from(seen, engine):
    baseline = effectiveness(seen, BASELINE.scores(seen))
    bold, careful = (
        effectiveness(seen, learned(seen, objective, engine, n_trees=40).predict(seen))
        for objective in (rr.Gain(), rr.URisk(alpha=10))
    )
    assert rr.risk.risk(careful, baseline) < 0.75 * rr.risk.risk(bold, baseline)
    assert rr.risk.urisk(careful, baseline, alpha=10) > rr.risk.urisk(bold, baseline, alpha=10)
    assert careful.mean() > baseline.mean()


def test_alpha_zero_is_gain(seen, unseen, engine):
    plain, urisk = (learned(seen, o, engine, n_trees=10) for o in (rr.Gain(), rr.URisk(alpha=0)))
    np.testing.assert_allclose(urisk.predict(unseen), plain.predict(unseen), atol=1e-5)


@pytest.mark.parametrize("measure", ["AP", "ERR@10", "RR", "P(rel=2)@5", "nDCG"])
def test_other_measures_are_learned_too(measure, seen):
    trained = effectiveness(seen, learned(seen, rr.Gain(measure), "lightgbm", n_trees=20).predict(seen), measure)
    assert trained.mean() > effectiveness(seen, BASELINE.scores(seen), measure).mean()


@pytest.mark.parametrize("name", sorted(rr.objectives.OBJECTIVES))
def test_every_objective_learns_on_every_engine(name, train, valid, engine):
    objective = rr.objectives.objective_named(name)
    ranker = rr.LambdaMART(objective, n_trees=8, n_leaves=4, engine=engine, n_threads=1)
    ranker.fit(train, baseline=[BASELINE, rr.Feature(9)], valid=valid)
    assert ranker.card_["objective"]["objective"] == name
    assert ranker.card_["trees"] == 8
    measure = str(objective.measure)
    none = effectiveness(train, np.zeros(train.n_documents), measure).mean()
    assert ranker.history_["train_effectiveness"][-1] > none
    assert np.isfinite(ranker.predict(valid)).all()


def test_fast_training_learns_nearly_as_much(seen, unseen):
    exact, fast = (learned(seen, rr.Gain(), "lightgbm", fast=fast) for fast in (False, True))
    assert (exact.predict(unseen) != fast.predict(unseen)).any()
    assert fast.score(unseen) > exact.score(unseen) - 0.02
