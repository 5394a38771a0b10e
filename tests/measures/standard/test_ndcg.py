from __future__ import annotations

import math

from hypothesis import given
from hypothesis import strategies as st

from riskrank import evaluate

from .examples import QRELS, RUN, check_against, exactly, queries, value, value_with_tie


def test_a_worked_example():
    assert value("nDCG") == exactly((2 / math.log2(3) + 1 / math.log2(5)) / (2 + 1 / math.log2(3) + 1 / 2))
    assert value("nDCG(dcg='exp-log2')@2") == exactly((3 / math.log2(3)) / (3 + 1 / math.log2(3)))


def test_the_best_ranking_is_by_gain_which_need_not_be_by_grade():
    best = 5 + 5 / math.log2(3) + 1 / 2
    assert value("nDCG(gains={1:5,2:1})") == exactly((1 / math.log2(3) + 5 / math.log2(5)) / best)


def test_a_worked_example_with_a_tie():
    # gain 3 at rank 2 or 3
    assert value_with_tie("nDCG@2") == exactly((3 / math.log2(3) + 0) / 2 / (3 + 1 / math.log2(3)))


@given(queries, st.integers(1, 10))
def test_it_is_dcg_over_that_of_the_best_ranking(content, k):
    def dcg(grades):
        return sum((2**grade - 1) / math.log2(rank + 1) for rank, grade in enumerate(grades[:k], start=1))

    def slow(grades, _):
        best = dcg(sorted(grades, reverse=True))
        return dcg(grades) / best if best else 0.0

    check_against(slow, content, f"nDCG@{k}")


def test_the_best_ranking_is_that_of_the_cut_off_whichever_measures_are_beside_it():
    scores = evaluate(QRELS, {"x": RUN["x"], "y": {"1": {"e": 1.0}}}, ["nDCG@1", "nDCG@2", "nDCG"])
    assert scores["nDCG@1"]["y"].item() == exactly(1 / 2)
    assert scores["nDCG@2"]["y"].item() == exactly(1 / (2 + 1 / math.log2(3)))
    assert scores["nDCG"]["y"].item() == exactly(1 / (2 + 1 / math.log2(3) + 1 / 2))
