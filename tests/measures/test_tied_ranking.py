"""Tied scores: means over all orders of the tied documents, next to going through these orders one by one."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import riskrank as rr
from riskrank.measures import MEASURES, Measure, parse_measure
from riskrank.measures.rank_scores import judgments_of_labels, rank_scores
from riskrank.measures.standard import nDCG
from riskrank.measures.tied_ranking import SHUFFLES, _mean_products

CLOSED = [
    *("nDCG", "nDCG@2", "nDCG(gains={0:2,1:3})@3", "nDCG(dcg='log2')", "DCG@3", "AP", "AP@3", "AP(rel=2)", "RR"),
    *("RR@2", "ERR", "ERR@2", "ERR(max_rel=9)@3", "P@2", "P(rel=2)@3", "R@2", "Success@2", "Success(rel=2)@3", "WTA"),
    *("RBP", "RBP(p=0.5,rel=2)@3", "PairAccuracy", "GM(AP)"),
]

labels = st.integers(-2, 4)
scores = st.sampled_from([-np.inf, 0.0, 0.5, 0.5, 2.0])
query = st.lists(st.tuples(labels, scores), min_size=1, max_size=5)


def data_of(queries):
    """Feature data from (label, score) of documents; a last query has the highest label, as it matters to some."""
    rows = [row for query in queries for row in query] + [(4, 0.0)]
    sizes = [len(query) for query in queries] + [1]
    data = rr.RankingData.from_arrays(np.zeros((len(rows), 1)), [label for label, _ in rows], group=sizes)
    return data, np.array([score for _, score in rows])


def every_order(query):
    """The query once for each order of its documents, by distinct scores that go on from those it has."""
    for documents in permutations(query):
        by_score = sorted(documents, key=lambda row: -row[1])  # stable: the order of the tied differs
        yield [(label, score if score == -np.inf else -rank) for rank, (label, score) in enumerate(by_score)]


def mean_of_orders(query, measures):
    orders = list(every_order(query))
    evaluated = rr.evaluate(*as_systems(*data_of(orders)), measures)
    return {measure: float(evaluated[measure].matrix[0, : len(orders)].mean()) for measure in measures}


def as_systems(data, scores):
    return data, {"x": scores}


def tied_ranking(data, scores):
    return rank_scores(scores, data, judgments_of_labels(data), name="x").ties


@settings(max_examples=60)
@given(st.lists(query, min_size=1, max_size=3))
def test_closed_forms_are_the_means_over_all_orders(queries):
    evaluated = rr.evaluate(*as_systems(*data_of(queries)), CLOSED)
    for i, each in enumerate(queries):
        for measure, expected in mean_of_orders(each, CLOSED).items():
            assert evaluated[measure]["x"][i] == pytest.approx(expected, abs=1e-12), measure


def test_every_measure_of_ours_but_one_has_a_closed_form():
    ours = {name: measure for name, measure in MEASURES.items() if measure.__module__.startswith("riskrank.")}
    by_shuffles = {name for name, measure in ours.items() if measure.over_ties is Measure.over_ties}
    assert by_shuffles == {"Bpref"}
    assert {type(parse_measure(text)).name for text in CLOSED} == set(ours) - by_shuffles


@pytest.fixture(scope="module")
def many_queries():
    """Queries of six documents with two or three different scores."""
    rng = np.random.default_rng(5)
    return [
        list(zip(rng.integers(0, 3, 6).tolist(), rng.integers(0, 2 + i % 2, 6).tolist(), strict=True))
        for i in range(60)
    ]


@pytest.mark.parametrize("measure", ["Bpref", "AP", "RR", "Success@2", "nDCG@3"])
def test_shuffles_give_the_means_over_all_orders_within_their_error(measure, many_queries):
    ties = tied_ranking(*data_of(many_queries))
    shuffled = Measure.over_ties(parse_measure(measure), ties)[ties.topics]
    exact, error = [], []
    for i in ties.topics:
        orders = list(every_order(many_queries[i]))
        values = rr.evaluate(*as_systems(*data_of(orders)), measure)["x"][:-1]
        exact.append(values.mean())
        error.append(values.std() / np.sqrt(SHUFFLES))
    off, error = shuffled - exact, np.array(error)
    assert len(off) > 50
    assert (np.abs(off) <= 5 * error + 1e-12).all()
    assert abs(off.mean()) <= 3 * np.sqrt((error**2).sum()) / len(off)


@settings(max_examples=40)
@given(st.lists(query, min_size=1, max_size=3), st.randoms(use_true_random=False))
def test_the_order_of_documents_in_the_file_changes_nothing(queries, random):
    measures = [*CLOSED, "Bpref"]
    reordered = [random.sample(each, len(each)) for each in queries]
    before, after = (rr.evaluate(*as_systems(*data_of(each)), measures) for each in (queries, reordered))
    for measure in measures:
        assert before[measure] == after[measure]  # to the last bit


def test_the_order_in_the_file_changes_nothing_for_measures_of_ir_measures(many_queries):
    reordered = [each[::-1] for each in many_queries[:5]]
    before, after = (rr.evaluate(*as_systems(*data_of(each)), "Rprec") for each in (many_queries[:5], reordered))
    assert before == after


@pytest.mark.parametrize("measure", ["nDCG@3", "AP", "ERR", "Bpref"])
def test_a_query_has_the_same_value_whatever_the_other_queries_and_systems_are(measure, many_queries):
    data, scores = data_of(many_queries)
    some = np.arange(10, 30)
    changed = np.where(np.isin(data.query_numbers, some), scores, -np.arange(data.n_documents))
    both = rr.evaluate(data, {"x": scores, "y": changed}, measure)
    np.testing.assert_array_equal(both["x"][some], both["y"][some])
    part = data.take(some)
    alone = rr.evaluate(part, {"x": scores[np.isin(data.query_numbers, some)]}, measure)
    np.testing.assert_array_equal(alone["x"], both["x"][some])


def test_tied_documents_that_are_not_judged_take_up_ranks():
    # tied: grade 1 and one that is not judged, so that grade 1 has rank 1 or 2
    evaluated = rr.evaluate(*as_systems(*data_of([[(1, 2.0), (-1, 2.0)]])), ["RR", "P@1", "AP", "PairAccuracy"])
    assert [evaluated[measure]["x"][0] for measure in ("RR", "P@1", "AP", "PairAccuracy")] == [0.75, 0.5, 0.75, 0.0]


def test_documents_that_were_not_retrieved_take_no_part():
    # two of grade 1 are not retrieved: precision at rank 1 or 2, over three relevant documents
    queries = [[(1, -np.inf), (1, 3.0), (0, 3.0), (1, -np.inf)]]
    evaluated = rr.evaluate(*as_systems(*data_of(queries)), ["AP", "R@9", "SetR"])
    assert evaluated["AP"]["x"][0] == pytest.approx((1 + 1 / 2) / 2 / 3)
    assert evaluated["R@9"]["x"][0] == pytest.approx(1 / 3)
    assert evaluated["SetR"]["x"][0] == pytest.approx(1 / 3)


@dataclass(frozen=True, repr=False, eq=False)
class TopGrade(Measure):
    """A measure of somebody's own."""

    name = "TopGrade"
    summary = "grade of the top document"

    def per_topic(self, ranking):
        top = ranking.up_to(1)
        return top.sum(top.grade)


