"""Do tests and intervals hold where the truth is known? A short form of benchmarks/validity.py, with fixed draws.

Limits are the rates that docs/risk.md claims, plus 3.5 standard deviations of a share in this many draws.
"""

from __future__ import annotations

import math

import numpy as np
import pytest

from riskrank import risk
from riskrank.risk.inference.mirror_shift import GAIN, REWARD, tradeoff_slopes
from riskrank.risk.inference.multiple_testing import CORRECTIONS
from riskrank.risk.inference.null_values import Slopes
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


SIZES = np.linspace(0.02, 0.15, 2000)
FEW_LOSSES = np.concatenate([np.tile(SIZES, 19), -SIZES])  # 5 % lose
SLOPES = {
    "gain": GAIN,
    "risk": Slopes(-1.0, 0.0),
    "reward": REWARD,
    "urisk_1": tradeoff_slopes(1),
    "urisk_5": tradeoff_slopes(5),
}


@pytest.mark.parametrize(
    ("changes", "longest"),
    [(LAPLACE + 0.03, 1.5), (FEW_LOSSES, 2.5), (-FEW_LOSSES, 2.5)],
    ids=["Laplace", "few lose", "few win"],
)
def test_intervals_of_means_cover_the_truth_and_are_not_idle(changes, longest):
    n_draws, n_topics = 400, 25
    samples = np.random.default_rng(50).choice(changes, size=(n_draws, n_topics))
    known = [risk.intervals(sample, np.zeros(n_topics), alphas=[1, 5]) for sample in samples]
    for name, slopes in SLOPES.items():
        truth = slopes(changes).mean()
        low, high = np.transpose([each[name] for each in known])
        assert np.mean((low <= truth) & (truth <= high)) >= 0.93 - error(0.93, n_draws), name
        lengths = (high - low) / (2 * 1.96 * slopes(changes).std() / math.sqrt(n_topics))
        assert np.median(lengths) < longest, name


def test_the_percentile_bootstrap_would_not_pass():
    rng, n_draws, n_topics = np.random.default_rng(50), 400, 25
    for changes in (LAPLACE + 0.03, FEW_LOSSES):
        losses = np.maximum(-rng.choice(changes, size=(n_draws, n_topics)), 0.0)
        drawn = [sample[rng.integers(n_topics, size=(500, n_topics))].mean(axis=1) for sample in losses]
        low, high = np.quantile(drawn, [0.025, 0.975], axis=1)
        truth = np.maximum(-changes, 0).mean()
        assert np.mean((low <= truth) & (truth <= high)) < 0.93 - error(0.93, n_draws)


def test_intervals_of_cvar_and_georisk_cover_the_truth():
    n_draws, n_topics, rng = 200, 100, np.random.default_rng(7)
    truth = risk.cvar(LAPLACE, np.zeros(len(LAPLACE)))
    known = [risk.intervals(rng.choice(LAPLACE, size=n_topics), np.zeros(n_topics))["cvar"] for _ in range(n_draws)]
    low, high = np.transpose(known)
    assert np.mean((low <= truth) & (truth <= high)) >= 0.93 - error(0.93, n_draws)
    matrix = np.clip(rng.beta(2, 2, 4000) + rng.laplace(0, 0.1, (6, 4000)), 0, 1)
    for alpha in (0, 5):
        geo = risk.georisk(matrix, alpha=alpha)
        drawn = [matrix[:, rng.integers(4000, size=25)] for _ in range(n_draws)]
        low, high = np.transpose([risk.georisk_intervals(sample, alpha=alpha) for sample in drawn]).swapaxes(1, 2)
        held = (low <= geo) & (geo <= high)
        assert held.mean() >= 0.92 - error(0.92, n_draws)


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
