from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from riskrank.risk.inference.mirror_shift import LOSS, REWARD, MirrorShift, tradeoff_slopes
from riskrank.risk.inference.shares import wilson
from riskrank.risk.inference.unseen_losses import reward_interval, risk_interval, urisk_interval

changes = st.integers(6, 40).flatmap(lambda n: arrays(float, n, elements=st.floats(-1, 1).map(lambda x: round(x, 2))))


def test_without_a_loss_as_many_topics_may_lose_as_wilson_says():
    mirror = MirrorShift(np.linspace(0.02, 0.15, 50))
    low, high = risk_interval(mirror, 0.95)
    assert low == 0.0
    assert high == pytest.approx(wilson(0, 50, 0.95)[1] * 0.085)  # 7.1 % of topics, by 0.085
    # as wins that became losses, they cost 2 + α each
    assert urisk_interval(mirror, 5, 0.95)[0] == pytest.approx(0.085 - wilson(0, 50, 0.95)[1] * 7 * 0.085)


def test_losses_and_wins_are_treated_alike():
    values = np.random.default_rng(0).laplace(0.02, 0.1, 40)
    assert reward_interval(MirrorShift(values), 0.95) == pytest.approx(risk_interval(MirrorShift(-values), 0.95))


def test_where_many_lose_the_bootstrap_alone_decides():
    mirror = MirrorShift(np.random.default_rng(0).laplace(0, 0.1, 60))
    low, high = mirror.interval(LOSS, 0.95)
    assert risk_interval(mirror, 0.95) == (-high, -low)
    assert reward_interval(mirror, 0.95) == mirror.interval(REWARD, 0.95)
    assert urisk_interval(mirror, 5, 0.95) == mirror.interval(tradeoff_slopes(5), 0.95)


@given(changes, st.sampled_from([0, 0.5, 1, 5, 50]), st.sampled_from([0.8, 0.95, 0.99]))
def test_intervals_hold_the_bootstraps_and_urisk_excludes_0_where_the_test_does(values, alpha, confidence):
    mirror = MirrorShift(values)
    if mirror.null is None:
        assert np.isnan([*risk_interval(mirror, confidence), *urisk_interval(mirror, alpha, confidence)]).all()
        return
    plain, wide = mirror.interval(tradeoff_slopes(alpha), confidence), urisk_interval(mirror, alpha, confidence)
    assert wide[0] <= plain[0]
    assert wide[1] == plain[1]
    assert (wide[0] > 0 or wide[1] < 0) == (mirror.test(alpha).p_value <= 1 - confidence)
    low, high = mirror.interval(LOSS, confidence)
    assert risk_interval(mirror, confidence)[0] == -high
    assert risk_interval(mirror, confidence)[1] >= -low
