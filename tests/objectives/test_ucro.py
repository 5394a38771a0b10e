"""UCRO: a swap is weighed by the side of the baseline on which it ends."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given

from riskrank import RankingData
from riskrank.kernels.state import Query
from riskrank.objectives import UCRO, URisk

from . import naive
from .cases import alphas, effectiveness, training_of


@given(model=effectiveness, after=effectiveness, baseline=effectiveness, alpha=alphas)
def test_it_is_equation_9_and_differs_from_urisk_only_where_a_swap_crosses_the_baseline(model, after, baseline, alpha):
    delta, query = after - model, Query(model, baseline, 0.0)
    worth = UCRO.target(delta, query, training_of(alpha))
    if abs(after - baseline) > 1e-9:
        assert worth == pytest.approx(delta if after >= baseline else (1 + alpha) * delta)
    if (model - baseline) * (after - baseline) > 0:
        assert worth == pytest.approx(URisk.target(delta, query, training_of(alpha)), abs=1e-12)


@pytest.mark.parametrize("measure", ["nDCG@5", "PairAccuracy"])
def test_a_swap_that_ends_exactly_at_the_baseline_is_no_loss(measure):
    """The baseline is the model's ranking with two documents swapped: m + δ = b, whatever the rounding of sums says."""
    rng = np.random.default_rng(0)
    sizes = [6] * 20
    labels, scores = rng.integers(0, 4, 120), np.tile(np.arange(6.0, 0, -1), 20)
    baseline = scores.copy()
    baseline[1::6], baseline[3::6] = scores[3::6], scores[1::6]
    data = RankingData.from_arrays(np.zeros((120, 1)), labels, group=sizes)
    gradients = UCRO(measure, alpha=2.0, truncation=None, normalise="none").gradients(scores, data, baseline)
    expected = naive.gradients(
        data, scores, baseline[None], value=naive.measure(measure, data), target="UCRO", alpha=2.0
    )
    np.testing.assert_allclose(gradients, expected, rtol=1e-9, atol=1e-11)
