from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from riskrank import evaluate
from riskrank.errors import MeasureError

from .examples import QRELS, RUN, check_against, exactly, queries, value, value_with_tie


def test_a_worked_example():
    # R1 = 0, R2 = 3/16, R4 = 1/16
    assert value("ERR") == exactly(3 / 16 / 2 + 13 / 16 * 1 / 16 / 4)
    assert value("ERR@2") == exactly(3 / 16 / 2)
    # R2 = 3/4, R4 = 1/4
    assert value("ERR(max_rel=2)") == exactly(3 / 4 / 2 + 1 / 4 * 1 / 4 / 4)


def test_a_worked_example_with_a_tie():
    # the user stops at grade 2 by 3/16, at grade 1 by 1/16
    assert value_with_tie("ERR") == exactly((3 / 16 / 2 + 3 / 16 / 3) / 2 + 13 / 16 / 16 / 4)
    assert value_with_tie("ERR@2") == exactly((3 / 16 / 2 + 0) / 2)


@given(queries, st.integers(1, 10))
def test_it_is_the_expected_reciprocal_of_the_rank_where_a_user_stops(content, k):
    def slow(grades, highest):
        expected, left = 0.0, 1.0
        for rank, grade in enumerate(grades[:k], start=1):
            stop = (2**grade - 1) / 2 ** max(4, highest)
            expected += left * stop / rank
            left *= 1 - stop
        return expected

    check_against(slow, content, f"ERR@{k}")


def test_the_scale_ends_at_4_or_at_a_higher_grade():
    assert evaluate(QRELS, RUN, "ERR").description == "expected reciprocal rank, grades 0 to 4"
    higher = {"1": {**QRELS["1"], "f": 6}}
    assert evaluate(higher, RUN, "ERR").description == "expected reciprocal rank, grades 0 to 6"
    assert evaluate(higher, RUN, "ERR")["x"] == evaluate(higher, RUN, "ERR(max_rel=6)")["x"]


def test_grades_beyond_the_scale_are_refused():
    qrels, run = {"1": {"a": 5000}}, {"x": {"1": {"a": 1.0}}}
    with pytest.raises(MeasureError, match=r"grade 5000 is too large for ERR's 2\^grade"):
        evaluate(qrels, run, "ERR")
    with pytest.raises(MeasureError, match="max_rel of ERR is 4, but there is a grade 5000"):
        evaluate(qrels, run, "ERR(max_rel=4)")
