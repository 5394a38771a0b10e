from __future__ import annotations

import numpy as np
import pytest
import scipy.stats

from riskrank import Effectiveness, risk
from riskrank.errors import ParameterError
from riskrank.risk.georisk import normal_cdf


def test_normal_cdf_agrees_with_scipy():
    x = np.linspace(-30, 8, 500)
    np.testing.assert_allclose(normal_cdf(x), scipy.stats.norm.cdf(x), rtol=1e-12)


def test_scores_are_taken_and_frames_refused():
    scores = Effectiveness.from_rows({"a": [0.1, 0.3], "b": [0.2, 0.2]})
    assert risk.georisk(scores, alpha=5).tolist() == risk.georisk(scores.matrix, alpha=5).tolist()
    with pytest.raises(ParameterError, match="not a frame"):
        risk.georisk(scores.to_pandas(), alpha=5)


def test_without_effectiveness_it_is_0_and_without_topics_nan():
    assert risk.georisk(np.zeros((3, 2)), alpha=5).tolist() == [0, 0, 0]
    assert np.isnan(risk.georisk(np.zeros((3, 0)), alpha=5)).all()


RNG = np.random.default_rng(9)
MATRIX = RNG.beta(1.2, 2, (6, 40))


def log_georisk(matrix, alpha, weights):
    """By its definition, where topic j is there weights[j] times."""
    sums, topics = matrix @ weights, matrix.sum(axis=0)
    expected = np.outer(sums, topics) / (topics @ weights)
    z = (matrix - expected) / np.sqrt(expected)
    z = np.where(z < 0, (1 + alpha) * z, z)
    count = weights.sum()
    return np.log(np.sqrt(sums / count * scipy.stats.norm.cdf(z @ weights / count)))


def log_errors(matrix, alpha):
    """The standard errors that intervals stand for."""
    limits = np.log(risk.georisk_intervals(matrix, alpha=alpha, confidence=0.9))
    return (limits[:, 1] - limits[:, 0]) / 2 / scipy.stats.t.ppf(0.95, matrix.shape[1] - 1)


@pytest.mark.parametrize("alpha", [0, 1, 5])
def test_errors_are_derivatives_by_the_weight_of_each_topic(alpha):
    count, step = MATRIX.shape[1], 1e-6
    ones = np.ones(count)
    moved = [log_georisk(MATRIX, alpha, ones + step * unit) for unit in np.eye(count)]
    influence = (np.array(moved) - log_georisk(MATRIX, alpha, ones)) / step
    expected = np.sqrt(np.square(influence).sum(axis=0) * count / (count - 1))
    assert log_errors(MATRIX, alpha) == pytest.approx(expected, rel=1e-4)


@pytest.mark.parametrize("alpha", [0, 1, 5])
def test_errors_are_about_those_of_leaving_out_one_topic(alpha):
    count = MATRIX.shape[1]
    without = np.array([np.log(risk.georisk(np.delete(MATRIX, j, axis=1), alpha=alpha)) for j in range(count)])
    expected = np.sqrt((count - 1) * without.var(axis=0))
    assert log_errors(MATRIX, alpha) == pytest.approx(expected, rel=0.1)


def test_intervals_hold_the_value_and_stay_below_1_where_scores_do():
    for alpha in (0, 1, 5):
        low, high = risk.georisk_intervals(MATRIX, alpha=alpha).T
        assert np.all((low < risk.georisk(MATRIX, alpha=alpha)) & (risk.georisk(MATRIX, alpha=alpha) < high))
    assert risk.georisk_intervals([[0.9, 0.1, 0.9]], alpha=0, confidence=0.999).max() == 1


def test_an_outsider_has_the_georisk_and_the_interval_of_one_more_row():
    members = np.arange(6) < 4
    assert risk.georisk(MATRIX, alpha=1, population=members)[4] == pytest.approx(risk.georisk(MATRIX[:5], alpha=1)[4])
    outsider = risk.georisk_intervals(MATRIX, alpha=1, population=members)[4]
    assert outsider == pytest.approx(risk.georisk_intervals(MATRIX[:5], alpha=1)[4])


def test_there_is_no_interval_of_one_topic_of_nothing_and_of_a_georisk_of_0():
    assert np.isnan(risk.georisk_intervals([[0.3], [0.2]], alpha=1)).all()
    assert np.isnan(risk.georisk_intervals([[0.0, 0.0], [0.2, 0.1]], alpha=1)[0]).all()
    assert risk.georisk(MATRIX, alpha=1e9).tolist() == [0.0] * 6
    assert np.isnan(risk.georisk_intervals(MATRIX, alpha=1e9)).all()
