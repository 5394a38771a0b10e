"""A paper's figure on its axes."""

from __future__ import annotations

import math
from importlib.resources import files

from riskrank.papers.outcome import FigureSeries, PaperFigure
from riskrank.report.papers.figure_plot import figure_plot


def test_points_stand_where_the_ticks_say():
    figure = PaperFigure("f", "x", "y", (FigureSeries("s", (0.0, 4.0, 10.0), (0.0, 1.0, math.nan), kind="line"),))
    plot = figure_plot(figure)
    (series,) = plot.series
    assert len(series.points) == 2  # what is not known is not drawn
    ticks = {float(tick.text.replace("−", "-")): tick.place for tick in plot.x_ticks}
    assert series.points[1].x == ticks[4.0]
    assert series.line == f"{series.points[0].x:g},{series.points[0].y:g} {series.points[1].x:g},{series.points[1].y:g}"


def test_a_logarithmic_axis_names_powers():
    figure = PaperFigure("f", "x", "y", (FigureSeries("s", (1.0, 10.0, 100.0), (0.0, 1.0, 2.0)),), is_log_x=True)
    plot = figure_plot(figure)
    places = {tick.text: tick.place for tick in plot.x_ticks}
    assert [point.x for point in plot.series[0].points] == [places["1"], places["10"], places["100"]]


def test_cutoffs_and_bins_have_a_tick_each_and_no_other():
    levels = tuple(range(1, 11))
    plot = figure_plot(PaperFigure("f", "truncation level", "y", (FigureSeries("s", levels, levels),)))
    assert [tick.text for tick in plot.x_ticks] == [str(level) for level in levels]
    assert [point.x for point in plot.series[0].points] == [tick.place for tick in plot.x_ticks]


def test_names_of_points_lean_away_from_the_nearer_edge():
    points = tuple(FigureSeries(f"p{x:g}", (x,), (x,), kind="points") for x in (0.0, 50.0, 100.0))
    assert [series.anchor for series in figure_plot(PaperFigure("f", "x", "y", points)).series] == [
        "start", "middle", "end",
    ]  # fmt: skip


def test_intervals_reach_from_low_to_high():
    series = FigureSeries("s", (1.0,), (0.5,), low=(0.4,), high=(0.7,), kind="points")
    (point,) = figure_plot(PaperFigure("f", "x", "y", (series,))).series[0].points
    assert point.low > point.y > point.high  # from the top, in percent


def test_the_axis_of_x_ends_where_the_points_do():
    alphas = tuple(map(float, range(21)))
    plot = figure_plot(PaperFigure("f", "α", "y", (FigureSeries("s", alphas, alphas),)))
    assert (plot.x_ticks[0].text, plot.series[0].points[0].x) == ("0", 0)
    assert plot.series[0].points[-1].x == 100
    assert plot.y_ticks[-1].text == "0" or plot.y_ticks[0].text == "0"  # no value is negative
    single = figure_plot(PaperFigure("f", "x", "y", (FigureSeries("s", (3.0,), (1.0,), kind="points"),)))
    assert 0 < single.series[0].points[0].x < 100


def test_as_many_curves_as_a_paper_draws_are_told_apart():
    many = tuple(FigureSeries(f"s{i}", (0.0, 1.0), (float(i), 1.0)) for i in range(9))
    shades = {series.shade for series in figure_plot(PaperFigure("f", "x", "y", many)).series}
    assert len(shades) == 9
    css = files("riskrank.report.page").joinpath("assets/report.css").read_text(encoding="utf-8")
    assert all(f".curve.shade-{shade} " in css for shade in shades)


def test_a_point_of_its_own_is_named_where_it_stands():
    one, two = (
        FigureSeries("one", (1.0,), (2.0,), kind="points"),
        FigureSeries("two", (1.0, 2.0), (2.0, 3.0), kind="points"),
    )
    line = FigureSeries("line", (1.0,), (2.0,))
    assert [series.is_single for series in figure_plot(PaperFigure("f", "x", "y", (one, two, line))).series] == [
        True,
        False,
        False,
    ]


def test_names_of_points_that_lie_together_stand_on_two_sides():
    places = {
        "a": (0.0, 0.02),
        "b": (1.0, 1.0),
        "below a": (0.05, 0.01),
        "far from a": (0.6, 0.01),
        "beside b": (0.9, 1.0),
    }
    series = tuple(FigureSeries(name, (x,), (y,), kind="points") for name, (x, y) in places.items())
    drawn = figure_plot(PaperFigure("f", "x", "y", series)).series
    assert [each.name for each in drawn if each.is_below] == ["below a", "beside b"]
