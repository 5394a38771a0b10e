"""Documents in the order of their scores: the best few, or all."""

from __future__ import annotations

import numpy as np

from riskrank.kernels.compiled import compiled

SELECTED = 64  # up to this depth, inserting into a short list beats sorting


@compiled
def longest_query(queries, offsets):
    """How many documents the longest of some queries has."""
    longest = 0
    for q in queries:
        longest = max(longest, offsets[q + 1] - offsets[q])
    return longest


@compiled
def best_first(queries, scores, order):
    """The best documents of some queries, as positions within the query; ties keep the order of the data.

    Query q gets as many as its ranks hold: ``positions[starts[q]:starts[q + 1]]``. What is there before must be
    different positions, best those of the call before: scores change little from one tree to the next, so that few
    documents have to be moved.
    """
    positions = order.positions
    longest = longest_query(queries, order.offsets)
    is_listed = np.zeros(longest, np.uint8)
    best = np.empty(longest)
    for q in queries:
        a, n = order.offsets[q], order.offsets[q + 1] - order.offsets[q]
        begin, ranks = order.starts[q], order.starts[q + 1] - order.starts[q]
        for r in range(ranks):
            i = np.int64(positions[begin + r])
            is_listed[i] = 1
            _insert(i, scores[a + i], r, best, positions[begin:])
        for i in range(n):
            if is_listed[i] == 0:
                score = scores[a + i]
                if score >= best[ranks - 1] and (score > best[ranks - 1] or i < positions[begin + ranks - 1]):
                    _insert(i, score, ranks - 1, best, positions[begin:])
            else:
                is_listed[i] = 0


@compiled(no_cpython_wrapper=True)
def _insert(i, score, rank, best, positions):
    while rank > 0 and (best[rank - 1] < score or (best[rank - 1] == score and positions[rank - 1] > i)):
        best[rank] = best[rank - 1]
        positions[rank] = positions[rank - 1]
        rank -= 1
    best[rank] = score
    positions[rank] = i


@compiled
def sorted_first(queries, scores, order):
    """As `best_first`, by sorting; for rankings that are needed in full."""
    for q in queries:
        by_score = np.argsort(-scores[order.offsets[q] : order.offsets[q + 1]], kind="mergesort")
        for r in range(order.starts[q + 1] - order.starts[q]):
            order.positions[order.starts[q] + r] = by_score[r]
