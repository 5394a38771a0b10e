"""Training as printed, and estimates."""

from __future__ import annotations

import numpy as np
import pytest

from riskrank.data.synthetic.synthetic_features import web_search_data
from riskrank.objectives.gain import Gain
from riskrank.objectives.urisk import URisk
from riskrank.papers.dincer.learned_models import TreePlan, about_documents, by_chance

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


def test_documents_are_counted_from_sizes(tmp_path):
    file = tmp_path / "train.txt"
    file.write_text("0 qid:1 1:0.5 2:0.25\n" * 1000)
    assert about_documents([file, tmp_path / "none"]) == 1000


def test_chance_is_two_standard_errors_of_the_most_uncertain_difference():
    difference = np.array([0.1, -0.1] * 50)
    error = difference.std(ddof=1) / 10
    assert f"{2 * error:.4f}" in by_chance([np.zeros(100), difference])
    assert by_chance([np.zeros(4)]).count("0.0000") == 1
    assert error == pytest.approx(0.01005, abs=1e-5)