class HalfnDCG(nDCG):
    """Another one, of which only the value differs from one of ours."""

    def per_topic(self, ranking):
        return super().per_topic(ranking) / 2


class GradednDCG(nDCG):
    """And one that differs in something else."""


def test_a_measure_of_ones_own_is_a_mean_over_shuffles():
    # the top document has grade 2, 1 or 0, each with chance 1/3: mean 1, standard deviation sqrt(2/3)
    data, scores = data_of([[(0, 1.0), (1, 1.0), (2, 1.0), (3, 0.0)]])
    assert rr.evaluate(data, {"x": scores}, TopGrade())["x"][0] == pytest.approx(1, abs=4 * np.sqrt(2 / 3 / SHUFFLES))
    untied = rr.evaluate(data, {"x": [1.0, 2.0, 3.0, 0.0, 0.0]}, TopGrade())
    assert untied["x"][0] == 2


def test_a_measure_that_overrides_the_value_of_another_does_not_inherit_its_closed_form():
    data, scores = data_of([[(0, 1.0), (2, 1.0), (1, 0.0)]])
    half, whole = (rr.evaluate(data, {"x": scores}, measure(cutoff=3))["x"] for measure in (HalfnDCG, nDCG))
    assert half == pytest.approx(whole / 2)  # a tie of two: each shuffle comes with its reverse
    assert GradednDCG.over_ties is nDCG.over_ties


def test_chances_to_stop_are_those_of_all_orders():
    # Chances 1/2, 1/4, 0 in one tie, then 1/2 alone. The first stops by (1/2 + 1/4 + 0)/3 = 1/4. Two are passed by
    # (1/2·3/4 + 1/2·1 + 3/4·1)/3 = 13/24, all three by 3/8: the second stops by 3/4 − 13/24 = 5/24, the third by
    # 13/24 − 3/8 = 1/6, the last by 3/8 · 1/2.
    data, scores = data_of([[(3, 1.0), (2, 1.0), (0, 1.0), (3, 0.0)]])
    ties = tied_ranking(data, scores)
    assert ties.documents.grade.tolist() == [3, 2, 0, 3]
    assert ties.stops(np.array([1 / 2, 1 / 4, 0, 1 / 2])) == pytest.approx([1 / 4, 5 / 24, 1 / 6, 3 / 16])


def test_mean_products_are_those_of_the_plain_recurrence():
    """Also where most numbers are 1, and where many are so far below that few of them decide."""
    rng = np.random.default_rng(1)
    for chance in (
        rng.random((4, 300)),
        rng.choice([0, 0, 0, 1 / 16, 1], (4, 300)),
        rng.random((4, 300)) ** 9,
        np.eye(4, 300),
    ):
        plain = np.zeros((4, 301))
        plain[:, 0] = 1.0
        for n in range(1, 301):
            share = np.arange(1, n + 1) / n
            plain[:, 1 : n + 1] = (1 - share) * plain[:, 1 : n + 1] + share * plain[:, :n] * (1 - chance[:, n - 1 : n])
        np.testing.assert_allclose(_mean_products(1 - chance), plain[:, 1:], rtol=0, atol=1e-13)


def test_a_tie_of_many_documents_is_averaged_over_in_time_in_proportion_to_them():
    n = 300_000  # which the plain recurrence takes minutes for
    data = rr.RankingData.from_arrays(np.zeros((n, 1)), np.arange(n) == 7, group=[n])
    expected = np.sum(1 / np.arange(1, n + 1)) / n
    assert rr.evaluate(data, {"x": np.zeros(n)}, "RR")["x"].item() == pytest.approx(expected, rel=1e-9)
