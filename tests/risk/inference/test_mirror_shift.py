from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from riskrank.risk.inference import null_values
from riskrank.risk.inference.mirror_shift import GAIN, LOSS, REWARD, MirrorShift, Slopes, Tails, tradeoff_slopes
from riskrank.risk.paired import tradeoff

rng = np.random.default_rng(12)
CHANGES = rng.laplace(0.04, 0.1, 30)
with_ties = st.lists(st.sampled_from([0.0, 0.0, 0.3, 0.1, -0.05, -0.2, 0.7, -0.6]), min_size=8, max_size=25)


def enumerated(changes, alpha):
    """The tails over all samples of 6 topics that can be drawn from the null values, by the definition alone."""
    residuals = changes - changes.mean()
    both = np.concatenate([residuals, -residuals])
    low, high = 0.0, 2.0
    for _ in range(60):
        shift = (low + high) / 2
        low, high = (low, shift) if tradeoff(both + shift, alpha).sum() > 0 else (shift, high)
    null = tradeoff(both + shift, alpha)
    samples = null[np.array(list(itertools.product(range(12), repeat=6)), dtype=np.int8)]
    means, spread = samples.mean(axis=1), samples.std(axis=1)
    drawn = np.where(spread > 1e-9, means / np.maximum(spread, 1e-9), np.copysign(np.inf, means))
    x = tradeoff(changes, alpha)
    t = x.mean() / x.std()
    return (drawn >= t - 1e-9).mean(), (drawn <= t + 1e-9).mean()


@pytest.mark.parametrize("alpha", [0, 5])
def test_six_topics_agree_with_all_samples_that_can_be_drawn(alpha):
    changes = np.array([0.3, 0.22, -0.05, 0.1, 0.17, 0.02])
    tails = MirrorShift(changes).test(alpha)
    for tail, exact in zip(tails, enumerated(changes, alpha), strict=True):
        assert tail == pytest.approx(exact, abs=4 * np.sqrt(exact * (1 - exact) / null_values.N_RESAMPLES) + 1e-3)


@given(with_ties, st.sampled_from([0, 1, 5]), st.randoms())
def test_order_and_scale_of_topics_change_nothing(changes, alpha, random):
    values = np.array(changes)
    others = values.copy()
    random.shuffle(others)
    assert MirrorShift(others).test(alpha) == MirrorShift(values).test(alpha)
    assert MirrorShift(values * 8).test(alpha) == MirrorShift(values).test(alpha)


@given(with_ties)
def test_at_alpha_0_system_and_baseline_may_change_places(changes):
    forth, back = MirrorShift(np.array(changes)).test(0), MirrorShift(-np.array(changes)).test(0)
    assert forth.gain == pytest.approx(back.loss, rel=1e-9)
    assert forth.p_value == pytest.approx(back.p_value, rel=1e-9)


def test_p_goes_over_into_that_of_equal_changes():
    equal = MirrorShift(np.ones(12)).p_value(5)
    assert equal == pytest.approx(2 * (6 / 7) ** 12)
    for spread in (1e-8, 1e-3, 0.1):
        changes = 1 + spread * np.linspace(-1, 1, 12)
        assert MirrorShift(changes).p_value(5) >= equal - 1e-12
        assert MirrorShift(-changes).p_value(0) >= 2 * 0.5**12 - 1e-12
    assert MirrorShift(np.append(np.ones(11), 0.5)).p_value(5) >= equal - 1e-12  # a smaller gain is no stronger proof


def test_few_topics_without_a_loss_are_seldom_called_a_gain_where_losses_are_only_not_seen():
    """Changes of about equal sizes, a loss with probability 1/(2 + α): nothing is gained at α."""
    rng, n_draws = np.random.default_rng(8), 400
    for alpha, n_topics in ((5, 10), (10, 15)):
        sizes = rng.uniform(0.9, 1.1, (n_draws, n_topics))
        changes = np.where(rng.random(sizes.shape) < 1 / (2 + alpha), -sizes, sizes)
        gains = np.mean([MirrorShift(each).test(alpha).gain <= 0.025 for each in changes])
        assert gains <= 0.025 + 3.5 * np.sqrt(0.025 * 0.975 / n_draws)


@pytest.mark.parametrize(
    ("changes", "alpha", "confidence"),
    [
        ([-0.12, -0.21, -0.4, -0.49, -0.05, 0.02] + [0.0] * 12, 10, 0.99),
        ([-0.12, 0.01, -0.07, -0.23, -0.2, -0.01] + [0.0] * 12, 20, 0.95),
        ([1.0] * 11 + [0.5], 5, 0.95),
        ([0.1, 0.12, 0.13, 0.09, 0.11, 0.1, 0.14, 0.12], 3, 0.95),
    ],
)
def test_an_interval_agrees_with_the_test_also_far_out(changes, alpha, confidence):
    mirror = MirrorShift(np.array(changes))
    low, high = mirror.interval(tradeoff_slopes(alpha), confidence)
    assert (low > 0 or high < 0) == (mirror.p_value(alpha) <= 1 - confidence)


