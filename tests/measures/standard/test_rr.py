from __future__ import annotations

from .examples import exactly, value, value_with_tie


def test_a_worked_example():
    # relevant at ranks 2 and 4
    assert value("RR") == exactly(1 / 2)
    assert value("RR@1") == 0
    assert value("RR(rel=3)") == 0


def test_a_worked_example_with_a_tie():
    # the first relevant document at rank 2 or 3
    assert value_with_tie("RR") == exactly((1 / 2 + 1 / 3) / 2)
    assert value_with_tie("RR@2") == exactly((1 / 2 + 0) / 2)
