"""Queries ranked by changing scores: to any depth, all of them or some."""

from __future__ import annotations

import numpy as np
import pytest

from riskrank import RankingData, parse_measure
from riskrank.kernels.order import SELECTED
from riskrank.objectives.on_data.bound_measure import BoundMeasure
from riskrank.objectives.on_data.ranked_queries import RankedQueries, depth_needed

DATA = RankingData.from_arrays(np.zeros((300, 1)), np.arange(300) % 4, group=[200, 1, 99])


@pytest.mark.parametrize("depth", [1, SELECTED, SELECTED + 1, None])
def test_every_depth_ranks_the_same(depth):
    rng = np.random.default_rng(0)
    ranked = RankedQueries(DATA, depth, n_threads=2)
    for _ in range(3):
        scores = rng.normal(size=300).round(1)
        ranked.rank(scores)
        expected = [
            i
            for a, b in ((0, 200), (200, 201), (201, 300))
            for i in np.argsort(-scores[a:b], kind="stable")[: depth or 300].tolist()
        ]
        assert ranked.order.positions.tolist() == expected


def test_other_queries_keep_their_order_and_their_values():
    measure = BoundMeasure.of(parse_measure("nDCG@10"), DATA)
    ranked = RankedQueries(DATA, None)
    scores, values = np.random.default_rng(2).normal(size=300), np.full(3, np.nan)
    ranked.rank(scores)
    before = ranked.order.positions.copy()
    ranked.rank_and_measure(-scores, [measure], [values], np.array([2]))
    np.testing.assert_array_equal(ranked.order.positions[:201], before[:201])
    np.testing.assert_array_equal(ranked.order.positions[201:], before[201:][::-1])
    assert np.isnan(values).tolist() == [True, True, False]


@pytest.mark.parametrize(
    ("measures", "depth"), [(["nDCG@10"], 10), (["P@5", "nDCG@20"], 20), (["nDCG"], 200), (["nDCG@10", "AP"], None)]
)
def test_the_deepest_measure_decides_how_many_ranks_are_needed(measures, depth):
    assert depth_needed(*(parse_measure(measure).swap_deltas(DATA) for measure in measures)) == depth
