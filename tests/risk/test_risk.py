"""Hand-worked examples, properties and outside authorities for every risk measure."""

from __future__ import annotations

import math

import numpy as np
import pytest
import scipy.stats
from hypothesis import assume, given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from riskrank import Effectiveness, assess, risk
from riskrank.errors import ParameterError
from riskrank.risk.churn import kendall_taus
from riskrank.risk.georisk import normal_cdf
from riskrank.risk.inference.student_t import critical_value, two_sided_p
from riskrank.risk.paired import tradeoff
from riskrank.risk.trisk import jackknife_standard_error, standard_error

SYSTEM, BASELINE = [0.6, 0.3, 0.5, 0.4], [0.5, 0.5, 0.5, 0.44]
# d = 0.1, −0.2, 0, −0.04

effectiveness = st.floats(0, 1).map(lambda x: round(x, 6))
alphas = st.floats(0, 50)


def pairs(min_size=2):
    return st.integers(min_size, 30).flatmap(
        lambda n: st.tuples(arrays(float, n, elements=effectiveness), arrays(float, n, elements=effectiveness))
    )


matrices = st.tuples(st.integers(1, 6), st.integers(1, 8)).flatmap(
    lambda shape: arrays(float, shape, elements=st.floats(0, 1).map(lambda x: round(x, 4)))
)


def test_a_worked_example():
    assert risk.risk(SYSTEM, BASELINE) == pytest.approx(0.24 / 4)
    assert risk.reward(SYSTEM, BASELINE) == pytest.approx(0.1 / 4)
    assert risk.gain(SYSTEM, BASELINE) == pytest.approx(-0.14 / 4)
    assert risk.urisk(SYSTEM, BASELINE, alpha=5) == pytest.approx((0.1 - 6 * 0.24) / 4)
    # −0.2 of 0.5 is a loss of 40 %; −0.04 of 0.44 one of 9 %
    assert risk.outcomes(SYSTEM, BASELINE) == risk.Outcomes(wins=1, losses=2, ties=1, large_losses=1)
    assert risk.cvar(SYSTEM, BASELINE, share=0.25) == pytest.approx(0.2)
    assert risk.cvar(SYSTEM, BASELINE, share=0.5) == pytest.approx(0.24 / 2)
    # 1.5 topics: all of the worst, half of the next
    assert risk.cvar(SYSTEM, BASELINE, share=0.375) == pytest.approx((0.2 + 0.5 * 0.04) / 1.5)
    assert risk.cvar(SYSTEM, BASELINE, share=1) == pytest.approx(risk.risk(SYSTEM, BASELINE))


def test_a_loss_of_exactly_a_fifth_is_not_beyond_it():
    assert risk.outcomes([0.8, 0.72, 0.44, 0.36], [1.0, 0.9, 0.55, 0.45]).large_losses == 0
    assert risk.outcomes([0.79], [1.0]).large_losses == 1
    assert risk.outcomes([0.0], [0.0]).large_losses == 0


def test_rounding_is_no_win_and_no_loss():
    equal = [0.1, 0.1, 0.3]
    mean = risk.within_topic([equal, equal, equal], "mean")
    assert mean.tolist() != equal
    assert risk.outcomes(equal, mean) == risk.Outcomes(wins=0, losses=0, ties=3, large_losses=0)
    assert risk.urisk(equal, mean, alpha=5) == 0


def test_trisk_by_hand():
    # x = 0.1, −0.4, 0, −0.08 at α = 1; mean −0.095; s² = Σ(x + 0.095)²/3
    x = np.array([0.1, -0.4, 0.0, -0.08])
    error = math.sqrt(((x + 0.095) ** 2).sum() / 3) / 2
    result = risk.trisk(SYSTEM, BASELINE, alpha=1)
    assert result.urisk == pytest.approx(-0.095)
    assert result.standard_error == pytest.approx(error)
    assert result.statistic == pytest.approx(-0.095 / error)
    assert result.degrees_of_freedom == 3
    assert result.verdict == "inconclusive"


