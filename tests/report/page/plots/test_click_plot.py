"""Gain kept against pages re-ranked: where everything stands, by hand."""

from __future__ import annotations

import pytest

from riskrank.report.page.plots.click_plot import click_plot

from ....tradeoff.synthetic_clicks import LOWEST, PREFERENCE, RISK, points, synthetic_click_sweep
from ....tradeoff.synthetic_sweeps import judged
from ..clicks.hand_worked import CHANGES, hand_worked, methods_of


def plot_of(sweep, chosen=0, **options):
    return click_plot(sweep, methods_of(sweep), chosen, **options)


def at(ticks, text):
    return next(tick.place for tick in ticks if tick.text == text)


def texts(names):
    return [each.name.text for each in names.names]


def test_dots_stand_at_what_they_keep_and_what_they_rerank():
    plot = plot_of(hand_worked())
    standard, preference, lowest = plot.dots
    assert standard.y == at(plot.y.y_ticks, "100%")
    assert plot.zero == at(plot.y.y_ticks, "0%")
    per_percent = (plot.zero - standard.y) / 100
    assert preference.y == pytest.approx(plot.zero - 100 * 0.034 / 0.06 * per_percent, abs=0.02)
    assert lowest.y > plot.zero
    assert [dot.x for dot in plot.dots] == [50.0, 20.0, 100.0]
    assert at(plot.x.x_ticks, "100%") == 100
    assert [dot.verdict for dot in plot.dots] == ["gain", "gain", "loss"]


def test_intervals_reach_up_and_down_and_stay_on_the_plot():
    for dot in plot_of(hand_worked()).dots:
        assert dot.up < 0 < dot.down
        assert dot.y + dot.up >= 0
        assert dot.y + dot.down <= 100


def test_the_coin_s_line_goes_from_the_order_shown_to_standard_gain():
    plot = plot_of(hand_worked())
    assert plot.coin == f"0,{plot.zero:g} 50,{plot.dots[0].y:g}"


def test_a_drop_ends_on_the_coin_s_line():
    plot = plot_of(hand_worked(), chosen=1)
    (drop,) = plot.drops  # none for Standard Gain, and none where no coin re-ranks as many pages
    coin = plot.zero + (plot.dots[0].y - plot.zero) * 0.2 / 0.5
    assert (drop.number, drop.x, drop.kind, drop.top) == (1, 20.0, "gain", plot.dots[1].y)
    assert drop.bottom == pytest.approx(coin, abs=0.02)
    assert "17 points more than at random" in texts(plot.wide)


def test_what_is_higher_than_all_methods_but_was_not_chosen_is_named():
    # β = 0.2 leads on validation pages by 0.5 − 0.125, here β = 0.8 does.
    models = [(RISK, 0), (PREFERENCE, 0.2), (PREFERENCE, 0.8)]
    valid = points((0.1, 0.8), (0.05, 0.1), (0.02, 0.1))
    test = points((0.1, 0.8), (0.02, 0.1), (0.05, 0.1))
    plot = plot_of(synthetic_click_sweep(models, test, valid=valid))
    assert [other.name for other in plot.others] == ["β = 0.8, not chosen"]
    assert [other.name for other in plot_of(synthetic_click_sweep(models, valid)).others] == [""]


def test_below_the_coin_the_drop_is_a_loss():
    sweep = synthetic_click_sweep([(RISK, 0), (PREFERENCE, 1)], points((0.1, 0.5), (0.02, 0.4)))
    (drop,) = plot_of(sweep).drops
    assert drop.kind == "loss"
    assert "60 points less than at random" in texts(plot_of(sweep, chosen=1).wide)


def test_other_parameters_are_grey_and_joined_in_a_line_for_each_series():
    models = [(RISK, 0), (PREFERENCE, 0.1), (PREFERENCE, 0.5), (LOWEST, 1)]
    sweep = synthetic_click_sweep(models, points((0.1, 0.8), (0.03, 0.6), (0.06, 0.2), (0.05, 1.0)))
    plot = plot_of(sweep)
    assert [other.about for other in plot.others] == [
        "Weight-Initial-Pref, β = 0.1: keeps 30% of the gain, re-ranks 60% of the pages"
    ]
    assert len(plot.series) == 1
    assert len(plot.dots) == 3


def test_models_that_lose_far_more_than_is_gained_are_off_the_chart():
    sweep = synthetic_click_sweep([(RISK, 0), (PREFERENCE, 1)], judged([CHANGES[0], [-0.5] * 100]))
    plot = plot_of(sweep)
    assert plot.off == ["Weight-Initial-Pref, β = 1 (−833%)"]
    assert [dot.number for dot in plot.dots] == [0]


def test_without_a_gain_to_keep_gains_are_drawn_as_they_are():
    sweep = synthetic_click_sweep([(RISK, 0), (PREFERENCE, 1)], points((-0.1, 0.5), (0.01, 0.1)))
    plot = plot_of(sweep)
    assert (plot.is_share, plot.coin, plot.drops) == (False, "", [])
    assert plot.zero == at(plot.y.y_ticks, "0")
    assert [dot.y < plot.zero for dot in plot.dots] == [True, False]


def test_the_chosen_method_is_named_first_and_the_coin_by_a_short_name_where_it_is_narrow():
    plot = plot_of(hand_worked(), chosen=1)
    assert texts(plot.wide)[0] == texts(plot.narrow)[0] == PREFERENCE
    assert "Standard Gain on some pages, at random" in texts(plot.wide)
    assert "at random" in texts(plot.narrow)


def test_where_few_pages_move_the_axis_ends_near_them():
    sweep = synthetic_click_sweep([(RISK, 0)], points((0.1, 0.05), n=100))
    assert plot_of(sweep).x.x_ticks[-1].text == "5%"
    nothing = synthetic_click_sweep([(RISK, 0)], points((0.0, 0.0)))
    assert plot_of(nothing).x.x_ticks[-1].text == "1%"
