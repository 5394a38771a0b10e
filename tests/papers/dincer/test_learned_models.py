"""Training as printed, and estimates."""

from __future__ import annotations

import numpy as np
import pytest

from riskrank.data.synthetic.synthetic_features import web_search_data
from riskrank.objectives.gain import Gain
from riskrank.objectives.urisk import URisk
from riskrank.papers.dincer.learned_models import JudgedModel, TreePlan, alike, higher
from riskrank.papers.verdicts import verdict

PLAN = TreePlan(n_trees=3, n_leaves=4, learning_rate=0.1, min_docs_in_leaf=5)


def test_a_plan_gives_every_objective_the_same_trees():
    data = web_search_data(20, documents_per_query=10, n_features=20)
    plain, risky = PLAN.ranker(Gain), PLAN.ranker(URisk)
    assert (risky.objective.truncation, risky.objective.normalise) == (None, "none")
    assert (plain.n_trees, plain.n_leaves, plain.min_docs_in_leaf) == (3, 4, 5)
    risky.objective = URisk("nDCG@10", alpha=0.0, truncation=None, normalise="none")
    for ranker in (plain, risky):
        ranker.verbose = False
        ranker.fit(data, baseline="feature:1")
    np.testing.assert_allclose(plain.predict(data), risky.predict(data), rtol=1e-6)


def test_models_are_compared_query_by_query_and_averaged_over_baselines():
    """Against 0.5 and 0.4: rewards of 0.1 and 0.2 on half of the queries, losses of 0.2 and 0.1 on the others."""
    values = np.tile([0.6, 0.3], 50)
    baselines = np.stack([np.full(100, 0.5), np.full(100, 0.4)])
    model = JudgedModel(values, baselines)
    assert model.of("reward")[0] == pytest.approx(0.15)
    assert model.of("risk")[1] == pytest.approx(0.15)
    assert model.of("large_losses").tolist()[:2] == [0.0, 1.0]
    # 0.05 / 0.1 and 0.1 / 0.05, on average 1.25: not the ratio of means, which is 1
    assert model.ratio("reward_per_risk", np.arange(100)) == pytest.approx(1.25)
    assert model.ratio("reward_per_risk", np.arange(100)) == pytest.approx(model.profile.reward_per_risk)
    assert model.ratio("wins_per_loss", np.arange(100)) == pytest.approx(model.profile.wins_per_loss)


def test_higher_and_alike_are_sure_of_what_is_clear():
    rng = np.random.default_rng(0)
    baseline = rng.uniform(0.3, 0.7, 1000)
    safe, risky = (JudgedModel(baseline + rng.normal(0.05, spread, 1000), baseline) for spread in (0.05, 0.1))
    for name in ("reward_per_risk", "wins_per_loss"):
        assert verdict(higher(name, safe, risky)) == "holds"
        assert verdict(higher(name, risky, safe)) == "does not hold"
        assert verdict(alike(name, safe, risky, 0.1)) == "does not hold"
    assert higher("risk", risky, safe).estimate == pytest.approx(risky.profile.risk - safe.profile.risk)
    assert verdict(alike("effectiveness", safe, risky, 0.02)) == "holds"
    assert verdict(higher("effectiveness", safe, risky)) == "undecided"


def test_a_ratio_to_nothing_decides_nothing():
    up = JudgedModel(np.linspace(0.6, 0.7, 100), np.full(100, 0.5))
    assert verdict(higher("reward_per_risk", up, up)) == "undecided"
