from __future__ import annotations

import numpy as np
import pytest
import scipy.stats

from riskrank import RankingData
from riskrank.assessment.rank_changes import rank_changes
from riskrank.errors import AlignmentError


def test_runs_are_compared_over_shared_documents():
    runs = {
        "old": {"1": {"a": 3.0, "b": 2.0, "c": 1.0}, "2": {"a": 2.0, "b": 1.0}},
        "new": {"1": {"b": 3.0, "a": 2.0, "d": 1.5, "c": 1.0}, "2": {"a": 9.0, "b": 8.0}},
    }
    changes = rank_changes(runs, "old")
    # topic 1: one of the pairs (a,b), (a,c), (b,c) is turned round: τ = 1/3; topic 2 is the same
    assert changes["new"].tau_per_topic == pytest.approx([1 / 3, 1])
    assert changes["new"].kendall_tau == pytest.approx(2 / 3)
    assert changes["new"].reranked == 0.5
    assert changes["old"].reranked == 0
    assert changes["old"].kendall_tau == 1
    with pytest.raises(AlignmentError, match="baseline 'x' is not among the runs: old, new"):
        rank_changes(runs, "x")


def test_scores_of_feature_data_are_compared_query_by_query():
    rng = np.random.default_rng(0)
    data = RankingData.from_arrays(np.zeros((30, 1)), np.zeros(30), group=[10, 20])
    old, new = rng.permutation(30).astype(float), rng.permutation(30).astype(float)
    change = rank_changes({"old": old, "new": new}, "old", data=data)["new"]
    expected = [scipy.stats.kendalltau(old[s], new[s]).statistic for s in (slice(0, 10), slice(10, 30))]
    assert change.tau_per_topic == pytest.approx(expected)
    assert change.reranked == 1