def test_an_interval_agrees_with_the_test_for_few_changes_among_ties():
    rng = np.random.default_rng(11)
    for _ in range(60):
        n_changed, n_ties = int(rng.integers(6, 12)), int(rng.integers(0, 20))
        mirror = MirrorShift(np.append(rng.laplace(rng.uniform(-0.3, 0.3), 0.1, n_changed), np.zeros(n_ties)))
        for alpha in (0, 5, 20, 100):
            for confidence in (0.95, 0.99):
                low, high = mirror.interval(tradeoff_slopes(alpha), confidence)
                assert (low > 0 or high < 0) == (mirror.p_value(alpha) <= 1 - confidence)


@given(with_ties, st.sampled_from([0, 1, 5, 10]), st.sampled_from([0.8, 0.95, 0.99]))
def test_an_interval_excludes_0_exactly_when_the_test_is_significant(changes, alpha, confidence):
    mirror = MirrorShift(np.array(changes))
    assume(mirror.null is not None)
    low, high = mirror.interval(tradeoff_slopes(alpha), confidence)
    assert (low > 0 or high < 0) == (mirror.test(alpha).p_value <= 1 - confidence)


@pytest.mark.parametrize("slopes", [GAIN, LOSS, REWARD, Slopes(6.0, 1.0)])
def test_intervals_hold_the_mean_and_grow_with_confidence(slopes):
    mirror, mean = MirrorShift(CHANGES), slopes(CHANGES).mean()
    inner, outer = mirror.interval(slopes, 0.8), mirror.interval(slopes, 0.99)
    assert outer[0] < inner[0] < mean < inner[1] < outer[1]


def test_without_losses_the_risk_may_still_be_above_0():
    low, high = MirrorShift(np.abs(CHANGES)).interval(LOSS, 0.95)
    assert high == 0
    assert -0.02 < low < 0


@pytest.mark.parametrize("slopes", [GAIN, LOSS, REWARD, Slopes(6.0, 1.0)])
def test_ends_never_cross(slopes):
    for seed in range(10):
        low, high = MirrorShift(np.random.default_rng(seed).laplace(0.04, 0.1, 12)).interval(slopes, 1e-6)
        assert low <= high


def test_without_losses_or_gains_intervals_of_both_are_each_others_mirror():
    for seed in range(30):  # rounding puts some means beyond all that shifts can give
        gains = np.random.default_rng(seed).normal(0.1, 0.02, 30)
        low, high = MirrorShift(gains).interval(LOSS, 0.95)
        assert -0.02 < low < 0 == high
        assert MirrorShift(-gains).interval(REWARD, 0.95) == pytest.approx((0, -low), rel=0.02)


def test_equal_changes_are_counted_like_coins():
    # k equal gains: each would be a loss with probability 1/(2 + α)
    assert MirrorShift(np.full(10, 0.2)).test(0).p_value == pytest.approx(2 * 0.5**10)
    assert MirrorShift(np.full(10, 0.2)).test(5).gain == pytest.approx((6 / 7) ** 10)
    assert MirrorShift(np.append(np.full(10, -0.2), 0.0)).test(5).loss == pytest.approx((1 / 7) ** 10)
    assert np.isnan(MirrorShift(np.full(10, 0.2)).interval(GAIN, 0.95)).all()


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ([0.0] * 9, "the system equals the baseline everywhere"),
        ([0.1, 0.2, 0.3, 0.4, 0.5] + [0.0] * 20, "fewer than 6 scores differ from the baseline's"),
        ([0.1, np.nan], "some scores are not finite numbers"),
        ([], "there are no scores"),
    ],
)
def test_where_there_is_nothing_to_test_nothing_is_claimed(changes, reason):
    mirror = MirrorShift(np.array(changes))
    assert mirror.reason == reason
    assert mirror.test(5) == Tails(1.0, 1.0)
    assert np.isnan(mirror.interval(GAIN, 0.95)).all()


def test_very_many_equal_changes_are_significant():
    """Their p-value is too small for a float."""
    assert MirrorShift(np.full(5000, 0.1)).test(0) == Tails(0.0, 1.0)
    assert MirrorShift(np.full(5000, -0.1)).test(0) == Tails(1.0, 0.0)


@pytest.mark.parametrize("n", [20, 200])
def test_changes_that_are_nearly_equal_have_a_narrow_interval(n):
    """Far out their tails are rounding, and rise again."""
    changes = 0.03 + 1e-9 * np.random.default_rng(0).normal(size=n)
    low, high = MirrorShift(changes).interval(GAIN, 0.95)
    assert 0.03 - 1e-9 < low < changes.mean() < high < 0.03 + 1e-9
