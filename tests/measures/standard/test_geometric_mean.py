from __future__ import annotations

import math

import pytest

from riskrank import evaluate
from riskrank.errors import MeasureError
from riskrank.measures.standard import GM

from .examples import QRELS, RUN, exactly, value, value_with_tie


def test_topics_have_the_values_of_the_measure_and_their_mean_is_geometric():
    qrels = {"1": {"a": 1}, "2": {"a": 1}}
    run = {"x": {"1": {"a": 1.0}, "2": {"b": 1.0}}}
    scores = evaluate(qrels, run, "gm_map")
    assert scores.measure == "GM(AP)"
    assert scores["x"].tolist() == [1.0, 0.0]
    assert scores.means() == pytest.approx([math.sqrt(1e-5)])


def test_a_worked_example_with_a_tie():
    assert value("GM(AP)") == value("AP")
    assert value_with_tie("GM(AP)") == exactly(value_with_tie("AP"))


def test_it_says_which_measure_it_is_the_mean_of():
    assert evaluate(QRELS, RUN, "GM(ERR)").description == "geometric mean of expected reciprocal rank, grades 0 to 4"
    assert str(GM("ndcg_cut_10")) == "GM(nDCG@10)"
    with pytest.raises(MeasureError, match="GM needs a measure, for example GM"):
        GM()
