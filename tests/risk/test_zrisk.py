from __future__ import annotations

import math

import numpy as np
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st

from riskrank import risk
from riskrank.errors import ParameterError
from riskrank.papers.dincer2016 import MATRIX, TABLE_4
from riskrank.risk.zrisk import deviations

from .examples import alphas, matrices


def slow_zrisk(matrix, alpha):
    sums, topics, total = matrix.sum(axis=1), matrix.sum(axis=0), matrix.sum()
    values = []
    for i in range(len(matrix)):
        value = 0.0
        for j in range(matrix.shape[1]):
            expected = sums[i] * topics[j] / total if total else 0.0
            if expected > 0:
                z = (matrix[i, j] - expected) / math.sqrt(expected)
                value += z if z > 0 else (1 + alpha) * z
        values.append(value)
    return np.array(values)


@given(matrices, alphas)
def test_zrisk_and_georisk_agree_with_the_definition(matrix, alpha):
    z = slow_zrisk(matrix, alpha)
    np.testing.assert_allclose(risk.zrisk(matrix, alpha=alpha), z, rtol=1e-9, atol=1e-9)
    geo = np.sqrt(matrix.mean(axis=1) * scipy.stats.norm.cdf(z / matrix.shape[1]))
    np.testing.assert_allclose(risk.georisk(matrix, alpha=alpha), geo, rtol=1e-9, atol=1e-9)


@given(matrices, alphas, st.randoms(use_true_random=False))
def test_rows_and_columns_may_be_permuted(matrix, alpha, random):
    rows, columns = list(range(matrix.shape[0])), list(range(matrix.shape[1]))
    random.shuffle(rows)
    random.shuffle(columns)
    permuted = matrix[rows][:, columns]
    for measure in (risk.zrisk, risk.georisk):
        np.testing.assert_allclose(measure(permuted, alpha=alpha), measure(matrix, alpha=alpha)[rows], atol=1e-9)


@given(matrices, alphas)
def test_copies_of_all_systems_change_nothing_and_a_copy_scores_as_its_original(matrix, alpha):
    for measure in (risk.zrisk, risk.georisk):
        doubled = measure(np.vstack([matrix, matrix]), alpha=alpha)
        np.testing.assert_allclose(doubled[: len(matrix)], measure(matrix, alpha=alpha), atol=1e-9)
        one_more = measure(np.vstack([matrix, matrix[:1]]), alpha=alpha)
        assert one_more[0] == pytest.approx(one_more[-1], abs=1e-9)


@given(matrices)
def test_at_alpha_zero_one_system_has_zero(matrix):
    np.testing.assert_allclose(risk.zrisk(matrix[:1], alpha=0), 0, atol=1e-9)


def test_without_effectiveness_there_is_no_risk():
    assert risk.zrisk(np.zeros((3, 2)), alpha=5).tolist() == [0, 0, 0]


def test_nan_spreads_to_all_systems():
    assert np.isnan(risk.zrisk([[0.1, math.nan], [0.2, 0.3]], alpha=1)).all()


def test_only_matrices_of_effectiveness_are_taken():
    with pytest.raises(ParameterError, match="systems × topics"):
        risk.zrisk([0.1], alpha=1)
    with pytest.raises(ParameterError, match="negative"):
        risk.zrisk([[-0.1]], alpha=1)
    with pytest.raises(ParameterError, match="finite"):
        risk.zrisk([[math.inf]], alpha=1)


@given(matrices)
def test_g_squared_is_the_sum_of_squared_z(matrix):
    result = risk.g_squared(matrix)
    z = risk.z_scores(matrix)
    assert result.statistic == pytest.approx(np.square(z).sum())
    np.testing.assert_allclose(z.sum(axis=1), risk.zrisk(matrix, alpha=0), atol=1e-9)
    assert result.degrees_of_freedom == (matrix.shape[0] - 1) * (matrix.shape[1] - 1)


def test_of_counts_g_squared_is_pearsons_test():
    counts = [[12, 30, 7], [20, 25, 14]]
    expected = scipy.stats.chi2_contingency(counts, correction=False)
    result = risk.g_squared(counts)
    assert (result.statistic, result.p_value) == pytest.approx((expected.statistic, expected.pvalue))
    assert result.degrees_of_freedom == expected.dof


def test_one_system_or_topic_has_no_test():
    assert math.isnan(risk.g_squared([[0.1, 0.2]]).p_value)
    assert math.isnan(risk.g_squared([[0.1], [0.2]]).p_value)


@given(matrices.filter(lambda matrix: len(matrix) > 1))
def test_an_outsider_is_compared_with_the_population_and_itself(matrix):
    members = np.arange(len(matrix)) < len(matrix) - 1
    z = risk.z_scores(matrix, population=members)
    np.testing.assert_allclose(z[-1], risk.z_scores(matrix)[-1], atol=1e-9)  # as one more row
    np.testing.assert_allclose(z[:-1], risk.z_scores(matrix[:-1]), atol=1e-9)  # which members know nothing of
    expected = np.where(z < 0, 3 * z, z).sum(axis=1)
    np.testing.assert_allclose(risk.zrisk(matrix, alpha=2, population=members), expected, atol=1e-9)


def test_table_4_of_dincer2016_has_a_population_of_one_baseline():
    is_baseline = np.arange(8) == 0
    above, below = deviations(MATRIX, is_baseline)
    for k, (printed, _) in TABLE_4.items():
        assert above[k - 1] + below[k - 1] == pytest.approx(printed[-1], abs=5e-5)
    assert above[0] + below[0] == pytest.approx(0, abs=1e-12)


def test_a_population_says_of_each_system_whether_it_belongs():
    for population in ([True], [False, False]):
        with pytest.raises(ParameterError, match="population must say of each of 2 systems whether it belongs"):
            risk.z_scores([[0.1, 0.3], [0.2, 0.2]], population=population)
