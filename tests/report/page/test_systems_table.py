"""The one table: names, glyphs on one scale, and what is written in its cells."""

from __future__ import annotations

import numpy as np
import pytest

import riskrank as rr
from riskrank.report.findings.assessment_findings import leader
from riskrank.report.page.systems_table import systems_table, up_to


@pytest.fixture(scope="module")
def assessment():
    rng = np.random.default_rng(0)
    base = rng.beta(2, 3, 40)
    rows = {"base": base, **{f"s_{i}": np.clip(base + rng.normal(0.01 * i, 0.05, 40), 0, 1) for i in range(12)}}
    return rr.assess(rr.Effectiveness.from_rows({**rows, "far": base * 0}), "base", alphas=(0, 1))


def test_rows_are_ordered_by_gain_and_the_baseline_is_apart(assessment):
    table = systems_table(assessment, 1.0)
    gains = [assessment.systems[row.number].gain for row in table.rows]
    assert gains == sorted(gains, reverse=True)
    assert len(table.rows) == 13
    assert table.baseline.name.own == "base"


def test_the_leader_is_chosen_at_first_and_without_one_the_largest_gain(assessment):
    table = systems_table(assessment, 1.0)
    assert assessment.systems[table.chosen.number] is leader(assessment)
    few = rr.assess(rr.Effectiveness.from_rows({"base": [0.1, 0.2], "a": [0.1, 0.1], "b": [0.2, 0.2]}), "base")
    assert leader(few) is None
    assert systems_table(few, 1.0).chosen.name.own == "b"
    alone = rr.assess(rr.Effectiveness.from_rows({"base": [0.1, 0.2]}), "base")
    assert systems_table(alone, 1.0).chosen is None


def test_intervals_are_on_one_scale_and_far_ones_point_beyond_it(assessment):
    table = systems_table(assessment, 1.0)
    near = [row for row in table.rows if not row.glyph.side]
    places = np.array([row.glyph.middle for row in near])
    gains = np.array([assessment.systems[row.number].gain for row in near])
    slope, start = np.polyfit(gains, places, 1)
    np.testing.assert_allclose(places, start + slope * gains, atol=0.02)
    assert start == pytest.approx(table.zero, abs=0.02)
    for row in near:
        low, high = assessment.systems[row.number].gain_interval
        assert (row.glyph.low, row.glyph.high) == pytest.approx((start + slope * low, start + slope * high), abs=0.05)
    (far,) = [row for row in table.rows if row.name.own == "far"]
    assert (far.glyph.side, far.is_far, far.risk_share) == (-1, True, 100)


def test_of_many_systems_the_scale_of_gains_is_not_that_of_the_worst():
    rng = np.random.default_rng(0)
    base = rng.uniform(0.6, 0.9, 60)
    rows = {"base": base} | {f"s{i}": base + rng.normal(0.02 - 0.03 * i, 0.02, 60) for i in range(20)}
    table = systems_table(rr.assess(rr.Effectiveness.from_rows(rows), "base"), 1.0)
    sides = [row.glyph.side for row in table.rows]
    assert sides[:15] == [0] * 15  # three quarters
    assert sides[-1] == -1
    assert table.rows[0].glyph.high < 100


def test_shares_of_topics_are_shares(assessment):
    for row in systems_table(assessment, 1.0).rows:
        assert row.hurt_share == pytest.approx(100 * row.hurt / 40, abs=0.05)
        assert row.helped_share == pytest.approx(100 * row.helped / 40, abs=0.05)


@pytest.mark.parametrize(
    ("alpha", "text", "place"),
    [(None, "never", 0), (0.0, "α = 0", 0), (1.0, "α = 1", 50), (10.0, "α = 10+", 100)],
)
def test_the_largest_alpha_is_open_at_its_end(alpha, text, place):
    assert up_to(alpha, (0.0, 1.0, 10.0)) == (text, place)


def test_a_system_without_finite_scores_is_listed_last():
    rows = {"base": [0.1, 0.2, 0.3], "odd": [0.1, float("nan"), 0.2], "new": [0.2, 0.3, 0.1]}
    table = systems_table(rr.assess(rr.Effectiveness.from_rows(rows), "base", alphas=(0, 1)), 1.0)
    assert [row.name.own for row in table.rows] == ["new", "odd"]
    odd = table.rows[-1]
    assert (odd.gain, odd.risk, odd.verdict, odd.glyph.low) == ("–", "–", "none", None)
