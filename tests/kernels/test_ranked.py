"""What the loop over pairs knows of a ranking and of every swap in it is what the measure's definition says."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from riskrank import RankingData, parse_measure
from riskrank.kernels.ranked import sum_of_gains, swapped_gains

from ..objectives import naive


def swap_changes(measure, data):
    """The change of every swap, by the functions that are compiled into the loop, as plain Python."""
    swaps = parse_measure(measure).swap_deltas(data)
    prepare, change = (sum_of_gains, swapped_gains) if swaps.is_positional else (swaps.value, swaps.delta)
    n = data.n_documents
    work = np.full((swaps.work_rows, n + 1), np.nan)
    norm = swaps.norm[0]
    value = prepare(swaps.gains, swaps.discounts, norm, work) if norm != 0 else 0.0
    changes = {
        (a, b): change(a, b, swaps.gains, swaps.discounts, norm, work) if norm != 0 else 0.0
        for a, b in combinations(range(n), 2)
    }
    return value, changes


def assert_swaps_are_brute_force(measure, labels):
    data = RankingData.from_arrays(np.zeros((len(labels), 1)), labels, group=[len(labels)])
    value = naive.measure(measure, data)
    now, changes = swap_changes(measure, data)
    before = value(data.labels)
    assert now == pytest.approx(before, rel=1e-12, abs=1e-13)
    for (a, b), change in changes.items():
        swapped = data.labels.copy()
        swapped[a], swapped[b] = labels[b], labels[a]
        assert change == pytest.approx(value(swapped) - before, rel=1e-11, abs=1e-12), (a, b)


@pytest.mark.parametrize("measure", naive.MEASURES)
@settings(max_examples=60)
@given(labels=st.lists(st.integers(0, 4), min_size=1, max_size=12))
@example(labels=[3])
@example(labels=[0, 0, 0, 0])
@example(labels=[2, 2, 2, 2, 2, 2])
@example(labels=[0, 0, 0, 0, 0, 0, 1])
@example(labels=[1, 0, 0, 0, 0, 0, 0])
def test_the_change_of_a_swap_is_what_swapping_gives(measure, labels):
    assert_swaps_are_brute_force(measure, labels)


@pytest.mark.parametrize("measure", ["nDCG(dcg='log2')@5", "nDCG", "ERR@5", "RBP", "PairAccuracy", "AP"])
@settings(max_examples=40)
@given(labels=st.lists(st.integers(-40, 120).map(lambda i: i / 40), min_size=1, max_size=10))
def test_labels_may_be_real_numbers_and_those_below_zero_count_as_zero(measure, labels):
    assert_swaps_are_brute_force(measure, labels)


def test_pair_accuracy_is_exact_with_more_labels_than_are_counted_rank_by_rank():
    rng = np.random.default_rng(0)
    assert_swaps_are_brute_force("PairAccuracy", np.append(np.arange(70.0), [3.0, 3.0, 69.0])[rng.permutation(73)])
    few = swap_changes("PairAccuracy", RankingData.from_arrays(np.zeros((4, 1)), [0, 3, 3, 1], group=[4]))
    assert few[0] == pytest.approx(2 / 5)  # of five pairs of different labels, both 3s stand above the 1
