"""GeoRisk over alpha: the library's numbers on one scale, and names that do not meet."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

import riskrank as rr
from riskrank.report.page.plots.georisk_plot import georisk_plot
from riskrank.report.page.system_data import stop_values


def drawn(n_systems, **options):
    rng = np.random.default_rng(0)
    base = rng.beta(2, 3, 30)
    rows = {"base": base} | {f"s{i}": np.clip(base + rng.normal(0.01 * i, 0.1, 30), 0, 1) for i in range(n_systems)}
    assessment = rr.assess(rr.Effectiveness.from_rows(rows), "base", **options)
    return assessment, georisk_plot(assessment, stop_values(assessment)["georisk"])


def test_lines_are_georisk_at_each_alpha():
    assessment, plot = drawn(3, alphas=(0, 1, 10))
    low, high = (float(tick.text) for tick in (plot.y_ticks[0], plot.y_ticks[-1]))
    for line in plot.lines:
        points = [tuple(map(float, point.split(","))) for point in line.points.split()]
        assert [x for x, _ in points] == pytest.approx([10 * alpha for alpha in assessment.grid])
        for at in assessment.systems[line.number].at:
            _, y = points[assessment.grid.index(at.alpha)]
            assert low + (100 - y) / 100 * (high - low) == pytest.approx(at.georisk, abs=2e-4)
    assert [line.is_baseline for line in plot.lines] == [True, False, False, False]


def test_few_systems_are_named_without_meeting():
    _, plot = drawn(8)
    heights = sorted(line.name_height for line in plot.lines)
    assert all(after - before >= 15 - 1e-9 for before, after in itertools.pairwise(heights))
    assert heights[-1] <= plot.height


def test_of_many_systems_those_with_the_largest_are_named():
    assessment, plot = drawn(9, alphas=(0, 1, 10))
    first, last = (max(assessment.systems, key=lambda each: each.at[k].georisk).system for k in (0, -1))
    named = {line.name for line in plot.lines if line.name_height is not None}
    assert named == {first, last}
    assert all(name in plot.about for name in (first, last))
    assert plot.is_many


def test_who_has_the_largest_is_said():
    rows = {"base": [0.5] * 4, "bold": [0.9, 0.9, 0.9, 0.0], "even": [0.6] * 4}
    assessment = rr.assess(rr.Effectiveness.from_rows(rows), "base")
    values = [[0.5, 0.5, 0.4], [0.7, 0.6, 0.3], [0.6, 0.65, 0.6]]
    few = rr.Assessment.from_dict({**assessment.to_dict(), "grid": [0, 1, 5]})
    assert georisk_plot(few, values).about == "bold has the largest at α = 0, even at α = 5"
    assert georisk_plot(few, [[0.1] * 3, [0.2] * 3, [0.3] * 3]).about == "even has the largest at every α"
    again = [[0.5, 0.9, 0.4], [0.7, 0.6, 0.6], [0.6, 0.6, 0.5]]
    assert georisk_plot(few, again).about == "bold has the largest at α = 0 and at α = 5"


@pytest.mark.parametrize("values", [(), [[None, None, None]] * 3, [[0.1, 0.2, 0.3]]])
def test_without_georisk_there_is_no_plot(values):
    assessment, _ = drawn(2)
    few = rr.Assessment.from_dict({**assessment.to_dict(), "grid": [0, 1, 5]})
    assert georisk_plot(few, values) is None
