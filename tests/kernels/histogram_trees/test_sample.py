"""Samples of documents: how many, what they weigh, and that packed sums hold what they should."""

from __future__ import annotations

import numpy as np
import pytest

from riskrank.kernels.histogram_trees.mixing import mixed
from riskrank.kernels.histogram_trees.sample import CELLS, Odds, count_sizes, keep, limit_for, pack
from riskrank.rankers.trees.native.document_sample import SIZES, packing_for

N = 20_000


def gradients(seed=0):
    rng = np.random.default_rng(seed)
    gradient = (rng.normal(size=N) * 10.0 ** rng.uniform(-6, 1, N)).astype(np.float32)
    gradient[::50] = 0
    return gradient, (0.1 + rng.random(N)).astype(np.float32)


def limit_of(gradient, wanted, floor):
    cells = np.zeros(CELLS, np.int64)
    count_sizes(gradient.view(np.int32), 0, len(gradient), cells)
    assert cells.sum() == len(gradient)
    return limit_for(cells, SIZES, wanted, floor)


def sample(gradient, hessian, limit, floor, key):
    kept, weights, sums = np.empty(N, np.int32), np.empty(N, np.float32), np.empty(3)
    n = keep(gradient, hessian, (0, N), Odds(float(limit), floor, np.uint64(key)), kept, weights, sums)
    return kept[:n], weights[:n], sums


@pytest.mark.parametrize("share", [0.05, 0.2, 0.6, 0.95])
def test_about_as_many_are_kept_as_wanted(share):
    gradient, hessian = gradients()
    floor = 0.1 * share
    kept, weights, _ = sample(gradient, hessian, limit_of(gradient, share * N, floor), floor, 3)
    assert len(kept) == pytest.approx(share * N, rel=0.05)
    assert weights.max() <= 1 / floor * (1 + 1e-6)


def test_weighted_sums_are_right_on_average():
    gradient, hessian = gradients()
    floor = 0.02
    limit = limit_of(gradient, 0.2 * N, floor)
    half = np.arange(N) < N // 2
    of_half = []
    for key in range(200):
        kept, weights, sums = sample(gradient, hessian, limit, floor, key)
        np.testing.assert_allclose(sums[1], (weights * hessian[kept]).sum(dtype=float), rtol=1e-5)
        chosen = half[kept]
        of_half.append([(weights * part[kept])[chosen].sum() for part in (gradient, hessian, np.ones(N))])
    expected = [part[half].sum(dtype=float) for part in (gradient, hessian, np.ones(N))]
    error = np.std(of_half, axis=0) / np.sqrt(200)
    assert (np.abs(np.mean(of_half, axis=0) - expected) < 4 * error).all()


def test_without_a_limit_all_are_kept_as_they_are():
    gradient, hessian = gradients()
    kept, weights, sums = sample(gradient, hessian, 0.0, 0.1, 5)
    np.testing.assert_array_equal(kept, np.arange(N))
    assert (weights == 1).all()
    np.testing.assert_allclose(sums, [np.abs(gradient).sum(dtype=float), hessian.sum(dtype=float), N])


@pytest.mark.parametrize("scale", [1e-38, 1.0, 1e30])
def test_packed_sums_hold_gradient_hessian_and_number(scale):
    gradient, hessian = gradients()
    gradient *= np.float32(scale)
    kept, weights, sums = sample(gradient, hessian, limit_of(gradient, 0.3 * N, 0.03), 0.03, 1)
    packing, packed = packing_for(sums, len(kept)), np.empty(len(kept), np.int64)
    pack(gradient, hessian, kept, weights, np.uint64(1), packing, packed)
    shift = packing.number_bits + packing.hessian_bits
    for some in (slice(None), gradient[kept] > 0, gradient[kept] < 0, slice(0, 10), slice(0, 0)):
        total = sum(packed[some].tolist())
        assert -(2**63) <= total < 2**63
        parts = [total >> shift, (total >> packing.number_bits) % (1 << packing.hessian_bits),
                 total % (1 << packing.number_bits)]  # fmt: skip
        exact = [(weights * part[kept])[some].sum(dtype=float) for part in (gradient, hessian, np.ones(N))]
        for part, unit, value in zip(parts, (packing.gradient_unit, packing.hessian_unit, 1.0), exact, strict=True):
            assert abs(part - value / unit) <= 5 * np.sqrt(len(packed[some])) + abs(value / unit) * 1e-6


def test_random_numbers_are_spread_evenly_and_do_not_repeat():
    bits = np.array([mixed(np.uint64(7), i) for i in range(4000)], np.uint64)
    assert len(np.unique(bits)) == len(bits)
    assert abs((bits / 2.0**64).mean() - 0.5) < 0.02
    other = np.array([mixed(np.uint64(8), i) for i in range(4000)], np.uint64)
    assert abs(np.corrcoef(bits / 2.0**64, other / 2.0**64)[0, 1]) < 0.06
