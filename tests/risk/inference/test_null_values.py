from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
import scipy.stats

from riskrank.risk.inference import null_values
from riskrank.risk.inference.null_values import Expanded, Resampled, Slopes, studentised

RESIDUALS = np.random.default_rng(4).laplace(0, 0.2, 300)
RESIDUALS -= RESIDUALS.mean()
SLOPES = Slopes(6.0, 1.0)


def shifted(residuals, shift, n_ties=0):
    both = np.concatenate([residuals, -residuals]) + shift
    return SLOPES(np.concatenate([both, np.zeros(2 * n_ties)]))


@pytest.mark.parametrize("shift", [-0.7, 0.0, 0.13, 2.0])
def test_means_of_shifted_values_count_ties(shift):
    values = Resampled(RESIDUALS[:20], 25)
    assert values.mean(SLOPES, shift) == pytest.approx(shifted(RESIDUALS[:20], shift, n_ties=5).mean())


@pytest.mark.parametrize("mean", [-3.0, -0.2, 0.0, 0.1, 4.0])
def test_a_shift_leads_to_its_mean(mean):
    values = Resampled(RESIDUALS[:20], 25)
    assert values.mean(SLOPES, values.shift_to(SLOPES, mean)) == pytest.approx(mean, abs=1e-12)


@pytest.mark.parametrize("shift", [0.0, 0.2, -0.3])
def test_draws_agree_with_plain_ones(shift):
    null = shifted(RESIDUALS[:30], shift, n_ties=10)
    plain = np.random.default_rng(1).choice(null, size=(200_000, 40))
    drawn = studentised(plain.mean(axis=1) - null.mean(), plain.var(axis=1))
    for t in (-0.4, -0.1, 0.0, 0.15, 0.3):
        tails = Resampled(RESIDUALS[:30], 40).tails(SLOPES, shift, t)
        for tail, exact in zip(tails, ((drawn >= t).mean(), (drawn <= t).mean()), strict=True):
            assert tail == pytest.approx(exact, abs=4 * np.sqrt(exact * (1 - exact) / null_values.N_RESAMPLES) + 1e-3)


def test_tails_beyond_the_draws_are_extrapolated():
    values = Resampled(RESIDUALS[:50], 50)
    ts = np.linspace(0.3, 1.2, 19)
    tails = [values.tails(Slopes(1.0, 1.0), 0.0, t).gain for t in ts]
    assert all(later < former for former, later in pairwise(tails))
    student = scipy.stats.t.sf(ts * np.sqrt(49), 49)  # changes like these are about normal in the mean
    assert np.all(np.abs(np.log(np.array(tails) / student)) < 0.2 * np.log(1 / student))
    assert tails[-1] < 1e-5


@pytest.mark.parametrize("alpha", [0, 1, 5])
@pytest.mark.parametrize("t", [-0.12, -0.06, 0.0, 0.06, 0.12])
def test_three_moments_tell_what_draws_tell_where_topics_are_many(alpha, t):
    slopes = Slopes(1.0 + alpha, 1.0)
    drawn, expanded = Resampled(RESIDUALS, 300), Expanded(RESIDUALS, 300)
    shift = drawn.shift_to(slopes, 0.0)
    for one, other in zip(drawn.tails(slopes, shift, t), expanded.tails(slopes, shift, t), strict=True):
        assert one == pytest.approx(other, abs=4 * np.sqrt(other * (1 - other) / null_values.N_RESAMPLES) + 2e-3)


def test_few_of_very_many_topics_may_change():
    few = Resampled(RESIDUALS[:12], 100_000).tails(SLOPES, 0.1, 0.0)
    assert few.gain + few.loss == pytest.approx(1, abs=0.01)
