"""The incomplete beta function against SciPy's."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.special
from hypothesis import given
from hypothesis import strategies as st

from riskrank.risk.inference.incomplete_beta import incomplete_beta

SHAPES = [0.5, 1, 1.5, 2, 7, 30.5, 400, 12_345, 1e5]
shapes = st.floats(0.5, 2000)
inner = st.floats(1e-9, 1 - 1e-9)


@pytest.mark.parametrize("a", SHAPES)
@pytest.mark.parametrize("b", SHAPES)
def test_it_is_scipys_over_the_whole_range(a, b):
    middle, deviation = a / (a + b), np.sqrt(a * b / (a + b + 1)) / (a + b)
    x = np.concatenate(
        [
            [0, 1e-300, 1e-100, 1e-12, 1e-3, 0.05, 0.3, 0.5, 0.9, 0.999, 1],
            np.clip(middle + deviation * np.array([-30, -8, -3, -1, -0.01, 0, 0.01, 1, 3, 8, 30]), 0, 1),
        ]
    )
    found = incomplete_beta(x, 1 - x, a, b)
    # The logarithm of the beta function has 6 digits before the point at 1e5, so that 9 are left behind it.
    np.testing.assert_allclose(found, scipy.special.betainc(a, b, x), rtol=1e-8, atol=1e-280)


def test_the_ends_are_0_and_1():
    assert incomplete_beta([0, 1], [1, 0], 3, 0.5).tolist() == [0, 1]
    assert incomplete_beta([0, 1], [1, 0], 0.5, 1e5).tolist() == [0, 1]


def test_a_number_gives_a_number():
    found = incomplete_beta(0.25, 0.75, 2, 3)
    assert found.shape == ()
    # I_x(2, 3) = P(Bin(4, x) ≥ 2) = 1 − 0.75⁴ − 4 · 0.25 · 0.75³ = 0.26171875
    assert found == pytest.approx(0.26171875, rel=1e-14)


@given(shapes, st.floats(1e-6, 1 - 1e-6))
def test_simple_shapes_have_closed_forms(a, x):
    assert incomplete_beta(x, 1 - x, a, 1) == pytest.approx(x**a, rel=1e-10, abs=1e-300)
    assert incomplete_beta(x, 1 - x, 1, a) == pytest.approx(-np.expm1(a * np.log1p(-x)), rel=1e-10)


@given(shapes, shapes, inner)
def test_swapping_the_sides_gives_the_complement(a, b, x):
    assert incomplete_beta(x, 1 - x, a, b) + incomplete_beta(1 - x, x, b, a) == pytest.approx(1, abs=1e-11)


@given(shapes, shapes, inner, inner)
def test_it_rises_with_x(a, b, x, y):
    low, high = sorted([x, y])
    found = incomplete_beta([low, high], [1 - low, 1 - high], a, b)
    assert 0 <= found[0] <= found[1] * (1 + 1e-11) <= 1 + 1e-10


def test_the_rest_is_used_where_x_is_rounded_to_1():
    # 1 − x = 1e-20 is lost in x = 1.0, but I_x(3, 1/2) is not yet 1: the complement is about 3.75e-10 / 2.
    found = incomplete_beta(1.0, 1e-20, 3, 0.5)
    assert 1 - found == pytest.approx(scipy.special.betainc(0.5, 3, 1e-20), rel=1e-6)
    assert found < 1


def test_an_array_has_the_values_of_its_members():
    x = np.linspace(0, 1, 41)
    together = incomplete_beta(x, 1 - x, 40.5, 3)
    alone = [float(incomplete_beta(value, 1 - value, 40.5, 3)) for value in x]
    np.testing.assert_allclose(together, alone, rtol=1e-13)
