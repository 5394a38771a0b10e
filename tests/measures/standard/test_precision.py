from __future__ import annotations

from .examples import exactly, value, value_with_tie


def test_a_worked_example():
    # relevant at ranks 2 and 4
    assert value("P@2") == exactly(1 / 2)
    assert value("P@4") == exactly(2 / 4)
    assert value("P(rel=2)@4") == exactly(1 / 4)


def test_missing_ranks_count_as_not_relevant():
    assert value("P@10") == exactly(2 / 10)


def test_a_worked_example_with_a_tie():
    # relevant at rank 2, or only below
    assert value_with_tie("P@2") == exactly((1 / 2 + 0) / 2)
