from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from .examples import check_against, exactly, queries, value, value_with_tie


def test_a_worked_example():
    # relevant at ranks 2 and 4, one of the three is not retrieved
    assert value("AP") == exactly((1 / 2 + 2 / 4) / 3)
    assert value("AP(rel=2)") == exactly(1 / 2)
    assert value("AP@2") == exactly(1 / 2 / 3)


def test_a_worked_example_with_a_tie():
    # relevant at ranks 2 and 4, or 3 and 4
    assert value_with_tie("AP") == exactly(((1 / 2 + 2 / 4) / 2 + (1 / 3 + 2 / 4) / 2) / 2)
    assert value_with_tie("AP@2") == exactly(((1 / 2) / 2 + 0) / 2)


@given(queries, st.integers(1, 10))
def test_it_is_the_mean_precision_at_the_relevant_documents(content, k):
    def slow(grades, _):
        precisions = [sum(g > 0 for g in grades[:rank]) / rank for rank, g in enumerate(grades[:k], start=1) if g > 0]
        return sum(precisions) / max(1, sum(g > 0 for g in grades))

    check_against(slow, content, f"AP@{k}")
