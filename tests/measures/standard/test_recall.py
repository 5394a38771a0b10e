from __future__ import annotations

from .examples import exactly, value, value_with_tie


def test_a_worked_example():
    # relevant at ranks 2 and 4, one of the three is not retrieved
    assert value("R@2") == exactly(1 / 3)
    assert value("R@10") == exactly(2 / 3)
    assert value("R(rel=2)@2") == 1


def test_a_worked_example_with_a_tie():
    # one of two relevant documents at rank 2, or none
    assert value_with_tie("R@2") == exactly((1 / 2 + 0) / 2)
