from __future__ import annotations

import math

import numpy as np
import pytest
import scipy.stats

from riskrank.risk.inference.student_t import critical_value, two_sided_p


def test_it_agrees_with_scipy():
    for freedom in (1, 2, 3, 9, 49, 500, 9_999, 1_000_000):
        t = np.concatenate([[0.0, 1e-8, 1e-3], np.linspace(0.1, 40, 200), [-2.0, 1e3]])
        np.testing.assert_allclose(
            two_sided_p(t, freedom), 2 * scipy.stats.t.sf(np.abs(t), freedom), rtol=2e-8, atol=1e-300
        )
        for level in (0.5, 0.05, 0.01, 1e-6):
            assert critical_value(level, freedom) == pytest.approx(scipy.stats.t.isf(level / 2, freedom), rel=1e-9)


def test_nan_stays_nan_and_infinity_is_certain():
    assert math.isnan(two_sided_p(math.nan, 5))
    assert two_sided_p(math.inf, 5) == 0
