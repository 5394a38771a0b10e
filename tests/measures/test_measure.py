from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest

from riskrank import RankingData, evaluate
from riskrank.errors import MeasureError
from riskrank.measures import MEASURES, Measure, parse_measure, register
from riskrank.measures.measure import optimisable
from riskrank.measures.standard import AP, GM, nDCG


def test_every_measure_says_what_it_is():
    assert len(MEASURES) >= 12
    assert all(measure.summary and measure.__doc__ for measure in MEASURES.values())


def test_a_measure_of_ones_own_is_registered_by_name():
    @register()
    @dataclass(frozen=True, repr=False, eq=False)
    class Retrieved(Measure):
        name = "Retrieved"
        summary = "documents retrieved"

        def per_topic(self, ranking):
            return ranking.retrieved.astype(float)

    try:
        assert evaluate({"1": {"a": 1}}, {"x": {"1": {"a": 1.0, "b": 0.5}}}, "retrieved").matrix.tolist() == [[2.0]]
    finally:
        del MEASURES["Retrieved"]


def test_a_measure_of_ones_own_may_summarise_another_one():
    @register()
    @dataclass(frozen=True, repr=False, eq=False)
    class Typical(Measure):
        name = "Typical"
        summary = "geometric mean, of one's own"
        aggregate = "geometric"
        measure: str = ""

        @property
        def inner(self):
            return parse_measure(self.measure)

        def __str__(self):
            return f"Typical({self.inner})"

    try:
        runs = {"x": {"1": {"a": 1.0}, "2": {"b": 1.0, "a": 0.5}}}
        scores = evaluate({"1": {"a": 1}, "2": {"a": 1}}, runs, "typical(rr)")
        assert scores.measure == "Typical(RR)"
        assert scores["x"].tolist() == [1.0, 0.5]
        assert scores.means() == pytest.approx([0.5**0.5])
        assert evaluate({"1": {"a": 1}}, runs, "typical(ndcg_cut_10)").description == "geometric mean, of one's own"
    finally:
        del MEASURES["Typical"]


def test_an_alias_may_fix_parameters_and_goes_with_its_measure():
    @register("RetrievedTwice", "twice", twice={"times": 2})
    @dataclass(frozen=True, repr=False, eq=False)
    class Multiplied(Measure):
        name = "Multiplied"
        summary = "documents retrieved, several times"
        times: int = 1

    try:
        assert str(parse_measure("twice")) == "Multiplied(times=2)"
        assert str(parse_measure("twice(times=3)")) == "Multiplied(times=3)"
        assert str(parse_measure("retrievedtwice")) == "Multiplied"
        assert MEASURES.aliases("Multiplied") == ["RetrievedTwice", "twice"]
    finally:
        del MEASURES["Multiplied"]
    with pytest.raises(MeasureError, match="unknown measure 'twice'"):
        parse_measure("twice")


def test_measures_of_the_same_text_are_equal():
    assert nDCG(cutoff=10) == parse_measure("ndcg@10") != nDCG()
    assert len({nDCG(cutoff=10), parse_measure("ndcg@10"), AP()}) == 2
    assert nDCG() != "nDCG"


def test_numpys_numbers_read_as_pythons():
    measure = AP(cutoff=np.int64(10), rel=np.int64(2))
    assert str(measure) == "AP(rel=2)@10"
    assert parse_measure(str(measure)) == measure


@pytest.mark.parametrize("rel", [0, -1, True, "1", float("nan")])
def test_a_document_is_relevant_from_a_grade_above_zero(rel):
    with pytest.raises(MeasureError, match="rel of AP must be a grade above 0"):
        AP(rel=rel)


@pytest.mark.parametrize(
    ("text", "deepened"),
    [
        ("nDCG@10", "nDCG@30"),
        ("DCG@10", "DCG@30"),
        ("ERR(max_rel=3)@20", "ERR(max_rel=3)@30"),
        ("nDCG@50", "nDCG@50"),
        ("nDCG", "nDCG"),
        ("P@10", "P@10"),
        ("AP@10", "AP@10"),
    ],
)
def test_graded_and_discounted_measures_may_be_deepened(text, deepened):
    assert str(parse_measure(text).deepened(30)) == deepened


def test_what_cannot_be_optimised_says_what_can():
    assert optimisable() == ["AP", "DCG", "ERR", "nDCG", "P", "PairAccuracy", "R", "RBP", "RR", "Success"]
    with pytest.raises(MeasureError, match="GM cannot be optimised; choose one of AP, DCG, ERR, nDCG"):
        GM("AP").swap_deltas(RankingData.from_arrays([[0.0]], [1], group=[1]))
