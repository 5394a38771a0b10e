"""Sums of gradients that are the same in any order, over any workers."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

from riskrank.kernels.state import GradientArrays
from riskrank.objectives.on_data.shared_objective import round_to_common_grid


def drawn(n_documents):
    """Numbers of very different sizes, as lambdas are."""
    rng = np.random.default_rng(7)
    sizes = 10.0 ** rng.uniform(-9, 2, n_documents)
    return GradientArrays((rng.normal(size=n_documents) * sizes).astype(np.float32), sizes.astype(np.float32))


def rounded(arrays, peers=lambda peaks: peaks):
    copies = GradientArrays(*(array.copy() for array in arrays))
    round_to_common_grid(copies, SimpleNamespace(n_documents_in_all=len(arrays[0]), largest=peers))
    return copies


def sums(values):
    """In several orders, one number after the other, as engines add them."""
    orders = [np.random.default_rng(seed).permutation(len(values)) for seed in range(5)]
    return {float(np.cumsum(values[order].astype(np.float64))[-1]) for order in orders}


def test_sums_do_not_depend_on_the_order_once_numbers_are_rounded():
    arrays = drawn(5000)
    for raw, even in zip(arrays, rounded(arrays), strict=True):
        assert len(sums(raw)) > 1
        assert len(sums(even)) == 1


def test_parts_and_differences_of_sums_are_exact():
    gradient = rounded(drawn(5000)).gradient.astype(np.float64)
    assert gradient.sum() - gradient[:1700].sum() == gradient[1700:].sum()


def test_numbers_near_the_largest_are_not_changed_and_others_hardly():
    arrays = drawn(5000)
    for raw, even in zip(arrays, rounded(arrays), strict=True):
        peak = np.abs(raw).max()
        large = np.abs(raw) > 1e-4 * peak
        np.testing.assert_array_equal(raw[large], even[large])
        assert np.abs(raw - even).max() < 1e-11 * peak


def test_the_grid_is_that_of_the_largest_number_anywhere():
    arrays = drawn(100)
    parts = [GradientArrays(*(array[low:high] for array in arrays)) for low, high in ((0, 30), (30, 100))]
    peaks = np.array([np.abs(array).max() for array in arrays])
    copies = [GradientArrays(*(array.copy() for array in part)) for part in parts]
    for part in copies:
        round_to_common_grid(part, SimpleNamespace(n_documents_in_all=100, largest=lambda _: peaks))
    for together, one, other in zip(rounded(arrays), *copies, strict=True):
        np.testing.assert_array_equal(together, np.concatenate([one, other]))


@pytest.mark.parametrize("value", [0.0, np.inf, np.nan])
def test_zeros_and_what_is_not_finite_stay(value):
    arrays = GradientArrays(np.full(3, value, np.float32), np.full(3, value, np.float32))
    np.testing.assert_array_equal(rounded(arrays).gradient, arrays.gradient)
