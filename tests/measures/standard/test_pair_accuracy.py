from __future__ import annotations

import numpy as np
from hypothesis import given

from riskrank import RankingData, evaluate
from riskrank.measures.standard.pair_accuracy import PairAccuracy

from .examples import check_against, exactly, queries, value, value_with_tie


def test_a_worked_example():
    # b > a, d > a and e > a are wrong, b > d and b > e right
    assert value("PairAccuracy") == exactly(2 / 5)


def test_a_worked_example_with_a_tie():
    # wrong: 2 before 0 at the top, 1 before either 0; right: 2 before 1; half: 2 before the tied 0
    assert value_with_tie("PairAccuracy") == exactly(1.5 / 5)


@given(queries)
def test_it_is_the_share_of_pairs_in_the_right_order(content):
    def slow(grades, _):
        pairs = [(a, b) for i, a in enumerate(grades) for b in grades[i + 1 :] if a != b]
        return sum(a > b for a, b in pairs) / len(pairs) if pairs else 0.0

    check_against(slow, content, "PairAccuracy")


def test_what_was_not_retrieved_stands_below_the_rest_and_in_no_order():
    qrels = {"1": {"a": 2, "b": 1, "c": 0}}
    some, none = {"1": {"b": 1.0}}, {"1": {"z": 1.0}}
    scores = evaluate(qrels, {"some": some, "none": none}, "PairAccuracy")
    assert scores["some"].item() == exactly(1 / 3)  # b > c; a > b is wrong, a > c unknown
    assert scores["none"].item() == 0


def test_as_many_grades_as_documents_are_no_more_work_than_sorting_them():
    n, moved = 200_000, 50_000
    grades = np.roll(np.arange(n)[::-1], moved) / n  # the worst stand on top, all others in order
    data = RankingData.from_arrays(np.zeros((n, 1)), grades, group=[n])
    accuracy = evaluate(data, {"x": -np.arange(n)}, "PairAccuracy")["x"].item()
    assert accuracy == exactly(1 - moved * (n - moved) / (n * (n - 1) / 2))


def test_tied_documents_are_counted_by_level_as_they_are_pair_by_pair():
    """Up to 64 labels their counts are kept, which takes time in proportion to the documents; beyond, pairs are gone
    through one by one.
    """
    rng = np.random.default_rng(3)
    gains = rng.integers(0, 5, 60).astype(float)
    cuts = np.append(np.sort(rng.choice(np.arange(1, 60), 25, replace=False)), 60)
    ends = cuts[np.searchsorted(cuts, np.arange(60), side="right")]
    few = PairAccuracy().swap_deltas(RankingData.from_arrays(np.zeros((60, 1)), gains, group=[60]))
    many = PairAccuracy().swap_deltas(RankingData.from_arrays(np.zeros((70, 1)), np.arange(70), group=[70]))
    assert few.tied_value is not many.tied_value
    work = np.empty((5, 61))
    expected = many.tied_value(gains, ends, np.ones(60), 1.0, work)
    assert few.tied_value(gains, ends, np.ones(60), 1.0, work) == exactly(expected)
    assert expected % 1 in (0, 0.5)
