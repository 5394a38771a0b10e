from __future__ import annotations

import numpy as np
import pytest

import riskrank as rr
from riskrank.measures import parse_measure
from riskrank.measures.swap_deltas import (
    best_total,
    inverse,
    is_relevant,
    per_rank,
    tied_stops,
    total,
    usable_labels,
)
from riskrank.objectives.on_data.bound_objective import BoundObjective

DATA = rr.RankingData.from_arrays(np.zeros((5, 1)), [1, -1, 2, 0, 0], group=[3, 2])


def test_labels_below_zero_count_as_zero_in_training():
    assert usable_labels(DATA).tolist() == [1, 0, 2, 0, 0]
    assert is_relevant(DATA, rel=2).tolist() == [0, 0, 1, 0, 0]


def test_there_is_a_discount_for_each_rank_of_the_longest_query_and_none_beyond_the_cutoff():
    assert per_rank(DATA, None, lambda rank: 1.0 / rank).tolist() == [1, 1 / 2, 1 / 3]
    assert per_rank(DATA, 2, lambda _: 1.0).tolist() == [1, 1, 0]


def test_the_best_total_takes_the_best_gains_first():
    gains = np.array([1.0, 0.0, 2.0, 0.0, 0.0])
    assert total(gains, DATA).tolist() == [3, 0]
    assert best_total(gains, np.array([1.0, 0.5, 0.25]), DATA).tolist() == [2 * 1 + 1 * 0.5, 0]


def test_what_cannot_be_divided_by_has_the_inverse_zero():
    assert inverse(np.array([4.0, 0.0])).tolist() == [0.25, 0]


def test_a_user_stops_at_tied_documents_by_the_mean_chance_over_their_orders():
    # As in test_tied_ranking: chances 1/2, 1/4, 0 in one tie, then 1/2 alone; stops 1/4, 5/24, 1/6, 3/16.
    go_on, ends = np.array([1 / 2, 3 / 4, 1.0, 1 / 2]), np.array([3, 3, 3, 4])
    discounts, scratch = np.array([1.0, 1 / 2, 1 / 3, 1 / 4]), np.full((2, 5), np.nan)
    expected = 1 / 4 + 5 / 24 / 2 + 1 / 6 / 3 + 3 / 16 / 4
    assert tied_stops(go_on, ends, discounts, *scratch) == pytest.approx(expected)
    assert tied_stops(go_on, ends, np.array([1.0, 1.0, 0.0, 0.0]), *scratch) == pytest.approx(1 / 4 + 5 / 24)


def test_a_tie_of_many_documents_is_stopped_at_in_time_in_proportion_to_them():
    """At the first step of a training all scores are equal; by pairs, this would be 10^13 steps."""
    n = 3_000_000
    data = rr.RankingData.from_arrays(np.zeros((n, 1)), np.arange(n) == 7, group=[n])
    expected = np.sum(1 / np.arange(1, n + 1)) / n
    assert BoundObjective(rr.Gain("RR"), data).values(np.zeros(n)) == pytest.approx([expected], rel=1e-9)


def test_a_measure_without_functions_is_positional():
    assert parse_measure("nDCG@10").swap_deltas(DATA).is_positional
    assert not parse_measure("AP").swap_deltas(DATA).is_positional
