from __future__ import annotations

from riskrank.measures import parse_measure

from .examples import exactly, value, value_with_tie


def test_a_worked_example():
    # relevant at ranks 2 and 4
    assert value("Success@1") == 0
    assert value("Success@2") == 1
    assert value("Success(rel=3)@10") == 0


def test_a_worked_example_with_a_tie():
    # relevant at rank 2 or 3
    assert value_with_tie("Success@2") == exactly((1 + 0) / 2)
    assert value_with_tie("Success@3") == 1


def test_winner_takes_all_is_success_at_1():
    assert parse_measure("WTA") == parse_measure("Success@1")
