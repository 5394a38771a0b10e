"""The figures of Wang et al. 2012."""

from __future__ import annotations

import numpy as np
import pytest

from riskrank.papers.wang.wang_figures import (
    bins_figure,
    has_no_thresholds,
    histogram_figure,
    hull_of,
    in_bins,
    learning_figure,
    tradeoff_figure,
)
from riskrank.papers.wang.wang_protocol import Study

from ..tradeoff.synthetic_sweeps import judged, synthetic_sweep

PREDICTOR = "max feature:110"
N = 40
HURT = np.arange(N) >= 30
BOLD = np.where(HURT, -0.2, 0.2)  # gain 0.1, risk 0.05
CAREFUL = np.where(HURT, -0.04, 0.16)  # gain 0.11, risk 0.01


def study(*deltas, predicted, thresholds, train_gain=0.2, train_risk=0.02, **options):
    test = judged(np.array(deltas), predictors={PREDICTOR: np.asarray(predicted, dtype=np.float64)})
    n = len(deltas)
    sweep = synthetic_sweep(
        test, values=[0, 5, 30][:n], thresholds={PREDICTOR: thresholds}, train_gain=np.full(n, train_gain),
        train_risk=np.full(n, train_risk), **options,
    )  # fmt: skip
    return Study("data", (sweep,), (), PREDICTOR, (), "")


def helpful(**options):
    """Selective use is above the coin, a careful model above both."""
    return study(BOLD, CAREFUL, predicted=np.arange(N), thresholds=[0, 20, 35, 40], **options)


def test_curves_are_those_of_models_of_selective_use_and_of_the_coin():
    # Used below 20: gain 0.1, risk 0; below 35: gain (6 − 1) / 40 = 0.125, risk 1 / 40 = 0.025.
    figure = tradeoff_figure(helpful(), "MSLR")
    lines = {series.name: (series.x, series.y) for series in figure.series}
    np.testing.assert_allclose(lines[f"selective ({PREDICTOR})"], [[0, 0, 2.5, 5], [0, 10, 12.5, 10]], atol=1e-9)
    np.testing.assert_allclose(lines["risk-sensitive"], [[5, 1], [10, 11]], atol=1e-9)
    np.testing.assert_allclose(lines["proportional reduction"], [[0, 5], [0, 10]], atol=1e-9)


def test_a_predictor_that_is_alike_for_all_queries_has_no_thresholds():
    assert not has_no_thresholds(helpful())
    assert has_no_thresholds(study(BOLD, CAREFUL, predicted=np.ones(N), thresholds=[0, 1, 1, 2]))


def test_the_hull_ends_with_the_segment_of_alpha():
    inside, near, outside = helpful(), helpful(train_gain=0.06), helpful(train_gain=0.04)  # gain / risk 10, 3 and 2
    np.testing.assert_allclose(hull_of(inside), [[0.05, 0.01, 0], [0.1, 0.11, 0]])
    np.testing.assert_allclose(hull_of(near), hull_of(inside))  # 3 is nearer to 5 than to 0
    np.testing.assert_allclose(hull_of(outside), [[0.05, 0], [0.1, 0]])


def test_bars_stand_beside_each_other_without_the_spike():
    figure = histogram_figure(helpful(), "MSLR", (0, 5))
    bold, careful = figure.series
    assert {series.kind for series in figure.series} == {"bars"}
    assert len(bold.x) == 20
    assert (bold.x[0], careful.x[0]) == (pytest.approx(-100 + 10 / 3), pytest.approx(-100 + 20 / 3))
    # BOLD loses 40 % of 0.5 on 10 queries and wins 40 % on 30; CAREFUL loses 8 % and wins 32 %.
    assert {round(x - 10 / 3): y for x, y in zip(bold.x, bold.y, strict=True) if y} == {-40: 10, 40: 30}
    assert {round(x - 20 / 3): y for x, y in zip(careful.x, careful.y, strict=True) if y} == {-10: 10, 30: 30}


def test_curves_end_after_100_trees_and_bins_are_in_percent():
    learning = ((np.linspace(0.1, 0.5, 150),), (np.array([0.2, 0.3]),))
    found = helpful(learning=learning, learning_baseline=((0.0,), (0.0,)))
    bold, careful = learning_figure(found, "MSLR").series
    assert (len(bold.y), bold.name, careful.y) == (100, "α = 0", (0.2, 0.3))
    bins = found.sweep.distances()
    assert in_bins(bins, 5)[2] == 1.0  # a distance of 0.25
    assert bins_figure(bins, "MSLR").series[1].y[2] == 100.0
    assert in_bins(bins, 0, "queries") == [0, 0, N, 0, 0, 0, 0, 0, 0, 0]
