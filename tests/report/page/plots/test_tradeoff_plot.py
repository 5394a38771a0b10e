"""Risk against gain: who is on the chart, who is named, and where break-even lies."""

from __future__ import annotations

import numpy as np
import pytest

import riskrank as rr
from riskrank.report.page.plots.tradeoff_plot import frontier_of, is_on_chart, tradeoff_plot


def assessed(n_systems, *, far=0, seed=0, n_topics=40):
    rng = np.random.default_rng(seed)
    base = rng.beta(2, 3, n_topics)
    rows = {"base": base}
    for i in range(n_systems - far):
        rows[f"s{i}"] = np.clip(base + rng.normal(0.02 * (i % 5), 0.03 + 0.01 * (i % 4), n_topics), 0, 1)
    for i in range(far):
        rows[f"far{i}"] = np.zeros(n_topics)
    return rr.assess(rr.Effectiveness.from_rows(rows), "base", alphas=(0, 1))


def test_few_systems_are_all_drawn_named_and_crossed():
    assessment = assessed(5, far=1)
    plot = tradeoff_plot(assessment, "s0", 1.0)
    assert len(plot.dots) == 5
    assert plot.off == []
    assert {name.text for name, _ in plot.wide.names} == {dot.name for dot in plot.dots}
    assert all(dot.left is not None and dot.up is not None for dot in plot.dots if dot.name != "far0")


def test_systems_with_far_more_risk_than_most_are_off_the_chart():
    assessment = assessed(30, far=3)
    plot = tradeoff_plot(assessment, "s0", 1.0)
    assert sorted(plot.off) == ["far0", "far1", "far2"]
    assert len(plot.dots) == 27
    whole = tradeoff_plot(assessment, "s0", 1.0, cut=False)
    assert whole.off == []
    assert len(whole.dots) == 30


def test_at_least_four_fifths_of_the_systems_are_on_it():
    assessment = assessed(30, far=12)
    systems = [each for each in assessment if not each.is_baseline]
    assert sum(is_on_chart(systems)) >= 0.8 * len(systems)


def test_the_frontier_is_the_best_gain_for_each_risk():
    systems = [each for each in assessed(30) if not each.is_baseline]
    frontier = frontier_of(systems)
    for each in systems:
        better = [other for other in systems if other.risk <= each.risk and other.gain > each.gain]
        assert (each in frontier) == (not better)


def test_the_frontier_is_drawn_where_it_can_be_seen():
    base = np.full(40, 0.5)
    changes = np.where(np.arange(40) < 4, -0.1, 0.1)  # gain 0.08, risk 0.01
    wide = {f"s{i}": base + (1 + 0.1 * i) * changes for i in range(9)}  # the larger the gain, the larger the risk
    near = {f"s{i}": base + np.where(changes > 0, 0.1 + 0.01 * i, -0.1 - 0.0001 * i) for i in range(9)}
    for rows, is_seen in ((wide, True), (near, False)):
        plot = tradeoff_plot(rr.assess(rr.Effectiveness.from_rows({"base": base, **rows}), "base"), "s8", 0.0)
        assert bool(plot.frontier) == is_seen


def test_of_very_many_systems_only_some_of_the_frontier_are_named():
    plot = tradeoff_plot(assessed(160, n_topics=12), "s3", 1.0)
    assert plot.is_many
    assert len(plot.wide.names) <= 4


def test_the_chosen_dot_lies_on_all_others():
    assert tradeoff_plot(assessed(20), "s3", 1.0).dots[-1].name == "s3"


def test_the_chosen_system_and_the_largest_gain_are_both_named_where_one_of_them_has_to_come_first():
    plot = tradeoff_plot(assessed(40, seed=8, n_topics=12), "s4", 1.0)
    names = [name.text for name, _ in plot.wide.names]
    assert names[:2] == ["s9", "s4"]  # were s4 first, s9 would have no place


@pytest.mark.parametrize("alpha", [0.0, 1.0, 5.0, 100.0])
def test_break_even_is_where_gain_is_alpha_times_risk(alpha):
    plot = tradeoff_plot(assessed(12), "s0", 1.0)
    end = plot.break_even(alpha)
    risk = plot.x.low + end.x / 100 * (plot.x.high - plot.x.low)
    gain = plot.y.high - end.y / 100 * (plot.y.high - plot.y.low)
    assert gain == pytest.approx(alpha * risk, abs=0.0002 * max(1, alpha))
    assert end.x == pytest.approx(100) or end.y == pytest.approx(0)


def test_dots_have_the_verdicts_of_the_alpha():
    assessment = assessed(12)
    classes = {1.0: "gain", 0.0: "open", -1.0: "loss"}
    for alpha in (0.0, 5.0):
        column = assessment.significance.alphas.index(alpha)
        for dot in tradeoff_plot(assessment, "s0", alpha).dots:
            assert dot.verdict == classes[assessment.significance.verdicts[dot.number, column]]
