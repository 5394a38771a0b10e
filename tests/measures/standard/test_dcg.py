from __future__ import annotations

import math

import pytest

from riskrank import evaluate
from riskrank.errors import MeasureError
from riskrank.measures.standard import DCG

from .examples import QRELS, RUN, TIED, TIED_SCORES, exactly, value, value_with_tie


def test_a_worked_example():
    assert value("DCG") == exactly(2 / math.log2(3) + 1 / math.log2(5))
    assert value("DCG(dcg='exp-log2')") == exactly(3 / math.log2(3) + 1 / math.log2(5))
    assert value("DCG(gains={2:7})") == exactly(7 / math.log2(3) + 1 / math.log2(5))
    assert value("DCG@2") == exactly(2 / math.log2(3))


def test_a_worked_example_with_a_tie():
    # gain 3 at rank 2 or 3, gain 1 at rank 4
    assert value_with_tie("DCG") == exactly((3 / math.log2(3) + 3 / 2) / 2 + 1 / math.log2(5))
    assert value_with_tie("DCG@2") == exactly((3 / math.log2(3) + 0) / 2)
    # the documents of grade 0 are worth 5: ranks 1 and 3 or 1 and 2; grade 2 at the other
    assert value_with_tie("DCG(gains={0:5})@2") == exactly(5 + (2 / math.log2(3) + 5 / math.log2(3)) / 2)


def test_the_plain_name_has_linear_gains_on_qrels_and_exponential_ones_on_labels():
    on_qrels, on_labels = evaluate(QRELS, RUN, "DCG"), evaluate(TIED, TIED_SCORES, "DCG")
    assert on_qrels["x"] == evaluate(QRELS, RUN, "DCG(dcg='log2')")["x"]
    assert on_labels["x"] == evaluate(TIED, TIED_SCORES, "DCG(dcg='exp-log2')")["x"]
    assert on_qrels.description == "discounted cumulative gain, gains = grade"
    assert on_labels.description == "discounted cumulative gain, gains 2^grade − 1"


def test_gains_of_ones_own_are_named():
    assert evaluate(QRELS, RUN, "DCG(gains={2:7,1:0.5})").description.endswith("gains 1→0.5, 2→7")


def test_grades_whose_gain_would_overflow_are_refused():
    qrels, run = {"1": {"a": 5000}}, {"x": {"1": {"a": 1.0}}}
    assert evaluate(qrels, run, "DCG")["x"].tolist() == [5000]
    with pytest.raises(MeasureError, match=r"grade 5000 is too large for gains 2\^grade − 1. Use dcg='log2' or gains="):
        evaluate(qrels, run, "DCG(dcg='exp-log2')")


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"dcg": "linear"}, "dcg of DCG must be 'log2' .* or 'exp-log2'"),
        ({"dcg": "exp-log2", "gains": {1: 1}}, "DCG takes either gains= or dcg='exp-log2', not both"),
        ({"gains": {1: -1}}, "gains of DCG must map grades to gains from 0"),
        ({"gains": {0.5: 1}}, "gains of DCG must map grades to gains from 0"),
        ({"gains": [1, 3]}, "gains of DCG must map grades to gains from 0"),
    ],
)
def test_gains_that_make_no_sense_are_refused(parameters, message):
    with pytest.raises(MeasureError, match=message):
        DCG(**parameters)
