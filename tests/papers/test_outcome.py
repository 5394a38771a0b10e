"""Numbers beside the paper's: what agrees, and how far an experiment was reproduced."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from riskrank.papers.outcome import Claim, Outcome, PaperNumber, PaperRow, PaperTable
from riskrank.papers.verdicts import mean_margin

RIGHT, WRONG = PaperNumber(0.12345, 0.123), PaperNumber(0.1242, 0.123)
ELSEWHERE = PaperNumber(0.5, 0.123, why_not="other data")
HOLDS, FAILS = Claim("a is larger", "holds", "2 > 1"), Claim("b is larger", "does not hold", "1 > 2")
OWN_FAILS = replace(FAILS, on_paper_data=True)
OPEN = Claim("c is larger", "undecided", "1 ± 2")
WEAK = Claim.estimated("d is larger", mean_margin(np.linspace(-1, 1, 50) - 0.2), "-0.2 ± 0.17")
SURE = Claim.estimated("e is larger", mean_margin(np.linspace(-1, 1, 50) + 1), "1 ± 0.17")


def outcome(*numbers, claims=()):
    table = PaperTable("t", "row", ("a",), tuple(PaperRow(str(i), (each,)) for i, each in enumerate(numbers)))
    return Outcome("made up", tables=(table,) if numbers else (), claims=claims)


def test_numbers_agree_where_they_are_printed_alike_or_within_a_limit():
    assert PaperNumber(0.1235, 0.123).agrees is True  # half a unit of the last digit
    assert PaperNumber(0.12351, 0.123).agrees is False
    assert PaperNumber(0.13, 0.12, limit=0.01).agrees is True
    assert PaperNumber(0.14, 0.12, limit=0.01).agrees is False
    assert PaperNumber(float("nan"), 0.12).agrees is False


def test_what_cannot_be_compared_neither_agrees_nor_differs():
    assert ELSEWHERE.agrees is None
    assert PaperNumber(0.5).agrees is None


@pytest.mark.parametrize(
    ("found", "state", "count"),
    [
        (outcome(RIGHT, RIGHT), "reproduced", "2 of 2 numbers agree"),
        (outcome(RIGHT, WRONG), "reproduced in part", "1 of 2 numbers agree"),
        (outcome(WRONG), "does not hold", "0 of 1 numbers agree"),
        (outcome(RIGHT, claims=(OWN_FAILS,)), "does not hold", "1 of 1 numbers agree, 0 of 1 claims hold, 1 does not"),
        (
            outcome(RIGHT, claims=(replace(HOLDS, on_paper_data=True), FAILS)),
            "does not hold on other data",
            "1 of 1 numbers agree, 1 of 2 claims hold, 1 does not",
        ),
        (outcome(ELSEWHERE, claims=(HOLDS,)), "direction only", "1 of 1 claims hold"),
        (outcome(claims=(HOLDS, FAILS)), "does not hold on other data", "1 of 2 claims hold, 1 does not"),
        (outcome(claims=(HOLDS, OPEN)), "undecided", "1 of 2 claims hold, 1 undecided"),
        (outcome(RIGHT, claims=(OPEN,)), "undecided", "1 of 1 numbers agree, 0 of 1 claims hold, 1 undecided"),
        (
            outcome(claims=(OPEN, FAILS, FAILS)),
            "does not hold on other data",
            "0 of 3 claims hold, 1 undecided, 2 do not",
        ),
        (outcome(ELSEWHERE, "–", None), "not compared", ""),
    ],
)
def test_the_state_of_an_experiment(found, state, count):
    assert (found.state, found.count) == (state, count)


def test_one_of_many_estimated_claims_fails_by_chance():
    assert (WEAK.verdict, SURE.verdict) == ("does not hold", "holds")
    assert outcome(claims=(WEAK,)).state == "does not hold on other data"
    assert outcome(claims=(WEAK, *[SURE] * 9)).state == "undecided"
    assert outcome(claims=(WEAK, *[HOLDS] * 9)).state == "does not hold on other data"  # what is computed is no chance
    assert outcome(claims=(replace(WEAK, on_paper_data=True),)).state == "does not hold"
