from __future__ import annotations

import numpy as np
import pytest
import scipy.stats

from riskrank.assessment.rank_changes import RankChange
from riskrank.assessment.system_intervals import system_intervals
from riskrank.risk.inference.shares import wilson

SCORES = np.random.default_rng(3).beta(2, 3, 30)


def test_means_have_students_interval_and_geometric_ones_on_the_logarithmic_scale():
    named = system_intervals(SCORES, "mean", 0.9, None)
    plain, logarithms = (
        scipy.stats.t.interval(0.9, 29, loc=values.mean(), scale=scipy.stats.sem(values))
        for values in (SCORES, np.log(SCORES))
    )
    assert named["effectiveness"] == pytest.approx(plain)
    assert named["geometric_mean"] == pytest.approx(np.exp(logarithms))
    assert system_intervals(SCORES, "geometric", 0.9, None)["effectiveness"] == named["geometric_mean"]


def test_limits_of_scores_from_0_to_1_stay_there():
    named = system_intervals(np.array([1.0, 0.01]), "mean", 0.95, None)
    assert named["effectiveness"] == (0.0, 1.0)
    assert named["geometric_mean"][1] == 1
    low, high = system_intervals(np.array([-1.0, 2.0]), "mean", 0.95, None)["effectiveness"]
    assert low < -1 < 2 < high


@pytest.mark.parametrize("scores", [[0.5], [], [0.5, np.nan, 0.2], [0.5, np.inf, 0.2], [0.5, 1e300, 0.2]])
def test_scores_that_cannot_be_reckoned_with_have_no_interval(scores):
    named = system_intervals(np.array(scores), "mean", 0.95, None)
    assert np.isnan([named["effectiveness"], named["geometric_mean"]]).all()


def test_limits_too_wide_for_a_number_are_none():
    low, _ = system_intervals(np.array([1e-5, 40.0]), "mean", 0.999999, None)["geometric_mean"]
    assert np.isnan(low)


def test_rankings_have_intervals_over_the_topics_where_they_are_known():
    taus, moved = np.array([0.9, 0.5, np.nan, 0.7, 0.2]), np.array([True, True, False, True, True])
    named = system_intervals(SCORES, "mean", 0.95, RankChange(0.575, 0.8, taus, moved))
    known = taus[~np.isnan(taus)]
    low, high = scipy.stats.t.interval(0.95, 3, loc=known.mean(), scale=scipy.stats.sem(known))
    assert named["kendall_tau"] == pytest.approx((low, min(high, 1.0)))
    assert named["reranked"] == wilson(4, 5, 0.95)
