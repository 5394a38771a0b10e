"""Rankings: score descending, ties in the order of the data."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from riskrank import RankingData
from riskrank.kernels.order import SELECTED, best_first, sorted_first
from riskrank.kernels.state import RankedOrder
from riskrank.objectives.on_data.ranked_queries import RankedQueries

scores_of_queries = st.lists(
    st.lists(st.sampled_from([-np.inf, -2.5, -1.0, -0.0, 0.0, 1e-300, 1.0, 7.0]), min_size=1, max_size=9),
    min_size=1,
    max_size=5,
)


@pytest.mark.parametrize("kernel", [best_first, sorted_first], ids=["best_first", "sorted_first"])
@settings(max_examples=60)
@given(queries=scores_of_queries, depth=st.integers(1, 10), rng=st.randoms(use_true_random=False))
def test_the_best_stand_first_and_ties_keep_their_order(kernel, queries, depth, rng):
    """Whatever stood there before."""
    sizes = np.array([len(query) for query in queries])
    offsets = np.concatenate([[0], np.cumsum(sizes)])
    starts = np.concatenate([[0], np.cumsum(np.minimum(sizes, depth))])
    before = [rng.sample(range(len(query)), min(len(query), depth)) for query in queries]
    order = RankedOrder(offsets, starts, np.concatenate(before).astype(np.int32))
    kernel(np.arange(len(queries)), np.concatenate(queries), order)
    for q, scores in enumerate(queries):
        expected = sorted(range(len(scores)), key=lambda i: -scores[i])[:depth]
        assert order.positions[starts[q] : starts[q + 1]].tolist() == expected


@pytest.mark.parametrize("depth", [1, SELECTED, SELECTED + 1, None])
def test_every_depth_ranks_the_same(depth):
    rng = np.random.default_rng(0)
    data = RankingData.from_arrays(np.zeros((300, 1)), np.zeros(300), group=[200, 1, 99])
    ranked = RankedQueries(data, depth, n_threads=2)
    for _ in range(3):
        scores = rng.normal(size=300).round(1)
        ranked.rank(scores)
        expected = [
            i
            for a, b in ((0, 200), (200, 201), (201, 300))
            for i in np.argsort(-scores[a:b], kind="stable")[: depth or 300].tolist()
        ]
        assert ranked.order.positions.tolist() == expected
