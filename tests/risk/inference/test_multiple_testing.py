from __future__ import annotations

import math

import numpy as np
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st

from riskrank import risk


@given(st.lists(st.floats(0, 1), min_size=1, max_size=20))
def test_corrections_agree_with_scipy_and_their_definitions(p):
    adjusted = risk.benjamini_hochberg(p)
    np.testing.assert_allclose(adjusted, scipy.stats.false_discovery_control(p), rtol=1e-9, atol=1e-12)
    order = np.argsort(p, kind="stable")
    running, expected = 0.0, np.empty(len(p))
    for rank, i in enumerate(order):
        running = max(running, (len(p) - rank) * p[i])
        expected[i] = min(1.0, running)
    np.testing.assert_allclose(risk.holm(p), expected)


def test_corrections_leave_nan_out():
    assert risk.holm([0.02, np.nan, 0.03]).tolist()[0] == 0.04
    assert math.isnan(risk.benjamini_hochberg([0.02, np.nan, 0.03])[1])
