"""Cells by name, for any table."""

from __future__ import annotations

from dataclasses import replace

import pytest

import riskrank as rr
from riskrank.report.text.cells import change_cells, change_titles, effect_cells, picked, risk_cells

ROWS = {"old": [0.5, 0.4, 0.3, 0.6], "new": [0.6, 0.1, 0.9, 0.6]}


@pytest.fixture(scope="module")
def assessment():
    return rr.assess(rr.Effectiveness.from_rows(ROWS), "old", alphas=(1,))


def test_a_system_has_all_cells_and_the_baseline_its_means(assessment):
    new = effect_cells(assessment["new"])
    # changes 0.1, −0.3, 0.6, 0; the loss is three quarters of 0.4, and the worst topic of four
    assert [new[name] for name in ("effectiveness", "gain", "risk", "reward")] == [
        "0.5500", "+0.1000", "0.0750", "0.1750",
    ]  # fmt: skip
    assert [new[name] for name in ("outcomes", "large", "cvar")] == ["2/1/1", "1", "0.3000"]
    assert set(effect_cells(assessment["old"])) == {"effectiveness", "geometric_mean"}


def test_risk_at_an_alpha(assessment):
    new = risk_cells(assessment, assessment["new"], assessment["new"].at[0])
    assert (new["alpha"], new["urisk"]) == ("1", "+0.0250")  # 0.175 − 2 × 0.075
    assert risk_cells(assessment, assessment["old"], assessment["old"].at[0])["verdict"] == "baseline"


def test_what_a_table_lacks_is_empty():
    assert picked(["a", "b"], {"b": "1", "c": "2"}) == ["", "1"]


def test_how_far_rankings_moved_has_columns_where_it_is_known(assessment):
    assert change_titles(assessment) == {}
    moved = replace(assessment["new"], kendall_tau=0.25, reranked=0.5)
    assert change_cells(moved) == {"tau": "0.250", "reranked": "50%"}
    assert change_titles(replace(assessment, systems=(assessment["old"], moved))) == {
        "tau": "τ", "reranked": "re-ranked",
    }  # fmt: skip
