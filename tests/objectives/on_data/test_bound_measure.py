"""A measure on data: values under changing scores are those of an evaluation, ties and all."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from riskrank import RankingData, evaluate, parse_measure
from riskrank.measures.standard import AP
from riskrank.objectives.on_data.bound_measure import BoundMeasure
from riskrank.objectives.on_data.ranked_queries import RankedQueries, depth_needed

DATA = RankingData.from_arrays(np.zeros((300, 1)), np.arange(300) % 4, group=[200, 1, 99])
MEASURES = ["nDCG@10", "nDCG", "P@5", "R@20", "RBP", "AP", "AP@4", "RR", "ERR@10", "Success@3", "PairAccuracy"]


def values_of(bound, scores, queries=None, data=None):
    data = data or DATA
    ranked = RankedQueries(data, depth_needed(bound.deltas), n_threads=2)
    values = np.full(data.n_queries, np.nan)
    ranked.rank_and_measure(scores, [bound], [values], queries)
    return values


@pytest.mark.parametrize("decimals", [9, 1, 0, -1], ids=["no ties", "few ties", "many ties", "all tied"])
@pytest.mark.parametrize("measure", MEASURES)
def test_values_are_those_of_an_evaluation(measure, decimals):
    scores = np.random.default_rng(1).normal(size=300).round(decimals)
    values = values_of(BoundMeasure.of(parse_measure(measure), DATA), scores)
    np.testing.assert_allclose(values, evaluate(DATA, {"x": scores}, measure)["x"], atol=1e-12)


@pytest.mark.parametrize("measure", sorted(set(MEASURES) - {"Success@3"}))  # there is success in both orders
def test_the_order_of_the_data_matters_to_values_in_that_order_only(measure):
    rng = np.random.default_rng(2)
    scores = rng.normal(size=300).round()
    order = np.lexsort((rng.random(300), DATA.query_numbers))
    other = RankingData.from_arrays(np.zeros((300, 1)), DATA.labels[order], group=[200, 1, 99])
    bound, turned = (BoundMeasure.of(parse_measure(measure), data) for data in (DATA, other))
    np.testing.assert_allclose(values_of(bound, scores), values_of(turned, scores[order], data=other), atol=1e-12)
    assert not np.allclose(values_of(bound.in_order(), scores), values_of(turned.in_order(), scores[order], data=other))
    untied = scores - 1e-6 * np.arange(300)
    np.testing.assert_allclose(values_of(bound, untied), values_of(bound.in_order(), scores))


@pytest.mark.parametrize("measure", ["nDCG@10", "AP"])
def test_some_queries_in_any_order_have_the_same_values(measure):
    scores, bound = np.zeros(300), BoundMeasure.of(parse_measure(measure), DATA)
    some = values_of(bound, scores, np.array([2, 0]))
    np.testing.assert_array_equal(some[[0, 2]], values_of(bound, scores)[[0, 2]])
    assert np.isnan(some[1])


@pytest.mark.parametrize("measure", ["nDCG@10", "AP"])
def test_presented_documents_keep_their_order(measure):
    presented = replace(DATA, is_presented=True)
    bound, scores = BoundMeasure.of(parse_measure(measure), presented), np.zeros(300)
    assert not bound.averages_ties
    np.testing.assert_allclose(values_of(bound, scores), evaluate(presented, {"x": scores}, measure)["x"], atol=1e-12)


class ShuffledAP(AP):
    """A measure of somebody's own, of which training knows only orders."""

    def swap_deltas(self, data):
        return replace(super().swap_deltas(data), tied_value=None)


def test_a_measure_whose_mean_over_ties_is_not_known_takes_them_in_the_order_of_the_data():
    scores = np.random.default_rng(3).normal(size=300).round()
    bound, known = BoundMeasure.of(ShuffledAP(), DATA), BoundMeasure.of(AP(), DATA)
    assert (bound.knows_ties, known.knows_ties) == (False, True)
    np.testing.assert_array_equal(values_of(bound, scores), values_of(known.in_order(), scores))
