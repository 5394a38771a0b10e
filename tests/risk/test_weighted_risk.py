"""Weights in risk: worked by hand, against repeated topics, a slow reference, and other tools."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from riskrank import risk
from riskrank.errors import ParameterError
from riskrank.risk.inference.mirror_shift import MirrorShift, weighted_mirror
from riskrank.weights import weighted_deviation, weighted_error

SYSTEM, BASELINE, WEIGHTS = [0.6, 0.3, 0.5], [0.5, 0.5, 0.1], [3, 1, 0]
MEANS = {
    "gain": risk.gain,
    "risk": risk.risk,
    "reward": risk.reward,
    "urisk": lambda *pair, **options: risk.urisk(*pair, alpha=4, **options),
    "cvar": lambda *pair, **options: risk.cvar(*pair, share=0.3, **options),
}
scores = st.integers(0, 20).map(lambda i: i / 20)


@st.composite
def weighted_pairs(draw):
    count = draw(st.integers(2, 12))
    rows = [draw(st.lists(scores, min_size=count, max_size=count)) for _ in range(2)]
    weights = draw(st.lists(st.integers(0, 5), min_size=count, max_size=count).filter(any))
    return np.array(rows[0]), np.array(rows[1]), np.array(weights)


def test_means_worked_by_hand():
    """Changes +0.1, −0.2 and +0.4, the last without weight."""
    assert risk.gain(SYSTEM, BASELINE, weights=WEIGHTS) == pytest.approx((3 * 0.1 - 0.2) / 4)
    assert risk.risk(SYSTEM, BASELINE, weights=WEIGHTS) == pytest.approx(0.2 / 4)
    assert risk.reward(SYSTEM, BASELINE, weights=WEIGHTS) == pytest.approx(0.3 / 4)
    assert risk.urisk(SYSTEM, BASELINE, alpha=2, weights=WEIGHTS) == pytest.approx((0.3 - 3 * 0.2) / 4)
    assert risk.cvar(SYSTEM, BASELINE, share=0.5, weights=WEIGHTS) == pytest.approx((1 * 0.2 + 1 * 0.0) / 2)


@given(weighted_pairs())
def test_whole_weights_are_repeated_topics_in_means(pair):
    system, baseline, weights = pair
    copies = np.repeat(system, weights), np.repeat(baseline, weights)
    for name, number in MEANS.items():
        expected = number(*copies)
        assert number(system, baseline, weights=weights) == pytest.approx(expected, abs=1e-12), name


@given(weighted_pairs(), st.floats(1e-3, 1e3))
def test_only_how_weights_compare_counts(pair, factor):
    system, baseline, weights = pair
    for number in MEANS.values():
        one, other = (number(system, baseline, weights=each) for each in (weights, weights * factor))
        assert one == pytest.approx(other, abs=1e-12)


@given(weighted_pairs())
def test_equal_weights_are_none_to_the_last_bit(pair):
    system, baseline, _ = pair
    equal = np.full(len(system), 0.3)
    for number in MEANS.values():
        assert number(system, baseline, weights=equal) == number(system, baseline)
    one, other = (risk.trisk(system, baseline, alpha=2, weights=weights) for weights in (equal, None))
    assert repr(one) == repr(other)


def test_trisk_worked_by_hand():
    """x = 0.1, −0.4, 0.2 with weights 2, 1, 1: mean 0; SE² = c/(c − 1) Σ (w x)² / (Σ w)² = 1.5 · 0.24 / 16."""
    result = risk.trisk([0.6, 0.3, 0.7], [0.5, 0.5, 0.5], alpha=1, weights=[2, 1, 1])
    assert result.urisk == pytest.approx(0.0, abs=1e-12)
    assert result.standard_error == pytest.approx(math.sqrt(1.5 * 0.24 / 16))
    assert result.n_effective == pytest.approx(16 / 6)
    assert result.degrees_of_freedom == pytest.approx(16 / 6 - 1)


def changes(seed=0, count=60):
    rng = np.random.default_rng(seed)
    baseline = rng.uniform(0.2, 0.6, count)
    return baseline + rng.laplace(0.01, 0.1, count), baseline, rng.lognormal(0, 1, count)


def test_the_standard_error_is_that_of_a_slow_reference_and_near_the_jackknife():
    system, baseline, weights = changes(1)
    d = system - baseline
    x = np.where(d < 0, 3 * d, d)
    total = sum(weights)
    mean = sum(w * each for w, each in zip(weights, x, strict=True)) / total
    squares = sum((w * (each - mean)) ** 2 for w, each in zip(weights, x, strict=True))
    result = risk.trisk(system, baseline, alpha=2, weights=weights)
    assert result.urisk == pytest.approx(mean)
    assert result.standard_error == pytest.approx(math.sqrt(squares * 60 / 59) / total)
    left = [np.average(np.delete(x, i), weights=np.delete(weights, i)) for i in range(60)]
    jackknife = risk.trisk(system, baseline, alpha=2, weights=weights, error="jackknife")
    assert jackknife.standard_error == pytest.approx(math.sqrt(59 / 60 * np.square(left - np.mean(left)).sum()))
    assert jackknife.standard_error == pytest.approx(result.standard_error, rel=0.15)


def test_means_are_those_of_numpy():
    system, baseline, weights = changes(2)
    lost = np.maximum(baseline - system, 0)
    assert risk.risk(system, baseline, weights=weights) == pytest.approx(np.average(lost, weights=weights))


def test_repeated_topics_would_claim_more_than_weights_do():
    """Copies of a topic tell nothing new: with them, the standard error shrinks by the square root of their number."""
    system, baseline, _ = changes(3)
    once = risk.trisk(system, baseline, alpha=0)
    copies = risk.trisk(np.repeat(system, 4), np.repeat(baseline, 4), alpha=0)
    weighted = risk.trisk(system, baseline, alpha=0, weights=np.full(60, 4))
    assert weighted.standard_error == once.standard_error
    assert copies.standard_error < 0.51 * once.standard_error


def test_the_test_takes_weighted_changes_and_no_topics_without_weight():
    system, baseline, weights = changes(4)
    weights[:10] = 0
    d = system - baseline
    mirror = weighted_mirror(d, weights / weights.mean())
    assert mirror.n_topics == 50
    assert mirror.p_value(3.0) == MirrorShift(d[10:] * weights[10:] / weights[10:].mean()).p_value(3.0)
    one = risk.trisk(system, baseline, alpha=3, weights=weights)
    other = risk.trisk(system[10:], baseline[10:], alpha=3, weights=weights[10:])
    assert one.p_mirror == pytest.approx(other.p_mirror, abs=1e-12)
    assert one.standard_error == pytest.approx(other.standard_error)


def test_few_topics_that_have_weight_are_not_tested():
    system, baseline, _ = changes(5)
    weights = np.zeros(60)
    weights[:5] = 1
    result = risk.trisk(system, baseline, alpha=1, weights=weights)
    assert result.reason == "fewer than 6 scores differ from the baseline's"
    assert result.p_mirror == 1.0
    alone = risk.trisk(system, baseline, alpha=1, weights=np.eye(60)[0])
    assert math.isnan(alone.statistic)
    assert alone.verdict == "undefined"


def test_intervals_go_with_the_test_and_cvar_has_none():
    system, baseline, weights = changes(6)
    known = risk.intervals(system, baseline, alphas=[0, 4], weights=weights)
    for alpha in (0, 4):
        low, high = known[f"urisk_{alpha}"]
        p = risk.trisk(system, baseline, alpha=alpha, weights=weights).p_mirror
        assert (low > 0 or high < 0) == (p <= 0.05)
        assert low <= risk.urisk(system, baseline, alpha=alpha, weights=weights) <= high
    assert np.isnan(known["cvar"]).all()
    assert known["wins"] == risk.intervals(system, baseline)["wins"]
    assert known["gain"] != risk.intervals(system, baseline)["gain"]


def test_zrisk_and_georisk_worked_by_hand():
    """Two systems, two topics, the first of which counts three times: S = 0.6 and 0.8, N = 1.4, T = 0.3 and 0.5."""
    matrix, weights = [[0.1, 0.3], [0.2, 0.2]], [3, 1]
    expected = np.outer([0.6, 0.8], [0.3, 0.5]) / 1.4
    z = (np.array(matrix) - expected) / np.sqrt(expected)
    by_weight = z * [1.5, 0.5]
    np.testing.assert_allclose(risk.zrisk(matrix, alpha=0, weights=weights), by_weight.sum(axis=1), atol=1e-12)
    sums = np.where(z < 0, 3 * by_weight, by_weight).sum(axis=1)
    np.testing.assert_allclose(risk.zrisk(matrix, alpha=2, weights=weights), sums, atol=1e-12)
    phi = [0.5 * math.erfc(-each / 2 / math.sqrt(2)) for each in sums]
    np.testing.assert_allclose(
        risk.georisk(matrix, alpha=2, weights=weights), np.sqrt(np.array([0.15, 0.2]) * phi), atol=1e-12
    )


@settings(deadline=None)
@given(weighted_pairs(), st.floats(0, 10))
def test_whole_weights_are_repeated_topics_in_georisk(pair, alpha):
    system, baseline, weights = pair
    matrix = np.array([system, baseline, (system + 1) / 3])
    many = np.repeat(matrix, weights, axis=1)
    np.testing.assert_allclose(
        risk.georisk(matrix, alpha=alpha, weights=weights), risk.georisk(many, alpha=alpha), atol=1e-12
    )
    ratio = np.count_nonzero(weights) / weights.sum()
    np.testing.assert_allclose(
        risk.zrisk(matrix, alpha=alpha, weights=weights), ratio * risk.zrisk(many, alpha=alpha), atol=1e-10
    )


def test_the_error_of_georisk_is_that_of_moving_weights():
    rng = np.random.default_rng(7)
    matrix, weights = rng.random((4, 30)), rng.lognormal(0, 1, 30)
    weights /= weights.mean()
    step, slopes = 1e-5, []
    for q in range(30):
        ends = []
        for sign in (1, -1):
            moved = weights.copy()
            moved[q] += sign * step
            ends.append(np.log(risk.georisk(matrix, alpha=2, weights=moved)))
        slopes.append((ends[0] - ends[1]) / (2 * step))
    error = np.sqrt(30 / 29 * np.square(weights[:, None] * np.array(slopes)).sum(axis=0))
    low, high = np.log(risk.georisk_intervals(matrix, alpha=2, weights=weights)).T
    n_effective = weights.sum() ** 2 / np.square(weights).sum()
    stats = pytest.importorskip("scipy.stats")
    np.testing.assert_allclose((high - low) / 2, stats.t.ppf(0.975, n_effective - 1) * error, rtol=1e-4)


def test_power_draws_topics_with_their_weights():
    system, baseline, weights = changes(8)
    one, other = (risk.power(system, baseline, effect=0.03, weights=each) for each in (None, weights))
    assert other.now < one.now
    assert other.n_topics > one.n_topics


@pytest.mark.parametrize("number", MEANS.values(), ids=MEANS)
def test_bad_weights_are_refused(number):
    for weights in ([1, 2], [1, -1, 1], [0, 0, 0], [1, np.nan, 1], [np.inf, 1, 1]):
        with pytest.raises(ParameterError, match="weights"):
            number(SYSTEM, BASELINE, weights=weights)


def test_there_is_no_test_where_weights_leave_too_few_topics():
    system, baseline, _ = changes(9)
    weights = np.ones(60)
    weights[0] = 100
    result = risk.trisk(system + 0.2, baseline, alpha=0, weights=weights)
    assert result.n_effective < 6
    assert (result.p_mirror, result.verdict) == (1.0, "inconclusive")
    assert result.reason == "their weights make the scores count as fewer than 6"
    assert np.isnan(risk.intervals(system, baseline, weights=weights)["gain"]).all()
    weights[0] = 20
    assert risk.trisk(system + 0.2, baseline, alpha=0, weights=weights).verdict == "significant gain"


def test_topics_of_weight_0_are_not_there_in_errors_and_georisk():
    rng = np.random.default_rng(10)
    matrix, weights = rng.random((3, 60)), np.append(rng.lognormal(0, 1, 40), np.zeros(20))
    some, own = matrix[:, :40], weights[:40]
    np.testing.assert_allclose(weighted_error(matrix, weights), weighted_error(some, own))
    assert weighted_deviation(matrix[0], weights) == pytest.approx(weighted_deviation(some[0], own))
    for number in (risk.zrisk, risk.georisk, risk.georisk_intervals):
        np.testing.assert_allclose(number(matrix, alpha=2, weights=weights), number(some, alpha=2, weights=own))
