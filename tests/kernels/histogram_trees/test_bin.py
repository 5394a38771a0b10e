"""Codes of values, against a plain search, for numbers as odd as they come."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from riskrank.kernels.histogram_trees.bin import CODES, MISSING, encode, find_bounds

ODD = [0.0, -0.0, 1e-45, -1e-45, 1.17e-38, 3.4e38, -3.4e38, 1.0, np.nextafter(np.float32(1), np.float32(2)), 2.0**24]
VALUES = st.one_of(st.sampled_from(ODD), st.floats(allow_nan=False, allow_infinity=False, width=32))


def bounds_of(values, n_bins=255):
    bounds = np.empty(CODES, np.float32)
    return bounds, find_bounds(np.sort(np.asarray(values, np.float32)), n_bins, bounds)


def codes_of(features, bounds):
    codes = np.empty(features.shape, np.uint8)
    encode(features, 0, len(features), bounds, codes)
    return codes


@given(st.lists(VALUES, min_size=1, max_size=40))
def test_few_values_have_a_bin_each(values):
    """What is nearly 0 is 0, as it is for LightGBM."""
    column = np.array(values, np.float32)
    bounds, n_bins = bounds_of(column)
    seen = np.where(np.abs(column) <= 1e-35, np.float32(0), column)
    different = np.unique(seen)
    assert n_bins == len(different)
    np.testing.assert_array_equal(codes_of(column[:, None], bounds[None])[:, 0], np.searchsorted(different, seen))
    assert (np.abs(bounds) >= np.float32(1e-35)).all()


def test_a_bound_lies_halfway():
    bounds, n_bins = bounds_of([1, 1, 2, 4, 4])
    assert n_bins == 3
    np.testing.assert_array_equal(bounds[:3], [1.5, 3, np.inf])


def test_no_value_at_all_is_in_one_bin():
    bounds, n_bins = bounds_of([])
    assert n_bins <= 1
    assert (bounds == np.inf).all()


@pytest.mark.parametrize("n_bins", [2, 3, 16, 255])
def test_many_values_share_bins_evenly_and_frequent_ones_have_their_own(n_bins):
    rng = np.random.default_rng(n_bins)
    column = np.concatenate([rng.normal(size=30_000), np.full(40_000, 0.25)]).astype(np.float32)
    bounds, n = bounds_of(column, n_bins)
    assert n <= n_bins
    counts = np.bincount(codes_of(column[:, None], bounds[None])[:, 0], minlength=n)
    if n_bins >= 16:
        own = codes_of(np.float32([[0.25]]), bounds[None])[0, 0]
        assert counts[own] <= 40_000 + 2 * 30_000 / n_bins
        others = np.delete(counts, own)
        assert others.min() >= 0.3 * 30_000 / n_bins
        assert others.max() <= 3 * 30_000 / n_bins


def test_codes_are_how_many_bounds_are_below():
    rng = np.random.default_rng(0)
    features = rng.normal(size=(700, 5)).astype(np.float32)
    features[rng.random(features.shape) < 0.1] = np.nan
    bounds = np.sort(rng.normal(size=(5, CODES)).astype(np.float32), axis=1)
    bounds[:, 254:] = np.inf
    features[:254, 0] = bounds[0, :254]  # values on bounds
    codes = codes_of(features, bounds)
    expected = np.stack([np.searchsorted(bounds[f], features[:, f], side="left") for f in range(5)], axis=1)
    np.testing.assert_array_equal(codes, np.where(np.isnan(features), MISSING, expected))
