"""P-values against slow ones, and their validity: exactly for few queries, by simulation for many."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
import scipy.special
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from riskrank.tradeoff.risk_control.p_values import (
    LARGEST_STAKE,
    VARIANCES,
    betting,
    binomial_cdf,
    exact_binomial,
    hoeffding_bentkus,
    mixture,
)

budgets = st.floats(0.01, 0.9)
levels = st.sampled_from([0.01, 0.05, 0.1, 0.3])
losses = st.integers(1, 40).flatmap(lambda n: arrays(float, n, elements=st.floats(0, 1).map(lambda x: round(x, 6))))
REDRAWS = 1000


def most(rate, n):
    """The most hits of n that a true rate allows but once in 1,000 times."""
    return scipy.stats.binom.isf(1e-3, n, rate)


# The binomial distribution.


@pytest.mark.parametrize("n", [1, 2, 3, 10, 117, 5000, 100_000])
@pytest.mark.parametrize("probability", [1e-300, 1e-12, 1e-5, 0.001, 0.05, 0.3, 0.5, 0.9, 0.999, 1 - 1e-9])
def test_the_binomial_distribution_is_scipys(n, probability):
    middle, deviation = n * probability, math.sqrt(n * probability * (1 - probability))
    around = [int(middle + z * deviation) for z in (-30, -5, -2, -1, 0, 1, 2, 5, 30)]
    k = sorted({k for k in [0, 1, n // 2, n - 1, n, *around] if 0 <= k <= n})
    expected = scipy.stats.binom.cdf(k, n, probability)
    np.testing.assert_allclose(binomial_cdf(k, n, probability), expected, rtol=1e-8, atol=1e-280)


def test_the_binomial_distribution_has_its_ends():
    assert binomial_cdf([-1, 10, 11], 10, 0.3).tolist() == [0, 1, 1]
    assert binomial_cdf([0, 5, 10], 10, 0.0).tolist() == [1, 1, 1]
    assert binomial_cdf([0, 5, 10], 10, 1.0).tolist() == [0, 0, 1]
    # 0.9¹⁰⁰⁰⁰⁰ = e^(−10536) is 0 in double precision
    assert binomial_cdf(0, 100_000, 0.1).tolist() == [0]


# Each p-value against a slow one.


def slow_hoeffding_bentkus(row, budget):
    n, mean = len(row), math.fsum(row) / len(row)
    low = min(mean, budget)
    entropy = scipy.special.rel_entr(low, budget) + scipy.special.rel_entr(1 - low, 1 - budget)
    bentkus = math.e * scipy.stats.binom.cdf(math.ceil(round(math.fsum(row), 9)), n, budget)
    return min(1.0, math.exp(-n * entropy), bentkus)


@given(losses, budgets)
def test_hoeffding_bentkus_is_the_smaller_of_the_two_bounds(row, budget):
    assert hoeffding_bentkus(row, budget)[0] == pytest.approx(slow_hoeffding_bentkus(row, budget), rel=1e-8)


@pytest.mark.parametrize("n", [200, 3000])
def test_hoeffding_bentkus_is_the_smaller_bound_for_many_queries_too(n):
    rng = np.random.default_rng(0)
    rows = np.vstack(
        [
            rng.beta(0.5, 6, size=(3, n)),
            rng.integers(0, 2, size=(2, n)) * 0.1,
            np.zeros((1, n)),
            np.ones((1, n)),
            np.full((1, n), 0.1),  # n times their mean is not quite n / 10
        ]
    )
    for budget in (0.01, 0.05, 0.1, 0.4):
        expected = [slow_hoeffding_bentkus(row, budget) for row in rows]
        np.testing.assert_allclose(hoeffding_bentkus(rows, budget), expected, rtol=1e-8, atol=1e-280)


def test_hoeffding_bentkus_by_hand():
    # Nobody loses: e^(−n log(1 / (1 − ε))) = (1 − ε)^n, less than e times the same.
    assert hoeffding_bentkus([[0.0] * 20], 0.1)[0] == pytest.approx(0.9**20)
    # Two queries, one loses all, budget 1/2 = the mean: h = 0, and e · P(Bin(2, 1/2) ≤ 1) = 0.75 e > 1.
    assert hoeffding_bentkus([[0.0, 1.0]], 0.5)[0] == 1
    # Ten queries, one loses 1/2, ε = 0.4: the mean is 0.05, ⌈0.5⌉ = 1.
    # h = 0.05 log(0.05/0.4) + 0.95 log(0.95/0.6) = −0.103972 + 0.436556 = 0.332584; e^(−3.32584) = 0.035943
    # e · (0.6¹⁰ + 10 · 0.4 · 0.6⁹) = e · 0.0463574 = 0.126012
    assert hoeffding_bentkus([[0.5] + [0.0] * 9], 0.4)[0] == pytest.approx(0.035943, abs=1e-6)


def test_whole_numbers_of_losses_are_not_rounded_up():
    row = np.array([1.0] * 7 + [0.0] * 43)
    assert 50 * row.mean() > 7
    assert hoeffding_bentkus(row, 0.3)[0] == pytest.approx(math.e * scipy.stats.binom.cdf(7, 50, 0.3), rel=1e-9)


def slow_stake(before, n, budget, level):
    """Of the query that follows some losses: the less they varied, the more is risked; never all there is."""
    means = [(budget / 2 + math.fsum(before[: j + 1])) / (j + 2) for j in range(len(before))]
    spread = math.fsum((loss - mean) ** 2 for loss, mean in zip(before, means, strict=True))
    variance = (budget / 4 + spread) / (len(before) + 1)
    return min(math.sqrt(2 * math.log(1 / level) / (n * variance)), LARGEST_STAKE / (1 - budget))


def slow_betting(row, budget, level):
    capital = richest = 1.0
    for i, loss in enumerate(row):
        capital *= 1 - slow_stake(row[:i], len(row), budget, level) * (loss - budget)
        richest = max(richest, capital)
    return 1 / richest


@given(losses, budgets, levels)
def test_betting_is_the_plain_loop(row, budget, level):
    assert betting(row, budget, level=level)[0] == pytest.approx(slow_betting(row.tolist(), budget, level), rel=1e-9)


def test_betting_of_many_queries_is_the_plain_loop():
    rows = np.random.default_rng(0).beta(0.4, 5, size=(3, 150))
    for budget, level in ((0.05, 0.1), (0.1, 0.05), (0.3, 0.01)):
        expected = [slow_betting(row.tolist(), budget, level) for row in rows]
        np.testing.assert_allclose(betting(rows, budget, level=level), expected, rtol=1e-8)


def test_betting_by_hand():
    # One query without loss, ε = 0.2: the variance before it is 0.05, √(2 log 10 / 0.05) = 9.6 is more than
    # 0.9 / 0.8 = 1.125, so the capital is 1 + 1.125 · 0.2 = 1.225.
    assert betting([[0.0]], 0.2, level=0.1)[0] == pytest.approx(1 / 1.225)
    # A loss of 1 leaves a tenth of the capital; the most was had before.
    assert betting([[0.0, 1.0]], 0.2, level=0.1)[0] == pytest.approx(1 / 1.225)
    assert betting([[1.0, 0.0]], 0.2, level=0.1)[0] == 1


def capital_after(first, n, budget, level, *, later=1.0):
    """What the gambler has after losses that are below the budget: the most ever, if later ones are above it."""
    return 1 / betting([*first, *[later] * (n - len(first))], budget, level=level)[0]


@pytest.mark.parametrize("i", [0, 1, 2, 7, 25])
def test_a_stake_depends_on_earlier_losses_only(i):
    n, budget, level = 60, 0.3, 0.1
    before = np.random.default_rng(i).uniform(0, 0.25, size=i).tolist()
    had = capital_after(before, n, budget, level)

    def stake(loss, later=1.0):
        return (capital_after([*before, loss], n, budget, level, later=later) / had - 1) / (budget - loss)

    stakes = [stake(0.0), stake(0.1), stake(0.25), stake(0.0, later=0.9), stake(0.1, later=0.5)]
    np.testing.assert_allclose(stakes, slow_stake(before, n, budget, level), rtol=1e-9)


def test_losses_after_a_query_change_nothing_that_was_had_before():
    rng = np.random.default_rng(0)
    before = rng.uniform(0, 0.2, size=10)
    rows = np.hstack([np.tile(before, (50, 1)), rng.uniform(0.3, 1, size=(50, 40))])
    np.testing.assert_allclose(betting(rows, 0.2, level=0.1), 1 / capital_after(before, 50, 0.2, 0.1), rtol=1e-12)


def slow_mixture(row, budget, level):
    ends = []
    for variance in VARIANCES:
        stake = min(math.sqrt(2 * math.log(1 / level) / (len(row) * variance * budget)), LARGEST_STAKE / (1 - budget))
        ends.append(math.prod(1 - stake * (loss - budget) for loss in row))
    return min(1, len(ends) / math.fsum(ends))


@given(losses, budgets, levels)
def test_the_mixture_of_stakes_is_the_plain_product(row, budget, level):
    expected = slow_mixture(row.tolist(), budget, level)
    assert mixture(row, budget, level=level)[0] == pytest.approx(expected, rel=1e-9)


def test_the_mixture_of_stakes_by_hand():
    # Two queries, ε = 0.2: all stakes are the largest, 0.9 / 0.8 = 1.125; without loss, (1 + 1.125 · 0.2)² = 1.225².
    assert mixture([[0.0, 0.0]], 0.2, level=0.1)[0] == pytest.approx(1 / 1.225**2)
    # Only the end counts: a loss of 1 leaves a tenth, before or after.
    assert mixture([[0.0, 1.0]], 0.2, level=0.1)[0] == mixture([[1.0, 0.0]], 0.2, level=0.1)[0] == 1
    # δ = e⁻¹, n = 200, ε = 0.5: the stakes √(2 / (200 v / 2)) are √(0.02 / v) = 0.1414, 0.2, 0.2828 and 0.4.
    ends = [(1 + math.sqrt(0.02 / v) * 0.1) ** 200 for v in (1, 1 / 2, 1 / 4, 1 / 8)]
    assert mixture(np.full(200, 0.4), 0.5, level=math.exp(-1))[0] == pytest.approx(4 / sum(ends))


@given(losses, budgets, levels, st.randoms(use_true_random=False))
def test_the_mixture_of_stakes_is_the_same_in_any_order(row, budget, level, random):
    order = random.sample(range(len(row)), len(row))
    assert mixture(row[order], budget, level=level)[0] == mixture(row, budget, level=level)[0]


def test_exact_binomial_is_scipys():
    rng = np.random.default_rng(0)
    hurt = (rng.uniform(size=(8, 300)) < np.linspace(0, 1, 8)[:, None]).astype(float)
    for budget in (0.01, 0.1, 0.5, 0.95):
        expected = [scipy.stats.binomtest(int(row.sum()), 300, budget, alternative="less").pvalue for row in hurt]
        np.testing.assert_allclose(exact_binomial(hurt, budget), expected, rtol=1e-9, atol=1e-280)


def test_exact_binomial_by_hand():
    # 0.8³ = 0.512; + 3 · 0.2 · 0.8² = 0.896; + 3 · 0.04 · 0.8 = 0.992
    rows = [[0, 0, 0], [0, 1, 0], [1, 0, 1], [1, 1, 1]]
    np.testing.assert_allclose(exact_binomial(rows, 0.2), [0.512, 0.896, 0.992, 1], rtol=1e-12)


P_VALUES = {
    "betting": lambda rows, budget: betting(rows, budget, level=0.1),
    "mixture": lambda rows, budget: mixture(rows, budget, level=0.1),
    "hoeffding-bentkus": hoeffding_bentkus,
    "exact binomial": exact_binomial,
}


BETS = {"betting": betting, "mixture": mixture}


@pytest.mark.parametrize("name", P_VALUES)
def test_rows_are_tested_each_by_itself(name):
    rows = (np.random.default_rng(0).uniform(size=(6, 50)) < 0.1).astype(float)
    together = P_VALUES[name](rows, 0.2)
    assert together.shape == (6,)
    assert together.tolist() == [P_VALUES[name](row, 0.2)[0] for row in rows]


@given(losses, budgets)
def test_half_the_losses_are_no_less_evidence_of_safety(row, budget):
    assert hoeffding_bentkus(row / 2, budget)[0] <= hoeffding_bentkus(row, budget)[0] * (1 + 1e-9)


@given(losses, budgets, levels)
def test_p_values_are_probabilities(row, budget, level):
    for p in (
        betting(row, budget, level=level)[0],
        mixture(row, budget, level=level)[0],
        hoeffding_bentkus(row, budget)[0],
    ):
        assert 0 < p <= 1


def test_losses_at_the_budget_are_no_evidence():
    for budget in (0.01, 0.1, 0.3, 0.7):
        row = np.full(100, budget)
        assert betting(row, budget, level=0.1)[0] == pytest.approx(1, abs=1e-9)
        assert mixture(row, budget, level=0.1)[0] == pytest.approx(1, abs=1e-9)
        assert hoeffding_bentkus(row, budget)[0] == pytest.approx(1, abs=1e-9)


def test_betting_tells_losses_that_vary_little_from_the_budget():
    row = np.random.default_rng(0).uniform(0.03, 0.05, size=1000)
    assert betting(row, 0.05, level=0.1)[0] < 0.01
    assert mixture(row, 0.05, level=0.1)[0] < 0.01
    assert hoeffding_bentkus(row, 0.05)[0] > 0.2


# Validity: P(p ≤ δ) ≤ δ when the true mean is the budget.


def all_samples(values, probabilities, n):
    """Every sample of n losses, and its probability."""
    places = np.array(list(itertools.product(range(len(values)), repeat=n)))
    return np.array(values, float)[places], np.array(probabilities)[places].prod(axis=1)


SMALL = {  # values, and their probabilities
    "Bernoulli": ((0, 1), (0.7, 0.3), 10),
    "rare large": ((0.04, 1), (0.95, 0.05), 10),
    "two sides": ((0.1, 0.4), (0.5, 0.5), 10),
    "three values": ((0, 0.3, 1), (0.6, 0.3, 0.1), 6),
    "nearly sure": ((0, 1), (0.1, 0.9), 10),
}


@pytest.mark.parametrize(
    ("name", "losses_of"),
    [(p, kind) for p in P_VALUES for kind in SMALL if p != "exact binomial" or SMALL[kind][0] == (0, 1)],
)
def test_no_p_value_is_reached_more_often_than_it_says(name, losses_of):
    values, probabilities, n = SMALL[losses_of]
    rows, weights = all_samples(values, probabilities, n)
    assert weights.sum() == pytest.approx(1)
    p = P_VALUES[name](rows, float(np.dot(values, probabilities)))
    order = np.argsort(p)
    assert (np.cumsum(weights[order]) <= p[order] * (1 + 1e-9)).all()


@pytest.mark.parametrize("bets", BETS)
@pytest.mark.parametrize("level", [0.001, 0.05, 0.5])
def test_bets_are_valid_at_other_levels_than_the_one_their_stakes_are_set_for(bets, level):
    rows, weights = all_samples((0, 0.2, 1), (0.5, 0.4, 0.1), 7)
    p = BETS[bets](rows, 0.18, level=level)
    order = np.argsort(p)
    assert (np.cumsum(weights[order]) <= p[order] * (1 + 1e-9)).all()


def bernoulli(rng, shape, mean):
    return (rng.uniform(size=shape) < mean).astype(float)


def scaled_beta(rng, shape, mean):
    return rng.beta(0.4, 1.2, size=shape) * 4 * mean  # the mean of the beta is 1/4


def rare_large(rng, shape, mean):
    share = mean / 10  # n = 200 queries often see none, and then look as if they were all below the budget
    return np.where(rng.uniform(size=shape) < share, 1.0, (mean - share) / (1 - share))


def mostly_none(rng, shape, mean):
    return np.where(rng.uniform(size=shape) < 2 * mean, rng.uniform(size=shape), 0.0)


def constant(rng, shape, mean):
    return np.full(shape, mean)


DRAWS = [bernoulli, scaled_beta, rare_large, mostly_none, constant]


@pytest.mark.parametrize(
    ("name", "draw"), [(p, draw) for p in P_VALUES for draw in DRAWS if p != "exact binomial" or draw is bernoulli]
)
def test_a_mean_at_the_budget_is_rarely_called_safe(name, draw):
    rng = np.random.default_rng(0)
    for budget in (0.05, 0.2):
        rows = draw(rng, (REDRAWS, 200), budget)
        assert 0 <= rows.min() <= rows.max() <= 1
        p = P_VALUES[name](rows, budget)
        for delta in (0.1, 0.05):
            at_delta = BETS[name](rows, budget, level=delta) if name in BETS else p
            assert (at_delta <= delta).sum() <= most(delta, REDRAWS)


def test_betting_is_hardly_more_cautious_than_it_must_be():
    rng = np.random.default_rng(0)
    p = betting(bernoulli(rng, (REDRAWS, 500), 0.1), 0.1, level=0.1)
    assert (p <= 0.1).mean() > 0.05