@given(pairs(), alphas)
def test_urisk_is_reward_minus_weighted_risk_and_linear_in_alpha(pair, alpha):
    found = risk.urisk(*pair, alpha=alpha)
    assert found == pytest.approx(risk.reward(*pair) - (1 + alpha) * risk.risk(*pair), abs=1e-9)
    zero, one = risk.urisk(*pair, alpha=0), risk.urisk(*pair, alpha=1)
    assert found == pytest.approx(zero + alpha * (one - zero), abs=1e-9)


@given(pairs(), alphas)
def test_jackknife_error_equals_the_parametric_one(pair, alpha):
    x = tradeoff(pair[0] - pair[1], alpha)
    assert jackknife_standard_error(x) == pytest.approx(float(standard_error(x)), rel=1e-6, abs=1e-9)
    by_jackknife = risk.trisk(*pair, alpha=alpha, error="jackknife")
    assert by_jackknife.urisk == pytest.approx(risk.trisk(*pair, alpha=alpha).urisk)


@given(pairs())
def test_alpha_zero_is_the_paired_t_statistic(pair):
    result = risk.trisk(*pair, alpha=0)
    assume(not result.reason)
    t, p = scipy.stats.ttest_rel(*pair)
    assume(abs(t) < 1e6)
    assert result.statistic == pytest.approx(t, rel=1e-6, abs=1e-9)
    assert result.p_value == pytest.approx(p, rel=1e-5, abs=1e-12)


@given(pairs(), alphas)
def test_trisk_is_a_one_sample_t_test_of_the_tradeoffs(pair, alpha):
    result = risk.trisk(*pair, alpha=alpha)
    assume(not result.reason and abs(result.statistic) < 1e6)
    t, p = scipy.stats.ttest_1samp(tradeoff(pair[0] - pair[1], alpha), 0)
    assert result.statistic == pytest.approx(t, rel=1e-6, abs=1e-9)
    assert result.p_value == pytest.approx(p, rel=1e-5, abs=1e-12)
    crit = scipy.stats.t.ppf(0.975, len(pair[0]) - 1)
    expected = "inconclusive" if abs(t) <= crit else "significant loss" if t < 0 else "significant gain"
    assert result.verdict == expected


@given(pairs(), alphas, st.randoms(use_true_random=False))
def test_the_order_of_topics_does_not_matter(pair, alpha, random):
    order = list(range(len(pair[0])))
    random.shuffle(order)
    shuffled = pair[0][order], pair[1][order]
    assert risk.urisk(*shuffled, alpha=alpha) == pytest.approx(risk.urisk(*pair, alpha=alpha), abs=1e-9)
    assert risk.cvar(*shuffled) == pytest.approx(risk.cvar(*pair), abs=1e-9)
    assert risk.helped_hurt(*shuffled) == risk.helped_hurt(*pair)


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


@given(matrices, alphas)
def test_adding_a_copy_of_a_system_leaves_the_others_against_a_baseline(matrix, alpha):
    """Holds for URisk and TRisk. ZRisk and GeoRisk measure against the population, which a copy changes."""
    scores = Effectiveness.from_rows({f"s{i}": row for i, row in enumerate(matrix)})
    with_copy = Effectiveness.from_rows({**{f"s{i}": row for i, row in enumerate(matrix)}, "copy": matrix[-1]})
    before, after = (assess(s, "s0", alphas=[alpha]) for s in (scores, with_copy))
    for name in scores.systems:
        assert before[name].at[0].urisk == after[name].at[0].urisk
        np.testing.assert_equal(before[name].at[0].trisk, after[name].at[0].trisk)


@given(matrices)
def test_zrisk_at_alpha_zero_of_one_system_is_zero(matrix):
    np.testing.assert_allclose(risk.zrisk(matrix[:1], alpha=0), 0, atol=1e-9)


