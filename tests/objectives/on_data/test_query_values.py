"""What the training loop says of a ranking, and of every swap in it, is what the measure's definition says."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from riskrank import RankingData, evaluate, parse_measure
from riskrank.kernels.ranked import sum_of_gains, swapped_gains
from riskrank.objectives import Gain
from riskrank.objectives.on_data.bound_objective import BoundObjective

MEASURES = [
    "nDCG", "nDCG@5", "nDCG(dcg='log2')@5", "nDCG(gains={0:1,1:3,2:2,3:8})@5", "DCG@5", "AP", "AP@4", "AP(rel=2)", "RR",
    "RR@3", "ERR", "ERR@5", "P@5", "R@5", "WTA", "Success@3", "RBP", "RBP(p=0.5,rel=2)@4", "PairAccuracy",
]  # fmt: skip


@pytest.mark.parametrize("measure", MEASURES)
def test_the_value_of_each_query_is_the_evaluated_and_the_naive_one(measure, naive, new_case):
    for seed in range(3):
        case = new_case(seed)
        values = BoundObjective(Gain(measure), case.data).values(case.scores)
        np.testing.assert_allclose(values, evaluate(case.data, {"x": case.scores}, measure)["x"], atol=1e-13)
        np.testing.assert_allclose(
            values, naive.values(naive.measure(measure, case.data), case.data, case.scores), atol=1e-13
        )


@pytest.mark.parametrize("measure", ["nDCG@5", "AP"])
def test_the_values_after_a_step_are_those_of_the_measure_not_of_its_deeper_form(measure, case):
    """nDCG@5 is trained as nDCG@30; what is reported stays nDCG@5."""
    values = BoundObjective(Gain(measure), case.data).gradients(case.scores).values.reported
    np.testing.assert_allclose(values, evaluate(case.data, {"x": case.scores}, measure)["x"], atol=1e-13)


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


def assert_swaps_are_brute_force(measure, labels, naive):
    data = RankingData.from_arrays(np.zeros((len(labels), 1)), labels, group=[len(labels)])
    value = naive.measure(measure, data)
    found, changes = swap_changes(measure, data)
    before = value(data.labels)
    assert found == pytest.approx(before, rel=1e-12, abs=1e-13)
    for (a, b), change in changes.items():
        swapped = data.labels.copy()
        swapped[a], swapped[b] = labels[b], labels[a]
        assert change == pytest.approx(value(swapped) - before, rel=1e-11, abs=1e-12), (a, b)


@pytest.mark.parametrize("measure", MEASURES)
@settings(max_examples=60)
@given(labels=st.lists(st.integers(0, 4), min_size=1, max_size=12))
@example(labels=[3])
@example(labels=[0, 0, 0, 0])
@example(labels=[2, 2, 2, 2, 2, 2])
@example(labels=[0, 0, 0, 0, 0, 0, 1])
@example(labels=[1, 0, 0, 0, 0, 0, 0])
def test_the_change_of_a_swap_is_what_swapping_gives(measure, labels, naive):
    assert_swaps_are_brute_force(measure, labels, naive)


@pytest.mark.parametrize("measure", ["nDCG(dcg='log2')@5", "nDCG", "ERR@5", "RBP", "PairAccuracy", "AP"])
@settings(max_examples=40)
@given(labels=st.lists(st.integers(-40, 120).map(lambda i: i / 40), min_size=1, max_size=10))
def test_labels_may_be_real_numbers_and_those_below_zero_count_as_zero(measure, labels, naive):
    assert_swaps_are_brute_force(measure, labels, naive)


def test_pair_accuracy_with_more_labels_than_can_be_counted_rank_by_rank(naive):
    rng = np.random.default_rng(0)
    assert_swaps_are_brute_force(
        "PairAccuracy", np.append(np.arange(70.0), [3.0, 3.0, 69.0])[rng.permutation(73)], naive
    )
    few = swap_changes("PairAccuracy", RankingData.from_arrays(np.zeros((4, 1)), [0, 3, 3, 1], group=[4]))
    assert few[0] == pytest.approx(2 / 5)  # of five pairs of different labels, both 3s stand above the 1


@pytest.mark.parametrize("measure", ["nDCG@5", "AP", "ERR@5", "RBP", "P@5", "RR"])
def test_negative_labels_are_evaluated_as_zero(measure, naive, new_case):
    case = new_case(labels=np.random.default_rng(1).integers(-2, 4, sum((5, 6, 7))), sizes=(5, 6, 7))
    values = BoundObjective(Gain(measure), case.data).values(case.scores)
    np.testing.assert_allclose(values, evaluate(case.data, {"x": case.scores}, measure)["x"], atol=1e-13)
