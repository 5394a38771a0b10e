from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import rankdata

import riskrank as rr
from riskrank.assessment.columns import standings

from .examples import SCORES


def test_tables_have_a_row_per_system_and_per_topic():
    result = rr.assess(SCORES, baseline="old", alphas=(0, 5))
    summary = result.summary
    assert summary["system"].to_list() == ["old", "new", "same"]
    assert {"urisk_0", "trisk_5", "p_holm_5", "georisk_0", "large_losses"} <= set(summary.columns)
    topics = result.per_topic
    assert topics.height == 2 * 2 * 4
    explored = rr.risk.explore(SCORES["new"], SCORES["old"], alpha=5)
    chosen = topics.filter((topics["system"] == "new") & (topics["alpha"] == 5))
    assert chosen["t_j"].to_list() == pytest.approx(explored.t_j.tolist())
    assert chosen["p_holm"].to_list() == pytest.approx(explored.p_holm.tolist())


def test_close_alphas_have_columns_of_their_own():
    summary = rr.assess(SCORES, baseline="old", alphas=[0.1234567, 0.1234568]).summary
    assert {"urisk_0.1234567", "urisk_0.1234568"} <= set(summary.columns)


def test_each_measure_has_a_rank_and_the_baseline_none_by_what_is_measured_against_it():
    result = rr.assess(SCORES, baseline="old", alphas=(0, 5))
    summary = result.summary
    best_first = sorted(summary["system"], key=lambda name: -float(SCORES[name].mean()))
    for name, rank in zip(summary["system"], summary["rank"], strict=True):
        assert best_first[rank - 1] == name or SCORES[name].mean() == SCORES[best_first[rank - 1]].mean()
    for column in ("urisk_rank_0", "trisk_rank_5"):
        assert summary[column][0] is None
    assert summary["urisk_rank_5"].to_list() == standings([float("nan"), *summary["urisk_5"][1:]])
    assert summary["georisk_rank_5"].to_list() == standings(summary["georisk_5"])


def test_ratios_are_those_of_a_profile():
    summary = rr.assess(SCORES, baseline="old", alphas=(0,)).summary
    profile = rr.risk.risk_profile(SCORES["new"], SCORES["old"])
    assert summary["reward_per_risk"][1] == pytest.approx(profile.reward_per_risk, nan_ok=True)
    assert summary["wins_per_loss"][1] == pytest.approx(profile.wins_per_loss, nan_ok=True)


def test_the_largest_is_first_and_what_is_unknown_has_no_rank():
    assert standings([0.2, 0.9, float("nan"), 0.2, -1.0]) == [2, 1, None, 2, 4]
    assert standings([]) == []


@given(st.lists(st.integers(-5, 5), min_size=1))
def test_ranks_are_those_of_scipy(values):
    assert standings(values) == rankdata([-value for value in values], method="min").tolist()