@given(pairs(1), alphas)
def test_topics_explain_the_whole(pair, alpha):
    explored = risk.explore(*pair, alpha=alpha)
    overall = risk.trisk(*pair, alpha=alpha)
    assert explored.reason == overall.reason
    assume(not explored.reason and abs(overall.statistic) < 1e6)
    count = len(pair[0])
    assert explored.t_r.statistic.mean() == pytest.approx(overall.statistic, abs=1e-6)
    assert explored.t_j.statistic.sum() == pytest.approx(0, abs=1e-5 * (1 + np.abs(explored.t_j.statistic).max()))
    # the definition by leaving out one topic
    x, mean = explored.tradeoff, explored.tradeoff.mean()
    by_definition = [(count - 1) * (mean - np.delete(x, q).mean()) / overall.standard_error for q in range(count)]
    np.testing.assert_allclose(explored.t_j.statistic, by_definition, rtol=1e-5, atol=1e-5)
    p = 2 * scipy.stats.t.sf(np.abs(explored.t_r.statistic), count - 1)
    np.testing.assert_allclose(explored.t_r.p_value, p, rtol=1e-6, atol=1e-12)


def test_student_t_agrees_with_scipy():
    for freedom in (1, 2, 3, 9, 49, 500, 9_999, 1_000_000):
        t = np.concatenate([[0.0, 1e-8, 1e-3], np.linspace(0.1, 40, 200), [-2.0, 1e3]])
        np.testing.assert_allclose(
            two_sided_p(t, freedom), 2 * scipy.stats.t.sf(np.abs(t), freedom), rtol=2e-8, atol=1e-300
        )
        for level in (0.5, 0.05, 0.01, 1e-6):
            assert critical_value(level, freedom) == pytest.approx(scipy.stats.t.isf(level / 2, freedom), rel=1e-9)
    assert math.isnan(two_sided_p(math.nan, 5))
    assert two_sided_p(math.inf, 5) == 0


def test_normal_cdf_agrees_with_scipy():
    x = np.linspace(-30, 8, 500)
    np.testing.assert_allclose(normal_cdf(x), scipy.stats.norm.cdf(x), rtol=1e-12)


@given(st.lists(st.floats(0, 1), min_size=1, max_size=20))
def test_corrections_agree_with_scipy_and_their_definitions(p):
    adjusted = risk.benjamini_hochberg(p)
    np.testing.assert_allclose(adjusted, scipy.stats.false_discovery_control(p), rtol=1e-9, atol=1e-12)
    order = np.argsort(p, kind="stable")
    running, expected = 0.0, np.empty(len(p))
    for rank, i in enumerate(order):
        running = max(running, (len(p) - rank) * p[i])
        expected[i] = min(1.0, running)
    np.testing.assert_allclose(risk.holm(p), expected)


def test_corrections_leave_nan_out():
    assert risk.holm([0.02, np.nan, 0.03]).tolist()[0] == 0.04
    assert math.isnan(risk.benjamini_hochberg([0.02, np.nan, 0.03])[1])


def test_combined_baselines():
    matrix = [[0.1, 0.4], [0.3, 0.2], [0.8, 0.0]]
    assert risk.within_topic(matrix, "mean") == pytest.approx([0.4, 0.2])
    assert risk.within_topic(matrix, "median").tolist() == [0.3, 0.2]
    assert risk.within_topic(matrix, "max").tolist() == [0.8, 0.4]
    with pytest.raises(ParameterError, match="one of mean, median, max, got 'men'. Did you mean 'mean'"):
        risk.within_topic(matrix, "men")


def test_helped_and_hurt_topics_fall_into_buckets_of_ten_percent():
    found = risk.helped_hurt([0.5, 0.25, 0.0, 0.3, 0.55, 1.5, 0.45], [0.5, 0.5, 0.5, 0.0, 0.5, 0.5, 0.5])
    count = dict(zip(found.lower, found.count, strict=True))
    assert (found.unchanged, found.from_zero) == (1, 1)
    # −50 %, −100 %, +10 %, +200 %, −10 %
    assert {k: v for k, v in count.items() if v} == {-0.5: 1, -1.0: 1, 0.1: 1, 1.0: 1, -0.1: 1}
    assert sum(found.count) + found.unchanged + found.from_zero == 7
    assert found.upper[-1] == math.inf


@given(st.lists(st.permutations(list(range(6))), min_size=1, max_size=5), st.integers(2, 6))
def test_kendall_agrees_with_scipy(permutations, size):
    rankings = [[v for v in p if v < size] for p in permutations]
    topic = np.repeat(np.arange(len(rankings)), size)
    own = np.tile(np.arange(size), len(rankings))
    found = kendall_taus(topic, np.concatenate(rankings), own, n_topics=len(rankings))
    expected = [scipy.stats.kendalltau(r, np.arange(size)).statistic for r in rankings]
    np.testing.assert_allclose(found, expected, atol=1e-12)


