from __future__ import annotations

import numpy as np
import pytest
import scipy.stats

from riskrank.risk.inference.chi_square import chi_square_p


@pytest.mark.parametrize("freedom", [1, 2, 3, 10, 99, 1000, 50_000])
def test_it_agrees_with_scipy(freedom):
    for share in (1e-3, 0.1, 0.5, 0.9, 0.99, 1.01, 1.1, 1.5, 3.0):
        statistic = freedom * share
        expected = scipy.stats.chi2.sf(statistic, freedom)
        assert chi_square_p(statistic, freedom) == pytest.approx(expected, rel=1e-8, abs=1e-13)


def test_nothing_is_certain_and_much_is_impossible():
    assert chi_square_p(0.0, 5) == 1
    assert chi_square_p(1e6, 5) == 0
    assert np.all(np.diff([chi_square_p(x, 7) for x in np.linspace(0.1, 60, 200)]) < 0)
