"""The curve of a sweep: series, coin, budget and the chosen point."""

from __future__ import annotations

import re

import pytest

from riskrank.report.page.plots.gain_plot import WIDTHS
from riskrank.report.page.plots.plot_names import Size, box_of
from riskrank.report.page.plots.sweep_plot import sweep_plot

from ..sweeps.swept import BOLD, CAREFUL, swept


@pytest.fixture(scope="module")
def two_models():
    return swept(BOLD, CAREFUL, values=[0, 5])


def plot_of(sweep, point=None, **options):
    return sweep_plot(sweep, point, ["gain"] * len(sweep), **options)


def test_dots_stand_at_risk_and_gain(two_models):
    plot = plot_of(two_models)
    for dot, risk, gain in zip(plot.dots, (0.05, 0.0075), (0.1, 0.03), strict=True):
        assert (dot.x, dot.y) == (plot.x.place(risk), plot.y.height(gain))
    assert plot.point is None


def test_a_coin_lies_between_the_baseline_and_its_model(two_models):
    point = two_models.guarantee(0.004)
    plot = plot_of(two_models, point)
    assert plot.point.x == plot.x.place(point.probability * 0.0075)
    mixture = next(curve for curve in plot.curves if curve.kind == "mixture")
    start, end = (tuple(map(float, each.split(","))) for each in mixture.points.split())
    assert start == (0, plot.zero)
    assert end == (plot.dots[1].x, plot.dots[1].y)


def test_the_budget_is_drawn_where_it_is_a_mean_loss(two_models):
    drawn = plot_of(two_models, two_models.guarantee(0.004))
    assert (drawn.budget.text, drawn.budget.place) == ("budget 0.004", drawn.x.place(0.004))
    assert plot_of(two_models, two_models.guarantee(0.1, hurt_beyond=0.1)).budget is None
    assert plot_of(two_models, two_models.guarantee(0.3)).budget is None  # far beyond all models
    assert plot_of(two_models).budget is None


@pytest.mark.parametrize(("budget", "beyond"), [(0.004, ""), (0.03, "over"), (0.06, "over wide-only")])
def test_what_is_over_budget_is_said_where_there_is_room(two_models, budget, beyond):
    assert plot_of(two_models, two_models.guarantee(budget)).budget.beyond == beyond
    assert plot_of(two_models, two_models.guarantee(0.06), widths=(310, 310)).budget.beyond == ""


def test_models_are_named_where_lines_leave_no_room_and_lines_are_not(two_models):
    plot = plot_of(two_models, height=60, widths=(720, 110))
    assert [name.text for name, _ in plot.narrow.names] == ["α = 0", "α = 5"]


def test_no_name_lies_on_the_budget(two_models):
    for budget in (0.004, 0.02, 0.03, 0.04):
        plot = plot_of(two_models, two_models.guarantee(budget))
        for width, names in zip(WIDTHS, (plot.wide, plot.narrow), strict=True):
            size = Size(width, plot.height)
            line = plot.budget.place * width / 100
            for name, place in names.names:
                box = box_of(place, size.point(name.x, name.y), name.width)
                assert not box.left < line < box.right, name.text


def test_series_are_all_named_and_the_chosen_one_is_ink():
    sweep = swept(BOLD, CAREFUL, 0.5 * BOLD, values=[0, 5, 0], series=["URisk", "URisk", "SARO"])
    point = sweep.choose("risk", max_risk=0.01)
    plot = plot_of(sweep, point)
    assert [name.text for name, _ in plot.wide.names] == [
        "URisk, α = 5", "URisk, α = 0", "SARO, α = 0", "URisk, α = 0 used less often, at random",
    ]  # fmt: skip
    assert [curve.kind for curve in plot.curves] == ["coin", "other", "chosen"]
    page = sweep.to_html(point=point)
    assert [len(re.findall(f'class="curve {kind}"', page)) for kind in ("chosen", "other")] == [1, 1]


def test_models_far_off_are_left_out_and_named():
    deltas = [(1 + 0.01 * k) * CAREFUL for k in range(10)] + [-BOLD * 4]
    sweep = swept(*deltas)
    plot = plot_of(sweep)
    assert plot.off == ["α = 10"]
    assert len(plot.dots) == 10
    assert "1 off the chart" in sweep.to_html()


def test_a_model_within_the_budget_that_is_not_shown_to_fit_says_so():
    sweep = swept(BOLD, 0.85 * BOLD, CAREFUL, values=[0, 5, 10])
    plot = plot_of(sweep, sweep.guarantee(0.045))
    assert {"α = 0", "α = 5, not shown to fit"} <= {name.text for name, _ in plot.wide.names}
