from __future__ import annotations

from hypothesis import given

from riskrank import evaluate

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