def test_kendall_on_long_rankings():
    rng = np.random.default_rng(0)
    a, b = rng.permutation(3000), rng.permutation(3000)
    assert risk.kendall_tau(a, b) == pytest.approx(scipy.stats.kendalltau(a, b).statistic, abs=1e-12)
    assert math.isnan(risk.kendall_tau([1], [1]))


@pytest.mark.parametrize(
    ("system", "baseline", "reason"),
    [
        ([0.5], [0.4], "a test needs at least 2 topics, got 1"),
        ([], [], "a test needs at least 2 topics, got 0"),
        ([0.5, 0.2], [0.5, 0.2], "the system equals the baseline on every topic"),
        ([0.0, 0.0], [0.0, 0.0], "the system equals the baseline on every topic"),
        ([0.3, 0.5, 0.9], [0.2, 0.4, 0.8], "the trade-off is the same on every topic"),
        ([0.5, math.inf], [0.5, math.inf], "some scores are not finite numbers"),
        ([0.5, math.nan], [0.5, 0.2], "some scores are not finite numbers"),
    ],
)
def test_degenerate_input_is_nan_with_a_reason(system, baseline, reason):
    for alpha in (0, 5):
        result = risk.trisk(system, baseline, alpha=alpha)
        assert math.isnan(result.statistic)
        assert math.isnan(result.p_value)
        assert (result.verdict, result.reason) == ("undefined", reason)
        assert not math.isinf(result.standard_error)
        assert np.isnan(risk.explore(system, baseline, alpha=alpha).t_r.statistic).all()


def test_no_topics_and_nan_are_nan_everywhere():
    for measure in (risk.risk, risk.reward, risk.gain, risk.cvar):
        assert math.isnan(measure([], []))
        assert math.isnan(measure([math.nan, 0.1], [0.1, 0.1]))
    assert math.isnan(risk.urisk([], [], alpha=1))
    assert risk.zrisk(np.zeros((3, 2)), alpha=5).tolist() == [0, 0, 0]
    assert risk.georisk(np.zeros((3, 2)), alpha=5).tolist() == [0, 0, 0]
    assert np.isnan(risk.georisk(np.zeros((3, 0)), alpha=5)).all()
    assert np.isnan(risk.zrisk([[0.1, math.nan], [0.2, 0.3]], alpha=1)).all()


def test_bad_parameters_are_refused():
    with pytest.raises(ParameterError, match="equally long, got shapes"):
        risk.urisk([0.1], [0.1, 0.2], alpha=1)
    for alpha in (-1, math.nan, math.inf):
        with pytest.raises(ParameterError, match="alpha must be a number from 0"):
            risk.urisk([0.1], [0.1], alpha=alpha)
    with pytest.raises(ParameterError, match="share must be"):
        risk.cvar([0.1], [0.1], share=0)
    with pytest.raises(ParameterError, match="systems × topics"):
        risk.zrisk([0.1], alpha=1)
    with pytest.raises(ParameterError, match="negative"):
        risk.zrisk([[-0.1]], alpha=1)
    with pytest.raises(ParameterError, match="level"):
        risk.trisk([0.1], [0.1], alpha=1, level=5)


def test_labelled_series_must_have_the_same_topics():
    import pandas as pd

    a, b = pd.Series([0.1, 0.4], index=["x", "y"]), pd.Series([0.1, 0.4], index=["y", "x"])
    with pytest.raises(ParameterError, match="different indexes"):
        risk.trisk(a, b, alpha=1)
    assert risk.gain(a, a + 0.1) == pytest.approx(-0.1)


def test_georisk_takes_scores_and_refuses_frames():
    scores = Effectiveness.from_rows({"a": [0.1, 0.3], "b": [0.2, 0.2]})
    assert risk.georisk(scores, alpha=5).tolist() == risk.georisk(scores.matrix, alpha=5).tolist()
    with pytest.raises(ParameterError, match="not a frame"):
        risk.georisk(scores.to_pandas(), alpha=5)
