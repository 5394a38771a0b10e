"""Documents in the order of their scores: the best few, or all."""

from __future__ import annotations

import numpy as np

from riskrank.kernels.compiled import compiled

SELECTED = 64  # up to this depth, inserting into a short list beats sorting


@compiled
def best_first(queries, offsets, scores, starts, ranked):
    """The best documents of some queries, as positions within the query; ties keep the order of the data.

    Query q gets as many as there is room for: ``ranked[starts[q]:starts[q + 1]]``. What stands there before must be
    different positions, best those of an earlier call: scores change little from one tree to the next, so that few
    documents have to be moved.
    """
    longest = 0
    for q in queries:
        longest = max(longest, offsets[q + 1] - offsets[q])
    is_listed = np.zeros(longest, np.uint8)
    best = np.empty(longest)
    for q in queries:
        a, n = offsets[q], offsets[q + 1] - offsets[q]
        begin, room = starts[q], starts[q + 1] - starts[q]
        for r in range(room):
            is_listed[ranked[begin + r]] = 1
            _insert(ranked[begin + r], scores[a + ranked[begin + r]], r, best, ranked[begin:])
        for i in range(n):
            if is_listed[i] == 0:
                score = scores[a + i]
                if score >= best[room - 1] and (score > best[room - 1] or i < ranked[begin + room - 1]):
                    _insert(i, score, room - 1, best, ranked[begin:])
            else:
                is_listed[i] = 0


@compiled
def _insert(i, score, place, best, ranked):
    while place > 0 and (best[place - 1] < score or (best[place - 1] == score and ranked[place - 1] > i)):
        best[place] = best[place - 1]
        ranked[place] = ranked[place - 1]
        place -= 1
    best[place] = score
    ranked[place] = i


@compiled
def sorted_first(queries, offsets, scores, starts, ranked):
    """As `best_first`, by sorting; for rankings that are needed in full."""
    for q in queries:
        order = np.argsort(-scores[offsets[q] : offsets[q + 1]], kind="mergesort")
        for r in range(starts[q + 1] - starts[q]):
            ranked[starts[q] + r] = order[r]
