from __future__ import annotations

import pytest

import riskrank as rr

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
