"""Do tests and intervals hold where the truth is known? A short form of benchmarks/validity.py, with fixed draws.

Limits are the rates that docs/risk.md claims, plus 3.5 standard deviations of a share in this many draws.
"""

from __future__ import annotations

import math

import numpy as np
import pytest

from riskrank import risk
from riskrank.risk.inference.mirror_shift import LOSS, MirrorShift, tradeoff_slopes
from riskrank.risk.inference.multiple_testing import CORRECTIONS
from riskrank.risk.paired import tradeoff

TAIL = 0.025
U = (np.arange(4000) + 0.5) / 4000
LAPLACE = np.where(U < 0.5, np.log(2 * U), -np.log(2 - 2 * U)) / 10


def error(share, n_draws):
    return 3.5 * math.sqrt(share * (1 - share) / n_draws)


def without_effect(alpha):
    """Laplace changes, moved until their mean trade-off is 0."""
    low, high = 0.0, 1.0
    for _ in range(60):
        shift = (low + high) / 2
        low, high = (low, shift) if tradeoff(LAPLACE + shift, alpha).mean() > 0 else (shift, high)
    return LAPLACE + shift


@pytest.mark.parametrize(("alpha", "false_gains"), [(0, TAIL), (5, 0.035)])
def test_of_nothing_few_gains_and_losses_are_claimed_where_students_t_claims_many(alpha, false_gains):
    n_draws = 2000
    samples = np.random.default_rng(25).choice(without_effect(alpha), size=(n_draws, 25))
    tests = [risk.trisk(sample, np.zeros(25), alpha=alpha) for sample in samples]
    gains = np.mean([test.p_mirror <= 2 * TAIL and test.urisk > 0 for test in tests])
    losses = np.mean([test.p_mirror <= 2 * TAIL and test.urisk < 0 for test in tests])
    assert gains <= false_gains + error(false_gains, n_draws)
    assert losses <= TAIL + error(TAIL, n_draws)
    assert gains + losses > 0.01  # a test that never speaks is no test
    by_t = np.mean([test.p_value <= 2 * TAIL and test.urisk > 0 for test in tests])
    assert (by_t > 0.08) == (alpha == 5)  # these draws are hard


def test_intervals_of_risk_and_urisk_cover_the_truth_and_are_not_idle():
    changes, n_draws = LAPLACE + 0.03, 300
    samples = np.random.default_rng(50).choice(changes, size=(n_draws, 50))
    for slopes in (LOSS, tradeoff_slopes(5)):
        truth = slopes(changes).mean()
        low, high = np.transpose([MirrorShift(sample).interval(slopes, 0.95) for sample in samples])
        assert np.mean((low <= truth) & (truth <= high)) >= 0.91 - error(0.91, n_draws)
        lengths = (high - low) / (2 * 1.96 * np.array([slopes(sample).std() for sample in samples]) / math.sqrt(50))
        assert np.median(lengths) < 1.5


@pytest.mark.parametrize("alpha", [0, 5])
def test_among_many_systems_without_effect_seldom_any_has_a_verdict(alpha):
    n_tables, rng, changes = 60, np.random.default_rng(30), without_effect(alpha)
    n_false = n_plain = 0
    for _ in range(n_tables):
        baseline = rng.uniform(0.3, 0.6, 25)
        systems = [baseline + rng.choice(changes, size=25) for _ in range(30)]
        p = np.array([risk.trisk(system, baseline, alpha=alpha).p_mirror for system in systems])
        n_false += bool((CORRECTIONS["holm"](p) <= 0.05).any())
        n_plain += bool((p <= 0.05).any())
    assert n_false / n_tables <= 0.05 + error(0.05, n_tables)
    assert n_plain / n_tables > 0.5  # without a correction most tables hold a false verdict
