"""The loop over pairs for measures that add up gain × discount, by hand."""

from __future__ import annotations

import numpy as np
import pytest

from riskrank import RankingData
from riskrank.kernels.positional import LANES, positional_gradients, positional_values
from riskrank.kernels.state import GradientArrays, MeasureArrays, PairOptions, RankedOrder, TargetState, TrainingState
from riskrank.objectives import Gain, URisk
from riskrank.objectives.on_data.slots import slots_by_gain

# Two queries: three documents with the gains 0, 1 and 3, which stand in the order 3, 0, 1; and two with 1 and 0.
DATA = RankingData.from_arrays(np.zeros((5, 1)), np.zeros(5), group=[3, 2])
GAINS = np.array([0.0, 1.0, 3.0, 1.0, 0.0])
SCORES = np.array([1.0, 0.0, 2.0, 5.0, 5.0])
ORDER = RankedOrder(DATA.query_offsets, DATA.query_offsets, np.array([2, 0, 1, 0, 1], np.int32))
MEASURE = MeasureArrays(GAINS, np.array([1.0, 0.5, 0.25]), np.array([1.0, 2.0]), 0)
BOTH = np.arange(2)


def test_a_value_is_the_sum_of_gains_times_discounts_times_the_norm():
    values = np.empty(2)
    positional_values(BOTH, SCORES, ORDER, MEASURE, False, values)
    np.testing.assert_allclose(values, [3 * 1 + 0 * 0.5 + 1 * 0.25, (1 * 1 + 0 * 0.5) * 2])


def test_ranks_that_are_not_known_add_nothing():
    values = np.empty(2)
    first = RankedOrder(DATA.query_offsets, np.array([0, 1, 2]), np.array([2, 0], np.int32))
    positional_values(BOTH, SCORES, first, MEASURE, False, values)
    np.testing.assert_allclose(values, [3, 2])


def test_tied_documents_share_the_mean_of_their_gains():
    """The two of the second query are tied: 1/2 each at both ranks, or at the only rank that is known."""
    values = np.empty(2)
    positional_values(BOTH, SCORES, ORDER, MEASURE, True, values)
    np.testing.assert_allclose(values, [3 * 1 + 0 * 0.5 + 1 * 0.25, 0.5 * (1 + 0.5) * 2])
    first = RankedOrder(DATA.query_offsets, np.array([0, 1, 2]), np.array([2, 0], np.int32))
    positional_values(BOTH, SCORES, first, MEASURE, True, values)
    np.testing.assert_allclose(values, [3, 0.5 * 2])


def filled(target, *, queries=BOTH, dtype=np.float64, baseline=(0.0, 0.0), depth=3):
    slots = slots_by_gain(GAINS, DATA, lanes=LANES)
    state = TargetState(np.array([3.25, 2.0]), np.array(baseline), np.zeros(2), TrainingState(1.0, 2.0, 0.0, 0.0))
    out = GradientArrays(np.full(5, 7, dtype), np.full(5, 7, dtype))
    options = PairOptions(1.0, False, depth)
    positional_gradients(target, False)(queries, SCORES, ORDER, MEASURE, slots, state, options, out)
    return out


def rho(difference):
    return 1 / (1 + np.exp(difference))


def test_the_gradient_of_every_pair_is_its_swap_times_rho():
    """Swaps of the first query: |3 − 0| (1 − 0.5), |3 − 1| (1 − 0.25), |0 − 1| (0.5 − 0.25), the last one wrong."""
    out = filled(Gain.target)
    best_worst, best_middle, wrong = 1.5 * rho(1), 1.5 * rho(2), 0.25 * rho(-1)
    tied = 1 * 0.5 * 2 * rho(0)
    expected = [best_worst + wrong, best_middle - wrong, -best_worst - best_middle, -tied, tied]
    np.testing.assert_allclose(out.gradient, expected, rtol=1e-12)
    bends = 1.5 * rho(1) * rho(-1), 1.5 * rho(2) * rho(-2), 0.25 * rho(1) * rho(-1)
    expected = [bends[0] + bends[2], bends[1] + bends[2], bends[0] + bends[1], 0.25, 0.25]
    np.testing.assert_allclose(out.hessian, expected, rtol=1e-12)


def test_a_target_weighs_the_swaps():
    """With alpha 1, a query far below its baseline counts twice, and one far above it once."""
    plain, weighed = filled(Gain.target), filled(URisk.target, baseline=(100.0, -100.0))
    np.testing.assert_allclose(weighed.gradient, plain.gradient * [2, 2, 2, 1, 1], rtol=1e-12)


def test_pairs_below_the_depth_do_not_count():
    """Of the first query, the wrong pair stands at ranks 2 and 3."""
    np.testing.assert_allclose(filled(Gain.target, depth=1).gradient[:2], [1.5 * rho(1), 1.5 * rho(2)], rtol=1e-12)


@pytest.mark.parametrize("query", [0, 1])
def test_other_queries_are_left_alone(query):
    out, whole = filled(Gain.target, queries=np.array([query])), filled(Gain.target)
    is_own = DATA.query_numbers == query
    for actual, expected in zip(out, whole, strict=True):
        np.testing.assert_array_equal(actual, np.where(is_own, expected, 7))


def test_single_precision_takes_the_same_sums():
    for single, double in zip(filled(Gain.target, dtype=np.float32), filled(Gain.target), strict=True):
        assert single.dtype == np.float32
        np.testing.assert_array_equal(single, double.astype(np.float32))
