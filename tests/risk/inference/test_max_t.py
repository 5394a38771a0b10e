from __future__ import annotations

import numpy as np
import pytest

from riskrank.risk.inference import max_t as module
from riskrank.risk.inference.max_t import max_t
from riskrank.risk.inference.mirror_shift import MirrorShift
from riskrank.risk.inference.multiple_testing import holm
from riskrank.risk.paired import tradeoff


def own_p_values(changes, alpha):
    return np.array([MirrorShift(row).test(alpha).p_value for row in changes])


def corrected(changes, alpha):
    return max_t(changes, alpha, p_values=own_p_values(changes, alpha))


def brute_force(changes, alpha, n_draws):
    """The same by its definition: topics drawn for all rows at once, as they were or mirrored."""
    n_topics = changes.shape[1]
    residuals = changes - changes.mean(axis=1, keepdims=True)
    nulls = []
    for row in residuals:
        low, high = -1.0, 1.0
        for _ in range(60):
            shift = (low + high) / 2
            mean = tradeoff(np.concatenate([row, -row]) + shift, alpha).mean()
            low, high = (low, shift) if mean > 0 else (shift, high)
        nulls.append([tradeoff(row + shift, alpha), tradeoff(shift - row, alpha)])
    rng = np.random.default_rng(1)
    topics, sides = rng.integers(n_topics, size=(n_draws, n_topics)), rng.integers(2, size=(n_draws, n_topics))
    samples = np.array(nulls)[:, sides, topics]
    drawn = samples.mean(axis=2) / samples.std(axis=2)
    x = tradeoff(changes, alpha)
    t = x.mean(axis=1) / x.std(axis=1)
    up, down = np.quantile(drawn, 0.975, axis=1), -np.quantile(drawn, 0.025, axis=1)
    gains = [((drawn / up[:, None]).max(axis=0) >= each).mean() for each in t / up]
    losses = [((drawn / down[:, None]).min(axis=0) <= each).mean() for each in t / down]
    return np.minimum(1, 2 * np.minimum(gains, losses))


@pytest.mark.parametrize("alpha", [0, 5])
def test_two_rows_agree_with_plain_draws(alpha):
    rng = np.random.default_rng(3)
    common = rng.laplace(0, 0.05, 25)
    changes = np.array([common + rng.laplace(0.03, 0.05, 25), common + rng.laplace(0.06, 0.05, 25)])
    exact = brute_force(changes, alpha, 40_000)
    reach = 8 * np.sqrt(exact / 2 * (1 - exact / 2) / module.N_RESAMPLES) + 2e-3  # the p-value is twice a share
    assert np.all(np.abs(corrected(changes, alpha) - exact) < reach)


@pytest.mark.parametrize(("alpha", "gain"), [(0, 0.035), (1, 0.06), (5, 0.12)])
def test_correlated_rows_get_a_milder_correction_than_holms(alpha, gain):
    rng = np.random.default_rng(4)
    common = rng.laplace(gain, 0.1, 40)
    alike = common + rng.laplace(0, 0.01, (20, 40))
    p, own = corrected(alike, alpha), own_p_values(alike, alpha)
    assert np.all(p >= own - 4 / module.N_RESAMPLES)  # two draws, on both sides
    assert np.all(own < 0.2)
    assert np.all(p < holm(own))
    assert np.median(p / own) < 4  # twenty rows that are nearly one


def test_rows_of_their_own_are_corrected_about_as_by_bonferroni():
    rng = np.random.default_rng(5)
    changes = rng.laplace(0, 0.1, (10, 40))
    own = own_p_values(changes, 0)
    expected = 1 - (1 - own) ** 10  # Šidák
    assert corrected(changes, 0) == pytest.approx(expected, abs=0.1)


def test_the_scale_of_a_row_changes_nothing():
    changes = np.random.default_rng(6).laplace(0.02, 0.1, (3, 30))
    assert corrected(changes * [[1e-300], [1.0], [2.0**60]], 1).tolist() == pytest.approx(
        corrected(changes, 1).tolist()
    )


def test_rows_without_null_values_are_corrected_by_their_number():
    varied = np.random.default_rng(7).laplace(0.02, 0.1, 30)
    changes = np.array([varied, np.full(30, 0.1), np.zeros(30)])
    p = corrected(changes, 0)
    assert p[1] == pytest.approx(3 * 2 * 0.5**30)
    assert p[2] == 1


def test_very_many_topics_are_drawn_a_block_at_a_time(monkeypatch):
    changes = np.random.default_rng(8).laplace(0.01, 0.1, (4, 300))
    at_once = corrected(changes, 1)
    monkeypatch.setattr(module, "MOST_CELLS", 100_000)  # of 1,000 draws: 50 topics
    reach = 8 * np.sqrt(at_once / 2 * (1 - at_once / 2) / module.FEWEST_RESAMPLES) + 4e-3
    assert np.all(np.abs(corrected(changes, 1) - at_once) < reach)
    blocks = list(module._topic_counts(300, 1000))
    assert [topics.stop for topics, _ in blocks] == [50, 100, 150, 200, 250, 300]
    assert np.all(sum(counts.sum(axis=(0, 1)) for _, counts in blocks) == 300)
