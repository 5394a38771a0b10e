"""Rankings: score descending, ties in the order of the data."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from riskrank.kernels.order import best_first, sorted_first
from riskrank.kernels.state import RankedOrder

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
